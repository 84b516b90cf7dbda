//! `webcodex runner`

use std::net::SocketAddr;

use tokio::sync::watch;
use webcodex_link::{DialTarget, LinkState, dial};
use webcodex_settings::{Environment, Settings, read_private};

use crate::failure::Failure;
use crate::household::{self, RUNNER_CREDENTIAL};
use crate::instance::{InstanceLock, ServerFile};
use crate::{logging, shutdown, supervised};

/// Arguments of `webcodex runner`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The Server's loopback address; default the Server with the same data folder.
    #[arg(long)]
    server: Option<SocketAddr>,
    /// Take orders on standard input; for the desktop app.
    #[arg(long, hide = true, conflicts_with = "server")]
    supervised: bool,
}

/// Serves the registered projects to the Server until a signal.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.supervised {
        return supervised::runner();
    }
    let settings = Settings::load(&Environment::of_process())?;
    logging::start(&settings);
    household::runtime()?.block_on(serve(settings, arguments.server))
}

async fn serve(settings: Settings, server: Option<SocketAddr>) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let _lock = InstanceLock::take(&settings.folders.runner_lock(), "Runner")?;
    let runner = household::open_runner(&settings)?;
    let (state, states) = watch::channel(LinkState::Dialling);
    tokio::spawn(tell(states));
    let find = move || {
        let address = server.or_else(|| Some(ServerFile::of_running(&settings.folders)?.address))?;
        let credential = read_private(&settings.folders.credential_file(RUNNER_CREDENTIAL)).ok()??;
        Some(DialTarget { address, credential })
    };
    let result = tokio::select! {
        refused = dial(find, runner.hello(), runner.clone(), state) => {
            Err(Failure::new("the Server does not accept this Runner").why(refused)
                .next("start Server and Runner with the same data folder and the same version"))
        }
        () = ended.cancelled() => Ok(()),
    };
    runner.shutdown().await;
    result
}

/// Tells the person at the terminal how the link stands, once per change.
async fn tell(mut states: watch::Receiver<LinkState>) {
    let mut told = None;
    loop {
        let text = match &*states.borrow_and_update() {
            LinkState::Dialling => None,
            LinkState::Linked => Some("linked to the Server".to_owned()),
            LinkState::Waiting { reason, .. } => Some(format!("not linked: {reason}; trying again")),
        };
        if text.is_some() && text != told {
            anstream::eprintln!("WebCodex Runner: {}", text.as_deref().unwrap_or_default());
            told = text;
        }
        if states.changed().await.is_err() {
            return;
        }
    }
}

//! `webcodex status`

use serde_json::{Value, json};
use webcodex_settings::{Environment, Folders, Settings, read_private};

use crate::failure::Failure;
use crate::household::{self, STATUS_CREDENTIAL};
use crate::instance::{InstanceLock, ServerFile};
use crate::request;

/// Arguments of `webcodex status`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Says `ready` and exits with 0 when Server and Runner serve.
#[expect(clippy::print_stdout, reason = "the data that was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let settings = Settings::load(&Environment::of_process())?;
    let seen = look(&settings.folders);
    if arguments.json {
        let mut json = seen.to_json();
        if let Some(desktop) = desktop(&settings.folders) {
            json["desktop"] = desktop;
        }
        println!("{json}");
    } else {
        println!("{}", seen.word());
    }
    seen.into_result()
}

/// What the desktop app says, word for word as its window shows it, while one runs with this data folder.
fn desktop(folders: &Folders) -> Option<Value> {
    if !InstanceLock::is_taken(&folders.desktop_lock()) {
        return None;
    }
    let text = read_private(&folders.desktop_file()).ok()??;
    serde_json::from_str(&text).ok()
}

/// What was observed.
pub(crate) enum Seen {
    /// No Server runs with this data folder.
    NotRunning,
    /// A Server runs but does not answer as it should.
    Silent(String),
    /// The Server answers and names what is missing.
    NotReady(Value),
    /// Server and Runner serve.
    Ready(ServerFile),
}

/// Asks the Server of this data folder.
pub(crate) fn look(folders: &Folders) -> Seen {
    let Some(server) = ServerFile::of_running(folders) else { return Seen::NotRunning };
    let credential =
        read_private(&folders.credential_file(STATUS_CREDENTIAL)).ok().flatten().unwrap_or_default();
    let asked = household::runtime().map_err(|_| "no threads".to_owned()).and_then(|runtime| {
        runtime
            .block_on(request::get(server.address, "/readyz", &credential))
            .map_err(|error| error.to_string())
    });
    match asked {
        Ok((200, _)) => Seen::Ready(server),
        Ok((503, body)) => Seen::NotReady(body),
        Ok((status, _)) => Seen::Silent(format!("it answered with HTTP status {status}")),
        Err(why) => Seen::Silent(why),
    }
}

impl Seen {
    /// One word for scripts.
    fn word(&self) -> &'static str {
        match self {
            Seen::NotRunning => "not running",
            Seen::Silent(_) => "not answering",
            Seen::NotReady(_) => "not ready",
            Seen::Ready(_) => "ready",
        }
    }

    /// The observation as JSON.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Seen::NotRunning => json!({"status": "not_running"}),
            Seen::Silent(why) => json!({"status": "not_answering", "why": why}),
            Seen::NotReady(body) => json!({"status": "not_ready", "server": body}),
            Seen::Ready(server) => {
                json!({"status": "ready", "address": server.address, "server_pid": server.pid})
            }
        }
    }

    fn into_result(self) -> Result<(), Failure> {
        match self {
            Seen::Ready(_) => Ok(()),
            Seen::NotRunning => Err(Failure::not_ready("WebCodex is not running with this data folder")
                .next("start `webcodex run`, or set WEBCODEX_DATA_DIR to the folder that is in use")),
            Seen::Silent(why) => {
                Err(Failure::not_ready("the Server does not answer").why(why).next("restart WebCodex"))
            }
            Seen::NotReady(body) => Err(Failure::not_ready("WebCodex is not ready")
                .why(body["reason"].as_str().unwrap_or("a part is missing"))
                .next("start `webcodex runner`, or `webcodex run` for both")),
        }
    }
}

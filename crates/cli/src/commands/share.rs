//! `webcodex share`: one folder, until the command ends.

use std::path::PathBuf;

use clap::ValueEnum;
use webcodex_settings::environment::DATA_DIR;
use webcodex_settings::{Environment, Settings};

use crate::failure::Failure;
use crate::household::{self, Announcement, Household};
use crate::tunnel::{self, Tunnel};
use crate::{logging, shutdown};

/// Arguments of `webcodex share`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder; default the current one.
    folder: Option<PathBuf>,
    /// How clients outside this machine get in.
    #[arg(long, value_enum, default_value = "none")]
    tunnel: Way,
    #[command(flatten)]
    options: tunnel::Options,
    /// Print exactly one JSON line when ready.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Way {
    /// Not at all: only clients on this machine.
    None,
    /// ChatGPT, over the OpenAI Secure MCP Tunnel.
    Openai,
}

/// Serves the folder until a signal. Without WEBCODEX_DATA_DIR nothing is kept.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let environment = Environment::of_process();
    let mut settings = Settings::load(&environment)?;
    let temporary = if environment.get(DATA_DIR).is_some() { None } else { Some(temporary_folder()?) };
    if let Some(folder) = &temporary {
        settings = settings.in_data(folder.path());
    }
    logging::start(&settings);
    let folder = household::absolute(arguments.folder.as_deref())?;
    let access = match arguments.tunnel {
        Way::None => None,
        Way::Openai => Some(arguments.options.access(&settings.tunnel)?),
    };
    household::runtime()?.block_on(serve(settings, folder, access, arguments.json))
}

fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::Builder::new().prefix("webcodex-share-").tempdir().map_err(|error| {
        Failure::new("no temporary folder could be made").why(error).next("set WEBCODEX_DATA_DIR")
    })
}

async fn serve(
    settings: Settings,
    folder: String,
    access: Option<tunnel::Access>,
    json: bool,
) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let household = Household::start(&settings).await?;
    let project = household.register(&folder)?;
    let credential = household.serving.project_credential(&project).await?;
    let tunnel = match access {
        None => None,
        Some(access) => Some(Tunnel::start(access, &household.serving, &credential, &settings).await?),
    };
    let (serving, project) = (&household.serving, Some(&project.id));
    Announcement { serving, credential: &credential, project, tunnel: tunnel.as_ref() }.print(json)?;
    ended.cancelled().await;
    household.end_everything().await;
    Ok(())
}

//! `webcodex run`: the registered projects, kept between runs.

use std::path::PathBuf;

use webcodex_settings::{Environment, Settings};

use crate::failure::Failure;
use crate::household::{self, Announcement, Household};
use crate::{logging, shutdown};

/// Arguments of `webcodex run`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder to register first.
    folder: Option<PathBuf>,
    /// Print exactly one JSON line when ready.
    #[arg(long)]
    json: bool,
}

/// Serves the registered projects until a signal.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let settings = Settings::load(&Environment::of_process())?;
    logging::start(&settings);
    let folder = arguments.folder.as_deref().map(|folder| household::absolute(Some(folder))).transpose()?;
    household::runtime()?.block_on(serve(settings, folder, arguments.json))
}

async fn serve(settings: Settings, folder: Option<String>, json: bool) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let household = Household::start(&settings).await?;
    let project = folder.map(|folder| household.register(&folder)).transpose()?;
    household.serving.keep_credentials(&settings).await?;
    let credential = household::kept_credential(&settings, household::CLIENT_CREDENTIAL)?;
    let project = project.as_ref().map(|project| &project.id);
    Announcement { serving: &household.serving, credential: &credential, project, tunnel: None }
        .print(json)?;
    ended.cancelled().await;
    household.end().await;
    Ok(())
}

//! `webcodex server`

use std::net::SocketAddr;

use serde_json::json;
use webcodex_settings::{Environment, Settings};

use crate::failure::Failure;
use crate::household::{self, Serving};
use crate::{logging, shutdown};

/// Arguments of `webcodex server`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Loopback address and port; default from the settings, or the port of last time.
    #[arg(long)]
    addr: Option<SocketAddr>,
    /// Print one JSON line when ready.
    #[arg(long)]
    json: bool,
}

/// Serves until a signal; Runners link by themselves.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut settings = Settings::load(&Environment::of_process())?;
    if let Some(addr) = arguments.addr {
        settings.addr = addr;
    }
    logging::start(&settings);
    household::runtime()?.block_on(serve(settings, arguments.json))
}

async fn serve(settings: Settings, json: bool) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let serving = Serving::start(&settings).await?;
    let credential = serving.keep_credentials(&settings).await?;
    let mcp_url = serving.mcp_url();
    if json {
        household::print_line(&json!({"mcp_url": mcp_url, "server_pid": std::process::id()}))?;
    }
    anstream::eprintln!("WebCodex Server ready at {mcp_url}");
    anstream::eprintln!("  credential for clients: {}", credential.display());
    anstream::eprintln!("  next: start `webcodex runner` on this machine");
    ended.cancelled().await;
    serving.end().await;
    Ok(())
}

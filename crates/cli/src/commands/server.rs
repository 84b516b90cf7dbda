//! `webcodex server`

use std::net::SocketAddr;

use serde_json::json;
use webcodex_settings::{Environment, Settings};

use crate::failure::Failure;
use crate::household::{self, Serving};
use crate::tunnel::{self, Tunnel};
use crate::{logging, shutdown, supervised};

/// Arguments of `webcodex server`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Loopback address and port; default from the settings, or the port of last time.
    #[arg(long, global = true)]
    addr: Option<SocketAddr>,
    /// Print one JSON line when ready.
    #[arg(long, global = true)]
    json: bool,
    /// Take orders on standard input; for the desktop app.
    #[arg(long, hide = true, conflicts_with_all = ["addr", "json"])]
    supervised: bool,
    #[command(subcommand)]
    way: Option<Way>,
}

#[derive(Debug, clap::Subcommand)]
enum Way {
    /// Serve ChatGPT, too, over the OpenAI Secure MCP Tunnel.
    Tunnel(tunnel::Options),
}

/// Serves until a signal; Runners link by themselves.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.supervised {
        return supervised::server();
    }
    let mut settings = Settings::load(&Environment::of_process())?;
    if let Some(addr) = arguments.addr {
        settings.addr = addr;
    }
    logging::start(&settings);
    let access = arguments.way.map(|Way::Tunnel(options)| options.access(&settings.tunnel)).transpose()?;
    household::runtime()?.block_on(serve(settings, access, arguments.json))
}

async fn serve(settings: Settings, access: Option<tunnel::Access>, json: bool) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let serving = Serving::start(&settings).await?;
    let credential = serving.keep_credentials(&settings).await?;
    let mcp_url = serving.mcp_url();
    let tunnel = match access {
        None => None,
        Some(access) => {
            Some(Tunnel::start(access, &serving, &serving.tunnel_credential().await?, &settings).await?)
        }
    };
    if json {
        let mut line = json!({"mcp_url": mcp_url, "server_pid": std::process::id()});
        if let Some(tunnel) = &tunnel {
            line["tunnel"] = tunnel.to_json();
        }
        household::print_line(&line)?;
    }
    anstream::eprintln!("WebCodex Server ready at {mcp_url}");
    anstream::eprintln!("  credential for clients: {}", credential.display());
    anstream::eprintln!("  next: start `webcodex runner` on this machine");
    ended.cancelled().await;
    serving.end().await;
    Ok(())
}

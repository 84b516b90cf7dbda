//! The Server: loopback HTTP with MCP and a plain API over one table of tools, and the place where Runners dial in.
//!
//! It never opens a project file; only a Runner does. A request passes the guard (Host, Origin), authentication, the
//! method check, its body's checks and the request's waiting policy, and is then dispatched once.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use webcodex_server::{Server, ServerConfig};
//! use webcodex_store::{CredentialKind, NewCredential};
//!
//! let server = Server::bind(ServerConfig::temporary()).await?;
//! let issued = server.credentials().issue(NewCredential::new(CredentialKind::Client, "laptop")).await?;
//! println!("http://{}/mcp with {} characters of secret", server.local_addr(), issued.secret.len());
//! let stop = tokio_util::sync::CancellationToken::new();
//! stop.cancel();
//! server.serve(stop).await;
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod api;
mod app;
mod auth;
mod body;
#[cfg(feature = "conformance")]
#[expect(deprecated, reason = "logging, sampling and subscriptions are part of the older revisions")]
mod conformance;
mod control;
mod dispatch;
mod guard;
mod health;
mod host_files;
mod mcp;
mod openapi;
mod policy;
mod runner_link;
mod serve;
mod tools;
mod tunnel_door;
mod tunnels;
mod via;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use axum::Router;
use parking_lot::RwLock;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::control::ServerSettings;
use webcodex_link::Runners;
use webcodex_settings::Secret;
use webcodex_store::{Credentials, Store, StoreError};

use crate::app::App;
use crate::host_files::HostFiles;
pub use mcp::fill_mcp_headers;
pub use tunnel_door::TunnelDoor;

/// What a Server needs to know at its start.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Where to listen; loopback only, port 0 for any free one.
    pub addr: SocketAddr,
    /// The database file; `None` for one that ends with the process.
    pub database: Option<PathBuf>,
    /// What may change while it runs: waits, public address, what is recorded.
    pub settings: ServerSettings,
    /// The secret by which the desktop app knows this Server; its credential is put in force under it.
    pub control: Option<Secret>,
    /// Whether MCP results repeat the canonical JSON in their text.
    pub text_json_compat: bool,
    /// Whether modern requests that came through a tunnel get the `Mcp-*` headers they lack from their body.
    pub fill_tunnel_headers: bool,
    /// Whether file addresses that a host puts into calls are believed, from a person's own callers on this computer.
    pub trust_host_files: bool,
    /// The version told to clients and Runners.
    pub version: String,
}

impl ServerConfig {
    /// Any free port, nothing kept.
    pub fn temporary() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database: None,
            settings: ServerSettings::default(),
            control: None,
            text_json_compat: false,
            fill_tunnel_headers: true,
            trust_host_files: false,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Why a Server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Something other than loopback was asked for.
    #[error("{0} is not a loopback address; use 127.0.0.1 or [::1] and put a proxy or tunnel in front")]
    NotLoopback(SocketAddr),
    /// The port is taken or not allowed.
    #[error("cannot listen on {addr}: {source}; end what uses the port, or choose another")]
    Listen {
        /// Where.
        addr: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The public address is no address.
    #[error("`{0}` is not an https address; write it as https://code.example.org")]
    PublicAddress(String),
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A Server that is about to listen.
pub struct Server;

impl Server {
    /// Opens the database and the port. Connections wait until [`BoundServer::serve`] is called.
    ///
    /// # Errors
    /// The address is not loopback, the port is taken, or the database cannot be opened.
    pub async fn bind(config: ServerConfig) -> Result<BoundServer, ServerError> {
        let ServerConfig {
            addr,
            database,
            settings,
            control,
            text_json_compat,
            fill_tunnel_headers,
            trust_host_files,
            version,
        } = config;
        let public_url = control::public_url(&settings.public_address).map_err(ServerError::PublicAddress)?;
        if !addr.ip().is_loopback() {
            return Err(ServerError::NotLoopback(addr));
        }
        let unlistenable = |source| ServerError::Listen { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(unlistenable)?;
        let local_addr = listener.local_addr().map_err(unlistenable)?;
        let store = match database {
            Some(path) => Store::open(&path)?,
            None => Store::in_memory()?,
        };
        let app = Arc::new(App {
            store,
            runners: Runners::new(),
            settings: RwLock::new(settings),
            control: control::Control::new(control, local_addr.to_string()),
            text_json_compat,
            fill_tunnel_headers,
            host_files: HostFiles { wanted: trust_host_files, address: local_addr.ip() },
            tunnels: OnceLock::new(),
            version,
            guard: guard::Guard::new(public_url.as_ref()),
            call_ids: dispatch::CallIds::new(),
            links_end: CancellationToken::new(),
        });
        Ok(BoundServer { listener, local_addr, router: app::router(app.clone()), app })
    }
}

/// A Server that listens.
pub struct BoundServer {
    listener: TcpListener,
    local_addr: SocketAddr,
    router: Router,
    app: Arc<App>,
}

impl BoundServer {
    /// Where it listens, with the real port.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// The Runners; one in the same process is served over a duplex stream by [`Runners::serve`].
    pub fn runners(&self) -> Runners {
        self.app.runners.clone()
    }

    /// Issues and revokes credentials.
    pub fn credentials(&self) -> Credentials<'_> {
        self.app.store.credentials()
    }

    /// The database, for those who outlive this value. It is closed when serving ends.
    pub fn store(&self) -> Store {
        self.app.store.clone()
    }

    /// Cancelled once the desktop app has asked the Server to end.
    pub fn asked_to_end(&self) -> CancellationToken {
        self.app.control.shutdown.clone()
    }

    /// The way in for tunnels of this process.
    pub fn tunnel_door(&self) -> TunnelDoor {
        TunnelDoor { router: self.router.clone(), app: self.app.clone() }
    }

    /// Serves until `stop` is cancelled; calls in flight then have 5 s to end.
    pub async fn serve(self, stop: CancellationToken) {
        serve::serve(self.listener, self.router, self.app, stop).await;
    }
}

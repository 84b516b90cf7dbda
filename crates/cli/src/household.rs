//! Server and Runner as the commands start them: alone, or both in this process over an in-memory link.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::control::ServerSettings;
use webcodex_contracts::{ClientId, ProjectId, Scope};
use webcodex_link::{LinkPolicy, Runners};
use webcodex_projects::{FolderRules, Project, Registry};
use webcodex_runner::{Runner, RunnerConfig};
use webcodex_server::{BoundServer, Server, ServerConfig, TunnelDoor};
use webcodex_settings::{Secret, Settings, TunnelSettings, read_private, write_private};
use webcodex_store::{CredentialKind, NewCredential, Store};

use crate::commands::project::refused;
use crate::failure::Failure;
use crate::instance::{InstanceLock, ServerFile};
use crate::tunnel::{self, Tunnel};
use crate::{memory, search_path};

/// Name of the file with the credential for MCP clients.
pub(crate) const CLIENT_CREDENTIAL: &str = "client";
/// Name of the file with the Runner's credential.
pub(crate) const RUNNER_CREDENTIAL: &str = "runner";
/// Name of the file with the credential by which other commands of the same user ask how the Server stands.
pub(crate) const STATUS_CREDENTIAL: &str = "status";
/// What the credential of a tunnel is called.
const TUNNEL_CREDENTIAL: &str = "openai-tunnel";
/// This program's version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Threads for work that blocks; more would only cost memory.
const BLOCKING_THREADS: usize = 32;
/// Bytes the in-memory link holds before its writer waits.
const DUPLEX_BYTES: usize = 256 * 1024;

/// The runtime of a process: one thread, since calls only pass through it and what blocks has threads of its own.
/// Measured quicker than two workers for one client and for many.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
        .map_err(|error| Failure::new("the program could not start its threads").why(error))
}

/// A folder named on the command line (default the current one) as an absolute path.
pub(crate) fn absolute(folder: Option<&Path>) -> Result<String, Failure> {
    let folder = folder.unwrap_or(Path::new("."));
    let failed = |why: String| {
        Failure::new(format!("`{}` cannot be used as a folder", folder.display()))
            .why(why)
            .next("name another folder")
    };
    let absolute = std::path::absolute(folder).map_err(|error| failed(error.to_string()))?;
    absolute.into_os_string().into_string().map_err(|_| failed("its name is not valid Unicode".to_owned()))
}

/// The list of projects of this installation's Runner.
pub(crate) fn registry(settings: &Settings) -> Result<Registry, Failure> {
    let file = settings.folders.runner().join(Runner::PROJECTS_FILE);
    Ok(Registry::open(file, client_id(settings)?, folder_rules(settings)))
}

fn folder_rules(settings: &Settings) -> FolderRules {
    let data = &settings.folders.data;
    FolderRules {
        home: settings.folders.home.clone(),
        own: vec![data.clone()],
        own_allowed: vec![settings.folders.runner().join(Runner::WORKTREES)],
        allowed_roots: settings.allowed_roots.clone(),
    }
}

/// The Runner's id, made once.
pub(crate) fn client_id(settings: &Settings) -> Result<ClientId, Failure> {
    let path = settings.folders.client_id_file();
    let failed = |why: String| {
        Failure::new(format!("the Runner's id `{}` cannot be used", path.display()))
            .why(why)
            .next("check that the data folder is yours, or set WEBCODEX_DATA_DIR")
    };
    let known = read_private(&path).map_err(|error| failed(error.to_string()))?;
    let text = match known {
        Some(text) => text,
        None => {
            let text = format!("r{:08x}", rand::random::<u32>());
            write_private(&path, &text).map_err(|error| failed(error.to_string()))?;
            text
        }
    };
    ClientId::parse(&text).map_err(|error| failed(error.to_string()))
}

/// Opens the Runner's data.
pub(crate) fn open_runner(settings: &Settings) -> Result<Arc<Runner>, Failure> {
    let config = RunnerConfig {
        data_dir: settings.folders.runner(),
        client: client_id(settings)?,
        version: VERSION.to_owned(),
        rules: folder_rules(settings),
        path_source: search_path::path_source(),
        region: webcodex_settings::region(),
    };
    Runner::open(config).map_err(|error| {
        Failure::new("the Runner's data cannot be opened")
            .why(error)
            .next("check that the data folder is yours and has room")
    })
}

/// The credential kept in the owner-only file `name`, made if there is none.
pub(crate) fn kept_credential(settings: &Settings, name: &str) -> Result<Secret, Failure> {
    let path = settings.folders.credential_file(name);
    let failed = |error: std::io::Error| {
        Failure::new(format!("the credential `{}` cannot be used", path.display()))
            .why(error)
            .next("correct it, or remove the file to get a new one")
    };
    if let Some(secret) = read_private(&path).map_err(failed)? {
        return Ok(Secret::new(secret));
    }
    let secret = Secret::random(&format!("wc_{name}_"));
    write_private(&path, secret.expose()).map_err(failed)?;
    Ok(secret)
}

/// A running Server.
pub(crate) struct Serving {
    address: SocketAddr,
    tunnel_door: TunnelDoor,
    runners: Runners,
    store: Store,
    settings: Settings,
    ended: CancellationToken,
    asked_to_end: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    _lock: InstanceLock,
}

impl Serving {
    /// Starts the Server: on the configured address, else on the port of last time, else on a free one.
    pub(crate) async fn start(settings: &Settings) -> Result<Self, Failure> {
        let lock = InstanceLock::take(&settings.folders.server_lock(), "Server")?;
        let server = bind(settings).await?;
        let serving = Self::of(server, lock, settings)?;
        serving.adopt_status_credential().await?;
        Ok(serving)
    }

    /// Serves what `server` has bound.
    pub(crate) fn of(server: BoundServer, lock: InstanceLock, settings: &Settings) -> Result<Self, Failure> {
        let (address, runners, store) = (server.local_addr(), server.runners(), server.store());
        let (tunnel_door, asked_to_end) = (server.tunnel_door(), server.asked_to_end());
        ServerFile { address, pid: std::process::id() }.write(&settings.folders)?;
        let ended = CancellationToken::new();
        let task = tokio::spawn(server.serve(ended.clone()));
        let counted = runners.clone();
        tokio::spawn(memory::trim_when_quiet(move || counted.calls_sent(), ended.clone()));
        Ok(Self {
            address,
            tunnel_door,
            runners,
            store,
            settings: settings.clone(),
            ended,
            asked_to_end,
            task,
            _lock: lock,
        })
    }

    /// Puts the credential by which other commands ask how the Server stands in force.
    pub(crate) async fn adopt_status_credential(&self) -> Result<(), Failure> {
        let status = NewCredential::new(CredentialKind::Client, STATUS_CREDENTIAL).for_this_process();
        let status = NewCredential { scopes: vec![Scope::RuntimeRead], ..status };
        self.adopt(&kept_credential(&self.settings, STATUS_CREDENTIAL)?, status).await
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a damaged database was put aside when this Server started.
    pub(crate) fn set_aside(&self) -> Option<String> {
        self.store.set_aside().map(|path| path.display().to_string())
    }

    /// Waits until the desktop app asks the Server to end.
    pub(crate) async fn asked_to_end(&self) {
        self.asked_to_end.cancelled().await;
    }

    /// Where MCP clients connect.
    pub(crate) fn mcp_url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Puts the kept credentials for clients and for the Runner in force; returns the file of the clients' one.
    pub(crate) async fn keep_credentials(&self, settings: &Settings) -> Result<PathBuf, Failure> {
        let client_id = client_id(settings)?;
        let kinds = [
            (CLIENT_CREDENTIAL, CredentialKind::Client, CLIENT_CREDENTIAL.to_owned()),
            (RUNNER_CREDENTIAL, CredentialKind::Runner, client_id.to_string()),
        ];
        for (file, kind, name) in kinds {
            let secret = kept_credential(settings, file)?;
            self.adopt(&secret, NewCredential::new(kind, name)).await?;
        }
        if let Some(token) = &settings.token {
            let environment = NewCredential::new(CredentialKind::Bootstrap, "environment").for_this_process();
            self.adopt(token, environment).await?;
        }
        Ok(settings.folders.credential_file(CLIENT_CREDENTIAL))
    }

    async fn adopt(&self, secret: &Secret, new: NewCredential) -> Result<(), Failure> {
        adopt(&self.store, secret, new).await
    }

    /// A credential that sees `project` only and ends with this process.
    pub(crate) async fn project_credential(&self, project: &Project) -> Result<Secret, Failure> {
        let new = NewCredential::new(CredentialKind::Project, project.name.clone())
            .for_projects(vec![project.id.clone()])
            .for_this_process();
        self.issue(new).await
    }

    /// Keeps connections to OpenAI from now on. Their commands come in with `credential`.
    pub(crate) fn open_tunnels(&self, credential: &Secret, settings: &TunnelSettings) -> Result<(), Failure> {
        let target = self.tunnel_door.target(credential);
        let target =
            target.map_err(|error| Failure::new("the Server cannot be opened to the tunnel").why(error))?;
        self.tunnel_door.open(tunnel::surroundings(target, settings)?);
        Ok(())
    }

    /// The way in for tunnels.
    pub(crate) fn tunnel_door(&self) -> &TunnelDoor {
        &self.tunnel_door
    }

    /// A credential for a tunnel, in memory only.
    pub(crate) async fn tunnel_credential(&self) -> Result<Secret, Failure> {
        let new = NewCredential::new(CredentialKind::Client, TUNNEL_CREDENTIAL).for_this_process();
        self.issue(new).await
    }

    async fn issue(&self, new: NewCredential) -> Result<Secret, Failure> {
        let issued = self.store.credentials().issue(new).await;
        let issued = issued.map_err(|error| Failure::new("no credential could be issued").why(error))?;
        Ok(Secret::new(issued.secret))
    }

    /// Switches tunnels off, stops accepting, finishes what is in flight and closes the database.
    pub(crate) async fn end(self) {
        self.ended.cancel();
        // A panic in the serving task has nothing left to be told to anybody.
        let _ = self.task.await;
        let _ = std::fs::remove_file(self.settings.folders.server_file());
    }
}

/// Puts a given credential in force.
pub(crate) async fn adopt(store: &Store, secret: &Secret, new: NewCredential) -> Result<(), Failure> {
    let adopted = store.credentials().adopt(secret.expose(), new).await;
    adopted.map(drop).map_err(|error| Failure::new("a credential could not be put in force").why(error))
}

async fn bind(settings: &Settings) -> Result<BoundServer, Failure> {
    let remembered = settings.folders.port_file();
    let last = std::fs::read_to_string(&remembered).ok().and_then(|text| text.trim().parse().ok());
    let again =
        last.filter(|_| settings.addr.port() == 0).map(|port| SocketAddr::new(settings.addr.ip(), port));
    if let Some(addr) = again
        && let Ok(server) = Server::bind(config(settings, addr)?).await
    {
        return Ok(server);
    }
    let server = Server::bind(config(settings, settings.addr)?).await.map_err(|error| {
        Failure::new("the Server could not start").why(error).next(
            "end the program that uses the port or choose another with WEBCODEX_ADDR; check the data folder",
        )
    })?;
    // Only a convenience: clients then find the same address again.
    let _ = write_private(&remembered, &server.local_addr().port().to_string());
    Ok(server)
}

/// What the settings say to a Server that listens at `addr`.
pub(crate) fn config(settings: &Settings, addr: SocketAddr) -> Result<ServerConfig, Failure> {
    Ok(ServerConfig {
        addr,
        database: Some(settings.folders.database()),
        settings: server_settings(settings),
        control: None,
        text_json_compat: settings.text_json_compat,
        fill_tunnel_headers: settings.tunnel.fill_headers,
        trust_host_files: settings.trust_host_files.unwrap_or(false),
        version: VERSION.to_owned(),
    })
}

/// The part of the settings that a running Server can take over again.
fn server_settings(settings: &Settings) -> ServerSettings {
    ServerSettings {
        wait_seconds: settings.budget_secs,
        wait_profile: settings.host_profile.into(),
        public_address: settings.public_url.clone().unwrap_or_default(),
        ..ServerSettings::default()
    }
}

/// Server and Runner in this process, linked by the same frames that otherwise cross a socket.
pub(crate) struct Household {
    /// The Server.
    pub(crate) serving: Serving,
    runner: Arc<Runner>,
    _lock: InstanceLock,
}

impl Household {
    /// Starts both and waits until they are linked.
    pub(crate) async fn start(settings: &Settings) -> Result<Self, Failure> {
        let lock = InstanceLock::take(&settings.folders.runner_lock(), "Runner")?;
        let runner = open_runner(settings)?;
        let serving = Serving::start(settings).await?;
        let (near, far) = tokio::io::duplex(DUPLEX_BYTES);
        let runners = serving.runners.clone();
        let policy = LinkPolicy { client: Some(runner.hello().client_id), version: VERSION.to_owned() };
        tokio::spawn(async move { runners.serve(near, policy).await });
        let (linked, is_linked) = tokio::sync::oneshot::channel();
        let handler = Arc::clone(&runner);
        let welcomed = move |_: &_| linked.send(()).unwrap_or_default();
        tokio::spawn(async move { webcodex_link::serve(far, handler.hello(), handler, welcomed).await });
        is_linked.await.map_err(|_| Failure::new("Server and Runner could not be linked"))?;
        Ok(Self { serving, runner, _lock: lock })
    }

    /// Registers a folder; one that is registered already stays.
    pub(crate) fn register(&self, folder: &str) -> Result<Arc<Project>, Failure> {
        let registered = self.runner.projects().register(folder, None, None);
        Ok(registered.map_err(|error| refused(&error))?.project)
    }

    /// Ends the commands that still run, then the Server. Detached commands go on.
    pub(crate) async fn end(self) {
        self.runner.shutdown().await;
        self.serving.end().await;
    }

    /// As [`Household::end`], and ends detached commands too.
    pub(crate) async fn end_everything(self) {
        self.runner.end_everything().await;
        self.serving.end().await;
    }
}

/// What a serving command says when it is ready.
pub(crate) struct Announcement<'a> {
    /// The Server.
    pub(crate) serving: &'a Serving,
    /// Opens the tools.
    pub(crate) credential: &'a Secret,
    /// The project that was named.
    pub(crate) project: Option<&'a ProjectId>,
    /// The tunnel that is switched on.
    pub(crate) tunnel: Option<&'a Tunnel>,
}

impl Announcement<'_> {
    /// One JSON line on standard output, or a few lines for people on standard error.
    pub(crate) fn print(&self, json: bool) -> Result<(), Failure> {
        let mcp_url = self.serving.mcp_url();
        let pid = std::process::id();
        if json {
            let mut line = json!({
                "mcp_url": mcp_url,
                "credential": self.credential.expose(),
                "project": self.project,
                "server_pid": pid,
                "runner_pid": pid,
            });
            if let Some(tunnel) = self.tunnel {
                line["tunnel"] = tunnel.to_json();
            }
            return print_line(&line);
        }
        anstream::eprintln!("WebCodex ready");
        anstream::eprintln!("  MCP URL     {mcp_url}");
        anstream::eprintln!("  Credential  {}", self.credential.expose());
        if let Some(project) = self.project {
            anstream::eprintln!("  Project     {project}");
        }
        anstream::eprintln!("  Give both to your MCP client (Bearer token). Ctrl-C ends it.");
        if self.tunnel.is_some_and(Tunnel::is_usable) {
            anstream::eprintln!(
                "  In ChatGPT choose Connection: Tunnel and No authentication; the credential stays here."
            );
        }
        Ok(())
    }
}

/// Prints one line of JSON and makes sure that it leaves at once.
pub(crate) fn print_line(value: &serde_json::Value) -> Result<(), Failure> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{value}")
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::new("the result could not be printed").why(error))
}

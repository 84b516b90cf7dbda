//! A data folder, a supervisor on it, and what can be seen from outside.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use webcodex_settings::{Folders, TunnelSettings};
use webcodex_supervisor::status::{PartState, StateName, System};
use webcodex_supervisor::{Message, Status, Supervisor, SupervisorConfig};
use webcodex_testkit::ToolClient;

/// How long a condition may take on a busy machine before the test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A data folder of one test. Its credential is kept in a file: a test must not touch the keychain of whoever runs it.
pub(crate) struct Home {
    data: PathBuf,
    _folder: Option<TempDir>,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = webcodex_testkit::left::folder().unwrap();
        std::fs::write(folder.path().join("settings.toml"), "[desktop]\nsecrets = \"owner_file\"\n").unwrap();
        Self { data: folder.path().to_owned(), _folder: Some(folder) }
    }

    /// The data folder of somebody else, who keeps it.
    pub(crate) fn at(data: PathBuf) -> Self {
        Self { data, _folder: None }
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    pub(crate) fn folders(&self) -> Folders {
        Folders { data: self.data().to_owned(), home: None }
    }

    pub(crate) fn config(&self) -> SupervisorConfig {
        SupervisorConfig {
            program: program(),
            folders: self.folders(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: System::HERE,
            tunnel: TunnelSettings::default(),
        }
    }

    pub(crate) fn start(&self) -> Supervisor {
        Supervisor::start(self.config()).unwrap()
    }

    /// What ran last in the roles of Server and Runner.
    pub(crate) fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.folders().desktop_parts_file()).unwrap_or_default();
        let parts: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap_or_default();
        parts.iter().map(|part| part["pid"].as_u64().unwrap() as u32).collect()
    }
}

/// The executable under test.
pub(crate) fn program() -> PathBuf {
    webcodex_testkit::webcodex().unwrap()
}

/// Waits until the status is as `wanted` says, following the stream as the window does.
pub(crate) async fn reach(
    supervisor: &Supervisor,
    what: &str,
    wanted: impl Fn(&Status) -> bool,
) -> Arc<Status> {
    let mut messages = supervisor.subscribe();
    let reached = async {
        loop {
            let status = supervisor.status();
            if wanted(&status) {
                return status;
            }
            match messages.next().await {
                Some(Message::Lost) | None => panic!("the supervisor ended before this came true: {what}"),
                Some(_) => {}
            }
        }
    };
    match tokio::time::timeout(PATIENCE, reached).await {
        Ok(status) => status,
        Err(_) => panic!("this did not come true: {what}; the last status was {:#?}", supervisor.status()),
    }
}

/// Whether both parts serve.
pub(crate) fn serves(status: &Status) -> bool {
    let running = |state| state == PartState::Running;
    running(status.server.state) && running(status.runner.state) && status.state != StateName::Starting
}

/// A client with the credential that the app shows.
pub(crate) async fn client(supervisor: &Supervisor) -> ToolClient {
    let address = local_address(supervisor);
    ToolClient::connect(address, &supervisor.reveal_credential().await.unwrap()).await.unwrap()
}

/// Where clients reach the Server.
pub(crate) fn local_address(supervisor: &Supervisor) -> SocketAddr {
    let local = supervisor.status().address.local.clone();
    local.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().parse().unwrap()
}

//! The supervisor as its owner sees it: started, told what only the owner sees, ended.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use webcodex_contracts::control::{Failure, Hop};
use webcodex_settings::desktop::SecretsIn;
use webcodex_settings::{Folders, Secret, TunnelSettings};

use crate::board::{Board, Messages};
use crate::connection::Connection;
use crate::failure;
use crate::keeper::{Keeper, Order};
use crate::preferences::Preferences;
use crate::status::{
    Part, PartState, Reason, Remark, SecretsKind, Settings, StateName, Status, System, Update,
};
use crate::tunnels::Tunnels;
use crate::vault::{Keychain, OwnerFile, Vault};

/// What a supervisor needs to know.
#[derive(Debug, Clone)]
pub struct SupervisorConfig {
    /// The `webcodex` executable.
    pub program: PathBuf,
    /// Where everything is kept.
    pub folders: Folders,
    /// The app's version.
    pub version: String,
    /// The system it runs on.
    pub system: System,
    /// What the environment of the app says about a connection to OpenAI.
    pub tunnel: TunnelSettings,
}

/// Why a supervisor could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system gave no thread.
    #[error("the supervisor could not start its thread: {0}; end other programs and try again")]
    Thread(#[from] std::io::Error),
}

/// What only the shell around the supervisor sees. A member that is not set stays as it is.
#[derive(Debug, Clone, Default)]
pub struct ShellFacts {
    /// Whether the desktop has no tray.
    pub no_tray: Option<bool>,
    /// How the app stands to newer versions of itself.
    pub update: Option<Update>,
    /// Whether the system really starts the app at login.
    pub start_at_login: Option<bool>,
}

/// Starts Server and Runner and keeps them running until it is ended or dropped.
pub struct Supervisor {
    pub(crate) shared: Arc<Shared>,
}

/// What the keeper and the commands have in common.
pub(crate) struct Shared {
    pub(crate) config: SupervisorConfig,
    pub(crate) board: Arc<Board>,
    /// How to speak to the Server; nothing while it does not serve.
    pub(crate) server: watch::Sender<Option<Connection>>,
    pub(crate) preferences: Mutex<Preferences>,
    /// The clients' credential, once it is known.
    pub(crate) credential: Mutex<Option<Secret>>,
    /// The secrets of connections as they were last read or kept: a keychain may be gone when they are needed again.
    pub(crate) keys: Mutex<HashMap<String, Secret>>,
    /// What was found when the address of this computer was looked at last.
    pub(crate) checked: Mutex<Option<Hop>>,
    /// How the connections to OpenAI are to be.
    pub(crate) tunnels: Tunnels,
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    pub(crate) runtime: Handle,
}

impl Supervisor {
    /// Starts; returns at once with a status that says so.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(config: SupervisorConfig) -> Result<Self, StartError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (preferences, damaged) = Preferences::open(&config.folders);
        let board = Arc::new(Board::new(first_status(&config, &preferences, damaged)));
        let (orders, incoming) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            board: board.clone(),
            server: watch::Sender::new(None),
            preferences: Mutex::new(preferences),
            credential: Mutex::new(None),
            keys: Mutex::default(),
            tunnels: Tunnels::default(),
            checked: Mutex::default(),
            orders,
            runtime: runtime.handle().clone(),
            config,
        });
        let keeper = Keeper::new(shared.clone(), incoming);
        // The children ask the system to be told when the thread that started them ends, so it must be one that lasts.
        std::thread::Builder::new().name("supervisor".to_owned()).spawn(move || {
            runtime.block_on(keeper.run());
            board.close();
            // A keychain that hangs must not keep the app from ending.
            runtime.shutdown_background();
        })?;
        Ok(Self { shared })
    }

    /// The status of now.
    pub fn status(&self) -> Arc<Status> {
        self.shared.board.status()
    }

    /// The status and everything that changes in it from now on.
    pub fn subscribe(&self) -> Messages {
        self.shared.board.subscribe()
    }

    /// Takes over what only the shell sees.
    pub fn set_shell(&self, facts: ShellFacts) {
        self.shared.board.change(|status| {
            if let Some(no_tray) = facts.no_tray {
                status.remarks.retain(|remark| *remark != Remark::NoTray);
                if no_tray {
                    status.remarks.push(Remark::NoTray);
                }
            }
            if let Some(update) = facts.update {
                status.update = update;
            }
            if let Some(start_at_login) = facts.start_at_login {
                status.settings.start_at_login = start_at_login;
            }
        });
    }

    /// Ends Server and Runner in order, and returns once they are gone.
    pub async fn shut_down(&self) {
        let (done, ended) = oneshot::channel();
        self.shared.order(Order::ShutDown { done });
        // It fails if the keeper has ended before, which is as good.
        let _ = ended.await;
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.order(Order::ShutDown { done: oneshot::channel().0 });
    }
}

impl Shared {
    /// Gives an order; `false` once the keeper has ended.
    pub(crate) fn order(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    /// Gives an order that is answered.
    pub(crate) async fn ask(&self, order: impl FnOnce(oneshot::Sender<()>) -> Order) -> Result<(), Failure> {
        let (done, ended) = oneshot::channel();
        self.order(order(done));
        ended.await.map_err(|_| failure::ended())
    }

    /// How to speak to the Server now.
    pub(crate) fn connection(&self) -> Result<Connection, Failure> {
        self.server.borrow().clone().ok_or_else(failure::not_serving)
    }

    /// Where secrets are kept, as the person chose.
    pub(crate) fn vault(&self) -> Arc<dyn Vault> {
        self.vault_in(self.preferences.lock().secrets_in())
    }

    pub(crate) fn vault_in(&self, place: SecretsIn) -> Arc<dyn Vault> {
        let folders = &self.config.folders;
        match place {
            SecretsIn::Keychain => Arc::new(Keychain::new(&folders.data)),
            SecretsIn::OwnerFile => Arc::new(OwnerFile::new(folders.clone())),
        }
    }

    /// Where the credential is kept, or would be.
    pub(crate) fn secrets_kind(&self) -> SecretsKind {
        secrets_kind(&self.preferences.lock())
    }
}

fn secrets_kind(preferences: &Preferences) -> SecretsKind {
    match preferences.secrets_in() {
        SecretsIn::Keychain => SecretsKind::KEYCHAIN,
        SecretsIn::OwnerFile => SecretsKind::OwnerFile,
    }
}

fn first_status(config: &SupervisorConfig, preferences: &Preferences, damaged: Option<Remark>) -> Status {
    let paused = preferences.file.desktop.paused.unwrap_or(false);
    let part = Part::new(if paused { PartState::Stopped } else { PartState::Starting });
    Status {
        observed_at: crate::clock::now(),
        state: if paused { StateName::Off } else { StateName::Starting },
        reason: if paused { Reason::Paused } else { Reason::Starting },
        action: None,
        server: part,
        runner: part,
        first_run: !preferences.file.desktop.first_run_done.unwrap_or(false),
        system: config.system,
        version: config.version.clone(),
        projects: Vec::new(),
        calls: Arc::default(),
        calls_today: 0,
        earlier_calls: false,
        sessions: Vec::new(),
        jobs: Vec::new(),
        approvals: Vec::new(),
        clients: crate::clients::absent(&[]),
        connections: Vec::new(),
        importable: None,
        address: webcodex_contracts::control::Address::default(),
        settings: Settings::of_file(&preferences.file, secrets_kind(preferences)),
        update: Update::Unknown,
        remarks: damaged.into_iter().collect(),
    }
}

//! The whole truth of one moment, as the tray, the window and the command line read it.

mod settings;

use std::sync::Arc;

use serde::{Serialize, Serializer};
use webcodex_contracts::control::{Address, Approval, Call, Client, Job, Project, Session, TunnelConnection};

pub use settings::{Notify, SecretsKind, Settings, SettingsChange};

/// The system the app runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// Linux and its relatives.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl System {
    /// The one this program was built for.
    pub const HERE: System = if cfg!(windows) {
        System::Windows
    } else if cfg!(target_os = "macos") {
        System::Macos
    } else {
        System::Linux
    };
}

/// What the tray's image shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateName {
    /// Nothing serves, because the person wants it so.
    Off,
    /// Not yet.
    Starting,
    /// Clients can call.
    Ready,
    /// A call or a job is at work.
    Working,
    /// Something does not work.
    Problem,
}

/// One background program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// How it stands.
    pub state: PartState,
    /// When the next try begins; only with `Backoff`.
    pub retry_at: Option<u64>,
}

impl Part {
    /// A part that stands so, with no try ahead.
    pub const fn new(state: PartState) -> Self {
        Self { state, retry_at: None }
    }
}

/// How a background program stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartState {
    /// It is not meant to run.
    Stopped,
    /// It was started and does not serve yet.
    Starting,
    /// It serves.
    Running,
    /// It ended; another try follows.
    Backoff,
    /// It ended again and again.
    Failed,
}

/// Why the state is what it is; decides the sentence of Home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Reason {
    /// All is well.
    Ready,
    /// No folder is registered.
    NoProject,
    /// No client has called yet.
    NoClient,
    /// The person paused serving.
    Paused,
    /// The parts are being started.
    Starting,
    /// A call or a job is at work.
    Working {
        /// Whose.
        client: String,
        /// Where.
        project: String,
        /// The command, where it is one.
        command: Option<String>,
    },
    /// Edits or commands wait for the person.
    ApprovalWaits {
        /// How many.
        count: u64,
    },
    /// The Server ended and is started again.
    ServerRestarting {
        /// When.
        retry_at: u64,
    },
    /// The Server cannot be started.
    ServerFailed {
        /// What it said last.
        detail: String,
    },
    /// The Runner ended and is started again.
    RunnerRestarting {
        /// When.
        retry_at: u64,
    },
    /// The Runner cannot be started.
    RunnerFailed {
        /// What it said last.
        detail: String,
    },
    /// Another program has the usual port.
    PortTaken {
        /// The usual port.
        port: u16,
        /// The port in use instead.
        new_port: u16,
    },
    /// Nothing can be written.
    DiskFull {
        /// A folder on the full disk.
        folder: String,
    },
    /// The credential can be kept nowhere.
    SecretsUnavailable,
    /// A client's way is broken.
    ConnectionBroken {
        /// Whose.
        client: String,
    },
}

/// The one thing that would help now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Register a folder.
    AddFolder,
    /// Set up a client.
    ConnectClient,
    /// Serve again.
    Resume,
    /// Start Server and Runner again.
    Restart,
    /// Look at the logs.
    ShowLogs,
    /// Answer what waits.
    OpenApprovals,
    /// See what is at work.
    OpenActivity,
    /// See what is broken.
    OpenConnections,
    /// Keep the credential in an owner-only file.
    KeepSecretsInFile,
}

/// Something that works, but differently than a person would expect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Remark {
    /// The settings file was damaged; the last good settings are in use.
    SettingsRestored {
        /// The damaged file.
        kept_as: String,
    },
    /// The Server's database was damaged; a new one was begun.
    HistoryRestored {
        /// The damaged file.
        kept_as: String,
    },
    /// The file with the connections to OpenAI was damaged; the last good one is in use.
    ConnectionsRestored {
        /// The damaged file.
        kept_as: String,
    },
    /// The desktop has no tray.
    NoTray,
    /// The credential is in an owner-only file.
    SecretsInFile {
        /// The file.
        path: String,
    },
    /// Another program took the usual address.
    AddressChanged {
        /// The usual address.
        from: String,
        /// The one in use.
        to: String,
    },
}

/// How the app stands to newer versions of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Update {
    /// Nobody looked yet.
    Unknown,
    /// Being looked for.
    Checking,
    /// There is none.
    Newest {
        /// When that was seen.
        checked_at: u64,
    },
    /// There is one.
    Available {
        /// Its version.
        version: String,
        /// Its size, where it is told.
        bytes: Option<u64>,
    },
    /// It is being installed.
    Installing {
        /// Its version.
        version: String,
    },
    /// It could not be looked for or installed.
    Failed {
        /// When.
        checked_at: u64,
    },
}

macro_rules! status {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+) => {
        /// The whole truth of one moment.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Status {
            /// When this was last seen to be so.
            pub observed_at: u64,
            $($(#[doc = $doc])+ pub $field: $type,)+
            /// Newest first, at most [`webcodex_contracts::control::ServerState::CALLS_HELD`].
            #[serde(serialize_with = "shared")]
            pub calls: Arc<Vec<Call>>,
        }

        /// The members of a [`Status`] that have a new value. Calls come separately.
        #[derive(Debug, Clone, PartialEq, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct StatusChange {
            /// See [`Status::observed_at`].
            #[serde(skip_serializing_if = "Option::is_none")]
            pub observed_at: Option<u64>,
            $(
                #[doc = concat!("See [`Status::", stringify!($field), "`].")]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )+
        }

        impl StatusChange {
            /// What has to change in `old` to make it `new`, calls aside; nothing where no more than the moment differs.
            pub fn between(old: &Status, new: &Status) -> Option<Self> {
                let change = Self {
                    observed_at: None,
                    $($field: (old.$field != new.$field).then(|| new.$field.clone()),)+
                };
                let differs = change != Self::default();
                differs.then_some(Self { observed_at: Some(new.observed_at), ..change })
            }
        }
    };
}

status! {
    /// What the tray's image shows.
    state: StateName,
    /// Why it is so.
    reason: Reason,
    /// The one thing that would help now; nothing when all is well.
    action: ActionOrNone,
    /// The Server.
    server: Part,
    /// The Runner.
    runner: Part,
    /// True until the person has been through, or has skipped, the first steps.
    first_run: bool,
    /// The system the app runs on.
    system: System,
    /// The app's version.
    version: String,
    /// The registered folders.
    projects: Vec<Project>,
    /// Calls since midnight.
    calls_today: u64,
    /// Whether the record holds calls before the last of `calls`.
    earlier_calls: bool,
    /// Sessions, newest first.
    sessions: Vec<Session>,
    /// Jobs, newest first.
    jobs: Vec<Job>,
    /// What waits for the person, oldest first.
    approvals: Vec<Approval>,
    /// Programs that call, and those that could.
    clients: Vec<Client>,
    /// Connections to OpenAI, in a fixed order.
    connections: Vec<TunnelConnection>,
    /// A connection that the environment of the app names and that can be added.
    importable: ImportableOrNone,
    /// Where clients reach the Server.
    address: Address,
    /// The settings in force.
    settings: Settings,
    /// How the app stands to newer versions of itself.
    update: Update,
    /// Things that work, but differently than a person would expect.
    remarks: Vec<Remark>,
}

/// A connection that can be added without entering anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Importable {
    /// Its Tunnel ID.
    pub tunnel: String,
}

/// An [`Importable`], or nothing to offer.
pub type ImportableOrNone = Option<Importable>;

/// An [`Action`], or nothing to do.
pub type ActionOrNone = Option<Action>;

fn shared<S: Serializer>(calls: &Arc<Vec<Call>>, serializer: S) -> Result<S::Ok, S::Error> {
    calls.serialize(serializer)
}

//! Programs that call, and the way between them and us.

use serde::{Deserialize, Serialize};

use super::Outcome;

/// A program that has called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// Stable for one program on one way.
    pub id: String,
    /// Which program it is.
    pub kind: ClientKind,
    /// What it calls itself.
    pub name: String,
    /// The way it comes.
    pub via: Via,
    /// How it stands.
    pub state: ClientState,
    /// Its last call.
    pub last_call: Option<LastCall>,
    /// The parts of the way, as far as they are known.
    pub hops: Vec<Hop>,
    /// When it last fetched the list of tools, if that list is older than ours.
    pub old_tools_from: Option<u64>,
    /// What happened lately, newest first.
    pub events: Vec<ClientEvent>,
}

/// Which program a client is, told by the name it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ClientKind {
    /// ChatGPT.
    #[serde(rename = "chatgpt")]
    ChatGpt,
    /// Claude's desktop app.
    #[serde(rename = "claude_desktop")]
    ClaudeDesktop,
    /// Claude Code.
    #[serde(rename = "claude_code")]
    ClaudeCode,
    /// Something else.
    #[serde(rename = "other")]
    Other,
}

/// The way a client comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// From this computer.
    Local,
    /// Through the public address.
    Public,
    /// Through a tunnel.
    Tunnel,
}

/// How a client stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientState {
    /// It called a short while ago.
    Online,
    /// Its way is being checked.
    Checking,
    /// It is set up and has not called yet.
    Waiting,
    /// It cannot go on without a person.
    NeedsYou,
    /// It has not called for a while; nothing is known to be wrong.
    Quiet,
    /// Its way is closed.
    Off,
    /// Nothing is known.
    Unknown,
}

/// The last call of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCall {
    /// When.
    pub at: u64,
    /// The tool's name.
    pub tool: String,
    /// How it stands.
    pub outcome: Outcome,
    /// How long it took.
    pub took_ms: Option<u64>,
}

/// A part of the way between a client and us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hop {
    /// Which part.
    pub name: HopName,
    /// How it stands.
    pub state: HopState,
    /// What was found.
    pub finding: HopFinding,
}

/// The parts of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HopName {
    /// The desktop app.
    App,
    /// The Server.
    Server,
    /// The Runner.
    Runner,
    /// The address that the client uses.
    Address,
    /// The proxy in between.
    Proxy,
    /// The client's credential.
    Credential,
    /// The client's last call.
    LastCall,
    /// The list of tools that the client holds.
    Tools,
}

/// How a part stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HopState {
    /// Fine.
    Ok,
    /// Broken.
    Broken,
    /// Not known.
    Unknown,
    /// Works, but differently than expected.
    Notice,
}

/// What was found at one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum HopFinding {
    /// It runs.
    Running {
        /// Its version.
        version: String,
    },
    /// It answers.
    Answers {
        /// How fast.
        ms: u64,
    },
    /// It does not answer.
    NoAnswer {
        /// How long was waited.
        after_ms: u64,
    },
    /// The Runner is linked.
    Linked {
        /// Projects it serves.
        projects: u64,
    },
    /// The Runner is not linked.
    NotLinked,
    /// It listens.
    Listening {
        /// Where.
        address: String,
    },
    /// The address can be reached.
    Reachable {
        /// Which.
        address: String,
        /// How fast.
        ms: u64,
    },
    /// The address cannot be reached.
    Unreachable {
        /// Which.
        address: String,
        /// What was found.
        detail: String,
    },
    /// It is not set.
    NotSet,
    /// The credential was accepted.
    Accepted {
        /// When.
        at: u64,
    },
    /// The credential was rejected.
    Rejected {
        /// When.
        at: u64,
    },
    /// There was a call.
    LastCall {
        /// When.
        at: u64,
        /// How long it took.
        took_ms: Option<u64>,
    },
    /// There was no call yet.
    NoCall,
    /// The list of tools is older than ours.
    ToolsOld {
        /// When it was fetched.
        from: u64,
    },
    /// Nobody looked yet.
    NotChecked,
}

/// Something that happened to a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientEvent {
    /// When.
    pub at: u64,
    /// What.
    pub kind: ClientEventKind,
    /// The tool's name.
    pub tool: Option<String>,
    /// How long it took.
    pub ms: Option<u64>,
}

/// What happened to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientEventKind {
    /// A call was done.
    CallFinished,
    /// A call failed.
    CallFailed,
    /// Its credential was rejected.
    Rejected,
    /// Its way was closed.
    Offline,
    /// Its way was opened.
    Online,
}

/// Where clients reach the Server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// For programs on this computer.
    pub local: String,
    /// The public https address that the person has set up; ChatGPT needs one.
    pub public: Option<String>,
}

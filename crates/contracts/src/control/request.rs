//! What the app asks of the Server, and the short answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Call;
use crate::Permission;
use crate::policy::{HostProfile, WaitingPolicy};

/// `POST /control/proof`: prove that you hold the control secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProofRequest {
    /// 16 to 64 random bytes, in hex.
    pub nonce: String,
}

/// The proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProofAnswer {
    /// HMAC-SHA256 under the control secret over [`ProofAnswer::CONTEXT`] and the nonce's bytes, in hex.
    pub mac: String,
    /// The Server's version.
    pub version: String,
    /// The Server's process.
    pub pid: u32,
}

impl ProofAnswer {
    /// What stands before the nonce, so that a proof serves for nothing else.
    pub const CONTEXT: &'static [u8] = b"webcodex-control-proof";
}

/// `GET /control/calls?before=ID`: calls before that one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EarlierCalls {
    /// Newest first.
    pub calls: Vec<Call>,
    /// Whether there are calls before these.
    pub more: bool,
}

/// `POST /control/projects`: make this folder a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProject {
    /// The folder's absolute path.
    pub path: String,
}

/// `PATCH /control/projects/{id}`: what models may do in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProjectChange {
    /// The new permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<Permission>,
    /// Whether edits and commands wait for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask_first: Option<bool>,
}

/// `PUT /control/credential`: clients use this secret from now on, and no earlier one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCredential {
    /// The secret.
    pub secret: String,
}

impl fmt::Debug for NewCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewCredential(…)")
    }
}

/// What of each call is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordLevel {
    /// Nothing beyond the running process.
    Off,
    /// Tool, project, client, times and outcome.
    #[default]
    Times,
    /// Also what it was about: paths, search patterns, commands without secrets.
    Subjects,
}

/// How a host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitProfile {
    /// The model calls tools one by one.
    #[default]
    Direct,
    /// The host runs code that calls tools and wants short slices.
    CodeMode,
}

impl From<WaitProfile> for HostProfile {
    fn from(profile: WaitProfile) -> Self {
        match profile {
            WaitProfile::Direct => HostProfile::Direct,
            WaitProfile::CodeMode => HostProfile::HostCodeMode,
        }
    }
}

impl From<HostProfile> for WaitProfile {
    fn from(profile: HostProfile) -> Self {
        match profile {
            HostProfile::Direct => WaitProfile::Direct,
            HostProfile::HostCodeMode => WaitProfile::CodeMode,
        }
    }
}

/// What newly registered folders begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProjects {
    /// What models may do in them.
    pub permission: Permission,
    /// Whether edits and commands wait for a person.
    pub ask_first: bool,
}

/// How the app reaches other computers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProxyMode {
    /// As the system says.
    #[default]
    Automatic,
    /// Through no proxy.
    Direct,
    /// Through a given proxy.
    Custom,
}

/// The way to other computers: for updates, and for connections that have no way of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proxy {
    /// The way.
    pub mode: ProxyMode,
    /// The proxy of mode `custom`, without a login: this value is kept and shown in the clear.
    pub url: String,
}

macro_rules! server_settings {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+) => {
        /// The settings that a running Server and its Runner take over at once.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct ServerSettings {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        /// `PATCH /control/settings`: the settings that have a new value.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct SettingsChange {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }

        impl ServerSettings {
            /// Takes over the new values.
            pub fn apply(&mut self, change: SettingsChange) {
                $(if let Some(value) = change.$field { self.$field = value; })+
            }
        }
    };
}

server_settings! {
    /// How long a host waits for an answer, in seconds, where its request does not say.
    wait_seconds: u64,
    /// How a host waits, where its request does not say.
    wait_profile: WaitProfile,
    /// The https address under which the Server is offered; empty for none.
    public_address: String,
    /// What of each call is kept.
    record: RecordLevel,
    /// Where models may register projects by themselves; empty: nowhere. `null`: wherever a person may.
    allowed_roots: Option<Vec<String>>,
    /// How long a question waits for a person, in seconds.
    approval_seconds: u64,
    /// What folders begin with.
    new_projects: NewProjects,
    /// The way to other computers.
    proxy: Proxy,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            wait_seconds: WaitingPolicy::default().budget_secs,
            wait_profile: WaitProfile::default(),
            public_address: String::new(),
            record: RecordLevel::default(),
            allowed_roots: None,
            approval_seconds: WaitingPolicy::default().max_wait_secs,
            new_projects: NewProjects::default(),
            proxy: Proxy::default(),
        }
    }
}

impl ServerSettings {
    /// The waits of a request that says nothing itself.
    pub fn policy(&self) -> WaitingPolicy {
        WaitingPolicy::new(self.wait_profile.into(), self.wait_seconds)
    }
}

//! Connections through the OpenAI Secure MCP Tunnel, as the app shows, edits and saves them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One connection: what is saved of it, and what it is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TunnelConnection {
    /// Names it; opaque.
    pub id: String,
    /// Grows with every change; a change names the one it was made on.
    pub revision: u64,
    /// What the person calls it.
    pub name: String,
    /// Its Tunnel ID.
    pub tunnel: String,
    /// The last four characters of its key.
    pub key_ends_with: String,
    /// The organization that owns the tunnel.
    pub organization: Option<String>,
    /// How OpenAI is reached.
    pub route: TunnelRoute,
    /// A file with certificates trusted in addition.
    pub ca_file: Option<String>,
    /// Whether it is switched on when the app starts.
    pub autostart: bool,
    /// What it is doing.
    pub state: TunnelState,
    /// The way from this app to ChatGPT, in the order of travel.
    pub hops: Vec<TunnelHop>,
    /// The route that is used now, without credentials.
    pub route_in_use: Option<String>,
    /// The name the tunnel has at OpenAI.
    pub tunnel_name: Option<String>,
    /// When OpenAI last answered a poll.
    pub last_success: Option<u64>,
    /// The last thing ChatGPT asked for.
    pub last_call: Option<TunnelCall>,
    /// When ChatGPT last fetched the list of tools.
    pub last_tool_list: Option<u64>,
    /// Whether that list is older than ours.
    pub old_tools: bool,
    /// Calls that run or wait.
    pub running: u64,
    /// Codes of things to know that break nothing.
    pub notices: Vec<String>,
    /// How far this computer's clock is ahead, in seconds, where it matters.
    pub clock_ahead_seconds: Option<i64>,
    /// OpenAI's id of its last answer, for support.
    pub last_request_id: Option<String>,
    /// Newest first.
    pub events: Vec<TunnelEvent>,
}

/// How OpenAI is reached.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
pub enum TunnelRoute {
    /// All known routes are tried; the winner is kept.
    #[default]
    Auto,
    /// No proxy.
    Direct,
    /// This proxy.
    Custom {
        /// Its URL; shown without its password, which stays as it is where none is entered.
        proxy: String,
    },
}

/// What a connection is doing. Reasons are codes of the tunnel's closed list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TunnelState {
    /// Switched off.
    Off,
    /// Switched on; nothing was tried yet.
    Starting,
    /// The first attempt is under way.
    Checking,
    /// A poll succeeded lately.
    Online,
    /// A poll succeeded lately, but something is wrong now.
    Degraded {
        /// What.
        reason: String,
    },
    /// Not online; tried again by itself.
    Waiting {
        /// Why.
        reason: String,
        /// When.
        next_try: u64,
    },
    /// Not online, and only the person can help.
    NeedsYou {
        /// Why.
        reason: String,
    },
    /// Switched off, with calls still being finished.
    Stopping,
}

impl TunnelState {
    /// The code of the state and of its reason.
    pub fn code(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Off => ("off", None),
            Self::Starting => ("starting", None),
            Self::Checking => ("checking", None),
            Self::Online => ("online", None),
            Self::Degraded { reason } => ("degraded", Some(reason)),
            Self::Waiting { reason, .. } => ("waiting", Some(reason)),
            Self::NeedsYou { reason } => ("needs_you", Some(reason)),
            Self::Stopping => ("stopping", None),
        }
    }
}

/// One part of the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TunnelHop {
    /// Which part; a code of the tunnel's closed list, or `runner` or `tools`.
    pub hop: String,
    /// What is known of it.
    pub state: TunnelHopState,
    /// What is wrong or to be known.
    pub reason: Option<String>,
}

/// What is known of a hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TunnelHopState {
    /// Not observed lately.
    Unknown,
    /// It worked when it was last used.
    Works,
    /// Nothing is broken, but there is something to do or to know.
    Attention,
    /// It is broken.
    Broken,
}

impl TunnelHopState {
    /// The code of the state.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Works => "works",
            Self::Attention => "attention",
            Self::Broken => "broken",
        }
    }
}

/// One thing that ChatGPT asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TunnelCall {
    /// When it ended.
    pub at: u64,
    /// The MCP method.
    pub method: String,
    /// How it ended: `answered`, `failed`, `expired` or `not_delivered`.
    pub outcome: String,
    /// The version of MCP the caller speaks.
    pub protocol: Option<String>,
}

/// Something that happened to a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TunnelEvent {
    /// When.
    pub at: u64,
    /// What.
    pub kind: TunnelEventKind,
    /// Why it went offline.
    pub reason: Option<String>,
    /// The MCP method of a call.
    pub method: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TunnelEventKind {
    /// It came online.
    Online,
    /// It was online and is no longer.
    Offline,
    /// A call was answered. That ChatGPT has the answer is not known.
    CallFinished,
    /// A call was not answered, or not as it should.
    CallFailed,
    /// It was switched on.
    SwitchedOn,
    /// It was switched off.
    SwitchedOff,
    /// It was changed.
    Edited,
}

/// A connection as a person entered it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectionDraft {
    /// What the person calls it.
    pub name: String,
    /// The Tunnel ID as pasted.
    pub tunnel: String,
    /// The API key as pasted; empty keeps the saved one.
    pub key: String,
    /// The organization; empty for none.
    pub organization: String,
    /// How OpenAI is reached.
    pub route: TunnelRoute,
    /// A file with certificates trusted in addition; empty for none.
    pub ca_file: String,
    /// Whether it is switched on when the app starts.
    pub autostart: bool,
}

impl fmt::Debug for ConnectionDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the key nor a proxy's password is printed.
        f.debug_struct("ConnectionDraft")
            .field("name", &self.name)
            .field("tunnel", &self.tunnel)
            .finish_non_exhaustive()
    }
}

/// `PUT /control/connections/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectionEdit {
    /// The revision that the person saw.
    pub revision: u64,
    /// What is to be.
    pub draft: ConnectionDraft,
}

/// `POST /control/connections/{id}/switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectionSwitch {
    /// What is to be.
    pub on: bool,
}

/// A connection as its keeper saves it and hands it back at the next start. It travels over the app's own pipe and
/// control route only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedConnection {
    /// Names it.
    pub id: String,
    /// What is no secret; nobody but the Server looks into it.
    pub settings: Value,
    /// What belongs into the keychain.
    pub secrets: ConnectionSecrets,
}

/// `PUT /control/connections`: the saved connections, after a start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SavedConnections {
    /// All of them. One that the Server has already stays as it is there.
    pub connections: Vec<SavedConnection>,
    /// Those that are to be on; the others stay off.
    pub on: Vec<String>,
}

/// The secrets of a connection.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionSecrets {
    /// The runtime API key.
    pub key: String,
    /// The password of its proxy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_password: Option<String>,
}

impl fmt::Debug for ConnectionSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConnectionSecrets(…)")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_window_s_words_are_read_and_written() {
        let route: TunnelRoute =
            serde_json::from_value(json!({"mode": "custom", "proxy": "http://h:1"})).unwrap();
        assert_eq!(route, TunnelRoute::Custom { proxy: "http://h:1".to_owned() });
        let state = TunnelState::Waiting { reason: "dns_failed".to_owned(), next_try: 7 };
        assert_eq!(
            serde_json::to_value(&state).unwrap(),
            json!({"name": "waiting", "reason": "dns_failed", "nextTry": 7})
        );
        for state in [
            TunnelState::Off,
            TunnelState::Starting,
            TunnelState::Checking,
            TunnelState::Online,
            TunnelState::Degraded { reason: String::new() },
            state,
            TunnelState::NeedsYou { reason: String::new() },
            TunnelState::Stopping,
        ] {
            assert_eq!(serde_json::to_value(&state).unwrap()["name"], state.code().0);
        }
    }

    #[test]
    fn no_secret_is_printed() {
        let draft = ConnectionDraft { key: "sk-hush".to_owned(), ..ConnectionDraft::default() };
        let secrets =
            ConnectionSecrets { key: "sk-hush".to_owned(), proxy_password: Some("sk-hush".to_owned()) };
        assert!(!format!("{draft:?}{secrets:?}").contains("hush"));
    }
}

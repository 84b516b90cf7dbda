//! The status of a connection as everyone sees it.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::{Hop, Reason};

/// A moment on the wall clock: milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Moment(pub u64);

impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum State {
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
        /// What is wrong.
        reason: Reason,
    },
    /// Not online; it is tried again by itself.
    Waiting {
        /// Why.
        reason: Reason,
        /// When; a moment in the past means that the try is under way.
        next_try: Moment,
    },
    /// Not online, and only the user can help.
    NeedsYou {
        /// Why.
        reason: Reason,
    },
    /// Switched off, with calls still being finished.
    Stopping,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallOutcome {
    /// The answer was delivered.
    Answered,
    /// The answer was delivered, and says that the Server gave no usable one.
    Failed,
    /// The caller's time was over before the answer was ready; nothing was delivered.
    Expired,
    /// The answer could not be delivered.
    NotDelivered,
}

/// One command from ChatGPT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Call {
    /// When it ended.
    pub at: Moment,
    /// The method, for example `tools/call`.
    pub method: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// The version of MCP the caller speaks, where it said so.
    pub protocol: Option<String>,
}

/// What was counted since the connection was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Polls that succeeded.
    pub polls: u64,
    /// Polls that failed.
    pub failed_polls: u64,
    /// Commands that were run or rejected.
    pub commands: u64,
    /// Commands whose answer was delivered.
    pub answered: u64,
    /// Commands whose caller had gone before the answer was ready or accepted.
    pub expired: u64,
    /// Answers that could not be delivered.
    pub undelivered: u64,
    /// Commands that were handed out again and ignored.
    pub duplicates: u64,
    /// Commands that were unusable.
    pub unusable: u64,
    /// Answers that were too big and replaced by an error.
    pub too_big: u64,
    /// Headers of commands that were dropped.
    pub dropped_headers: u64,
}

/// The whole status of a connection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// What it is doing.
    pub state: State,
    /// The way, hop by hop.
    pub hops: Vec<Hop>,
    /// The route in use, in words without credentials.
    pub route: Option<String>,
    /// The name the tunnel has on the OpenAI Platform.
    pub tunnel_name: Option<String>,
    /// When a poll last succeeded.
    pub last_success: Option<Moment>,
    /// The last command.
    pub last_call: Option<Call>,
    /// When ChatGPT last asked what the Server can do.
    pub last_discover: Option<Moment>,
    /// When ChatGPT last fetched the list of tools; it keeps a copy until it is refreshed by hand.
    pub last_tool_list: Option<Moment>,
    /// How many commands are running or queued.
    pub running: usize,
    /// How long a poll waits, in milliseconds.
    pub poll_wait_ms: u64,
    /// Things to know that break nothing.
    pub notices: Vec<Reason>,
    /// How far this computer's clock is ahead of OpenAI's, in seconds, where that is more than five minutes.
    pub clock_ahead_s: Option<i64>,
    /// The id of the control plane's last answer, for support.
    pub last_request_id: Option<String>,
    /// What was counted.
    pub counters: Counters,
}

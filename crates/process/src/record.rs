//! What is known of an execution besides its output.

use serde::{Deserialize, Serialize};
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::{JobId, ProjectId, SessionId};

use crate::output::Totals;

/// An execution as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) id: JobId,
    pub(crate) project: ProjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<SessionId>,
    pub(crate) command: String,
    /// Executions are numbered in the order of their start.
    pub(crate) sequence: u64,
    pub(crate) started_at_ms: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) detached: bool,
    /// Names the process for good, together with its number; only for detached ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stamp: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ending: Option<Ending>,
    /// Bytes written, as far as they were known when this was noted.
    pub(crate) written: Totals,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<i32>,
    pub(crate) duration_ms: u64,
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

//! Records of calls: who called what, when and how it ended. Never secrets, never whole arguments or results; what a
//! call was about only where the person wants it kept.

mod read;
mod write;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use webcodex_contracts::control::{AllowedBy, Failure, LineCount, Step, Subject, Via};
use webcodex_contracts::{CallId, ErrorCode, JobId, ProjectId, SessionId};

use crate::{PrincipalId, Store, WindowHash};
pub use read::{CallPage, ClientSeen, KnownSession};
pub(crate) use write::{Begun, interrupt, retain, write};

/// Old records are removed after so many new ones.
pub(crate) const RETAIN_EVERY: u64 = 1000;

/// Through which door a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// MCP up to 2025-11-25.
    McpLegacy,
    /// MCP from 2026-07-28.
    McpModern,
    /// `/api/tools/call`.
    Api,
}

impl Door {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Door::McpLegacy => "mcp_legacy",
            Door::McpModern => "mcp_modern",
            Door::Api => "api",
        }
    }

    fn parse(text: &str) -> Self {
        let all = [Door::McpLegacy, Door::McpModern];
        all.into_iter().find(|door| door.as_str() == text).unwrap_or(Door::Api)
    }
}

/// How a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// It is in flight.
    Running,
    /// The result said success.
    Succeeded,
    /// The result said failure, with this code.
    Failed(ErrorCode),
    /// The caller went away before the answer was there; what the Runner did goes on.
    Abandoned,
    /// The Server ended while it was in flight.
    Interrupted,
}

impl CallOutcome {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            CallOutcome::Running => "running",
            CallOutcome::Succeeded => "succeeded",
            CallOutcome::Failed(_) => "failed",
            CallOutcome::Abandoned => "abandoned",
            CallOutcome::Interrupted => "interrupted",
        }
    }

    /// The error code of a failure.
    pub fn code(self) -> Option<&'static str> {
        match self {
            CallOutcome::Failed(code) => Some(code.as_str()),
            _ => None,
        }
    }

    fn parse(outcome: &str, code: Option<&str>) -> Self {
        match outcome {
            "running" => CallOutcome::Running,
            "succeeded" => CallOutcome::Succeeded,
            "abandoned" => CallOutcome::Abandoned,
            "interrupted" => CallOutcome::Interrupted,
            _ => {
                let known = ErrorCode::ALL.iter().find(|(known, _)| Some(known.as_str()) == code);
                CallOutcome::Failed(known.map_or(ErrorCode::Internal, |(code, _)| *code))
            }
        }
    }
}

/// What is kept of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRecord {
    /// Its id.
    pub id: CallId,
    /// When it began, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool, from the closed list; `unknown` for a name no tool has.
    pub tool: &'static str,
    /// Whether it came through `call_runtime_tool`.
    pub gateway: bool,
    /// The project, where the arguments name one.
    pub project: Option<ProjectId>,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// The caller.
    pub principal: PrincipalId,
    /// The host's window.
    pub window: Option<WindowHash>,
    /// What the client calls itself.
    pub client_name: Option<Arc<str>>,
    /// The way in.
    pub door: Door,
    /// From where it came.
    pub via: Via,
    /// How it stands.
    pub outcome: CallOutcome,
    /// From arrival to answer, in microseconds.
    pub duration_us: u64,
    /// Size of the request's body.
    pub request_bytes: Option<u64>,
    /// Size of the answer's body.
    pub response_bytes: Option<u64>,
    /// The job that it became.
    pub job: Option<JobId>,
    /// What else is known.
    pub details: CallDetails,
}

/// What is kept of a call beyond its times. Most of it is about the work and is kept only where the person wants it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CallDetails {
    /// What it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// The exit code of its command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// Lines that it added and removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineCount>,
    /// What it spent its time on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Whether its answer leaves something out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// When the answer was handed to the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handed_over_at: Option<u64>,
    /// The failure as the model was told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What allowed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_by: Option<AllowedBy>,
    /// The person's word to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
}

impl Store {
    /// Notes that a call is in flight, so that it is known even if the Server does not live to see its end.
    pub fn begin(&self, record: CallRecord) {
        self.worker().begin(record);
    }

    /// Queues a record; never blocks and never fails. It is on disk within a second.
    pub fn record(&self, record: CallRecord) {
        self.worker().record(record);
    }

    /// Nothing of this call is kept after all.
    pub fn forget_begun(&self, id: CallId) {
        self.worker().forget_begun(id);
    }

    /// Records dropped because the database could not follow.
    pub fn dropped_records(&self) -> u64 {
        self.worker().dropped()
    }
}

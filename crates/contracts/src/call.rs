//! What the Server tells a Runner about a call besides its arguments.

use serde::{Deserialize, Serialize};

use crate::policy::WaitingPolicy;
use crate::{CallId, ProjectId, SessionId};

/// Which projects a caller may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// Every project of the Runner, and registering new ones.
    All,
    /// These projects only.
    Projects(Vec<ProjectId>),
}

impl Grant {
    /// Whether `project` is visible.
    pub fn allows(&self, project: &ProjectId) -> bool {
        match self {
            Grant::All => true,
            Grant::Projects(projects) => projects.contains(project),
        }
    }

    /// Whether folders may be registered or removed.
    pub fn may_register(&self) -> bool {
        matches!(self, Grant::All)
    }
}

/// The caller's side of one call. Made by the Server, trusted by the Runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallContext {
    /// The call's own id; a Runner runs an id once.
    pub call_id: CallId,
    /// What the caller may see.
    pub grant: Grant,
    /// The session that the call belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// How long the caller may be kept waiting.
    pub policy: WaitingPolicy,
}

//! A session of work.

use serde::{Deserialize, Serialize};

use crate::{ProjectId, SessionId};

/// A session of one client on one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The session.
    pub id: SessionId,
    /// What the person asked for.
    pub title: String,
    /// The project.
    pub project_id: ProjectId,
    /// The project's name.
    pub project: String,
    /// What the client calls itself.
    pub client: String,
    /// How it stands.
    pub review: SessionReview,
    /// When it began.
    pub started_at: u64,
    /// When the client last used it. What the person does with its changes is no use of it.
    pub last_at: u64,
    /// Calls made in it.
    pub calls: u64,
    /// Files that are changed by it now: those that were rejected or undone are not.
    pub changed_files: u64,
    /// Those of them that the person has accepted.
    pub accepted_files: u64,
}

/// How a session and the review of its changes stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SessionReview {
    /// A call or a job of it is at work, or was a moment ago.
    Running,
    /// It is quiet, and there are changes that the person has neither accepted nor undone.
    WaitingForReview,
    /// Its model has closed it, or nothing of it waits for anybody.
    Finished {
        /// Whether the model has closed it, so that its Final Changes are sealed.
        sealed: bool,
        /// When it was sealed, or else last used.
        at: u64,
    },
}

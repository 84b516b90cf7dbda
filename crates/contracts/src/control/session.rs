//! A session of work.

use serde::{Deserialize, Serialize};

use crate::SessionId;

/// A session of one client on one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The session.
    pub id: SessionId,
    /// What the person asked for.
    pub title: String,
    /// The project's name.
    pub project: String,
    /// What the client calls itself.
    pub client: String,
    /// How it stands.
    pub state: SessionState,
    /// When it began.
    pub started_at: u64,
    /// When it was last used.
    pub last_at: u64,
    /// Calls made in it.
    pub calls: u64,
    /// Files changed in it.
    pub changed_files: u64,
}

/// How a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// A call or a job of it is at work.
    Running,
    /// It was used a short while ago.
    Idle,
    /// It has not been used for long.
    Finished,
}

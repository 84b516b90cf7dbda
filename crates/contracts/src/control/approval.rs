//! Edits and commands that wait for a person.

use serde::{Deserialize, Serialize};

use crate::{ApprovalId, CallId};

/// One question to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The question.
    pub id: ApprovalId,
    /// The call that waits.
    pub call: CallId,
    /// When it was asked.
    pub asked_at: u64,
    /// When the model is told that nobody answered.
    pub expires_at: u64,
    /// What the client calls itself.
    pub client: String,
    /// The project's name.
    pub project: String,
    /// The folder of the project, or the one that the command runs in.
    pub folder: String,
    /// What the model said its session is for; nothing where it has none, or said nothing.
    pub because: Option<String>,
    /// Whether the call belongs to a session, so that an answer can count for the rest of it.
    pub for_session: bool,
    /// What would be done.
    pub asks: ApprovalAsks,
    /// How it stands.
    pub state: ApprovalState,
}

/// What would be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ApprovalAsks {
    /// Run a command.
    Command {
        /// The whole command, as it would run.
        command: String,
    },
    /// Change files.
    Edit {
        /// The files with their changes.
        files: Vec<ChangedFile>,
    },
}

/// How a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// The call still waits.
    Waiting,
    /// Nobody answered; nothing was done.
    Expired,
}

/// A change of one file that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Path in the project.
    pub path: String,
    /// What would happen to it.
    pub change: FileChange,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Nothing where the change is too large or not text.
    pub lines: Option<Vec<DiffLine>>,
}

/// What would happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// Its content changes.
    Modified,
    /// It is new.
    Added,
    /// It goes.
    Deleted,
    /// It gets another path.
    Renamed,
}

/// One line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    /// New, old or unchanged.
    pub sign: Sign,
    /// Its number before, from 1.
    pub old: Option<u64>,
    /// Its number after, from 1.
    pub new: Option<u64>,
    /// The line without its end.
    pub text: String,
}

/// What a line of a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sign {
    /// It is new.
    #[serde(rename = "+")]
    Added,
    /// It goes.
    #[serde(rename = "-")]
    Removed,
    /// It stays.
    #[serde(rename = " ")]
    Same,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ApprovalAnswer {
    /// Do it.
    Allow {
        /// This time or for the session.
        scope: ApprovalScope,
    },
    /// Do not do it.
    Deny {
        /// A word to the model; may be empty.
        word: String,
    },
}

/// For how long something is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalScope {
    /// This call.
    Once,
    /// The rest of the session.
    Session,
}

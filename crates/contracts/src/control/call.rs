//! One call of a client, as far as it is recorded.

use serde::{Deserialize, Serialize};

use super::{ApprovalScope, Failure};
use crate::{CallId, Permission, SessionId};

/// A call in flight or done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// The call.
    pub id: CallId,
    /// When it arrived.
    pub at: u64,
    /// The tool's name.
    pub tool: String,
    /// What it is about.
    pub subject: Subject,
    /// The name of its project.
    pub project_name: Option<String>,
    /// What the client calls itself.
    pub client: String,
    /// How it stands.
    pub outcome: Outcome,
    /// How long it took; nothing while it runs or waits.
    pub took_ms: Option<u64>,
    /// Lines that it added and removed.
    pub lines: Option<LineCount>,
}

/// Lines added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineCount {
    /// Added.
    pub added: u64,
    /// Removed.
    pub removed: u64,
}

/// What a call was about. Kept only where the record keeps subjects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Subject {
    /// Files were read.
    Read {
        /// Their paths in the project.
        files: Vec<String>,
    },
    /// Texts were searched.
    Search {
        /// The pattern.
        query: String,
        /// Matches found.
        matches: Option<u64>,
    },
    /// Files were changed.
    Edit {
        /// Their paths in the project.
        files: Vec<String>,
    },
    /// A command was run.
    Command {
        /// The command in one line, without secrets.
        command: String,
    },
    /// A session was started or resumed.
    Session {
        /// Its title.
        title: String,
    },
    /// Changes were reviewed.
    Review {
        /// Changed files.
        files: u64,
    },
    /// Something else, or it is not recorded.
    Other,
}

/// How a call stands. `Finished` says that the call was done, not that the client received the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// In flight.
    Running,
    /// Waits for a person.
    Waiting,
    /// Done, without a failure.
    Finished,
    /// A command ended with this code.
    Exit {
        /// The exit code.
        code: i64,
    },
    /// Not done: not allowed here.
    Refused,
    /// Not done: a person said no.
    Denied,
    /// Not done: no person answered in time.
    NoAnswer,
    /// Failed.
    Failed,
    /// The Server ended, or the caller went away, while it was in flight.
    Interrupted,
}

/// What is known of one call beyond the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallDetail {
    /// The call.
    pub id: CallId,
    /// Its session.
    pub session: Option<SessionId>,
    /// Where it came in.
    pub door: CallDoor,
    /// What allowed it.
    pub allowed_by: Option<AllowedBy>,
    /// What it spent its time on, in order.
    pub steps: Vec<Step>,
    /// The whole time so far.
    pub total_ms: u64,
    /// The answer, once there is one.
    pub answer: Option<Answered>,
    /// The failure as the model was told it.
    pub failure: Option<Failure>,
    /// The person's word to the model.
    pub word: Option<String>,
}

/// Where a call came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallDoor {
    /// From this computer.
    Local,
    /// Through the public address.
    Public,
    /// Through a tunnel.
    Tunnel,
}

/// What allowed a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AllowedBy {
    /// The project's permission.
    Permission {
        /// Which one.
        permission: Permission,
    },
    /// A person.
    Person {
        /// For how long.
        scope: ApprovalScope,
    },
}

/// A part of a call's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What happened.
    pub kind: StepKind,
    /// When it began, from the call's arrival on.
    pub start_ms: u64,
    /// How long it took.
    pub length_ms: u64,
}

/// What a part of a call's time was spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Read and checked by the Server.
    Arrived,
    /// Waited for a Runner.
    WaitedRunner,
    /// Waited for a person.
    WaitedPerson,
    /// The work itself.
    Worked,
    /// The answer was made and handed to the network.
    Answered,
}

/// The answer that was handed to the network. Whether the client received it is not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// Its size.
    pub bytes: u64,
    /// Whether something was left out to keep it small.
    pub cut: bool,
    /// When.
    pub handed_over_at: u64,
}

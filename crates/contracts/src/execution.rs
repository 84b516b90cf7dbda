//! How an execution stands and how it ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Continuation, JobId};

/// Where an execution stands. Nothing is ever run again by itself, whatever the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionState {
    /// It never started; a new call is safe.
    NotStarted,
    /// It is running; observe the same job.
    Pending,
    /// It ended and the result is known.
    Finished,
    /// It started and its end is not known; look before repeating anything.
    Unknown,
}

/// How a finished execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Exit code 0.
    Passed,
    /// A non-zero exit code or a signal.
    Failed,
    /// Ended by its time limit.
    TimedOut,
    /// Ended by `stop_job`.
    Stopped,
    /// Ended with its Runner; nothing more is known.
    Lost,
}

/// One stream of output as text, cleaned of terminal control, with both ends kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StreamText {
    /// The text; where bytes were left out, a line in it says how many.
    pub text: String,
    /// Bytes the command wrote in all.
    pub total_bytes: u64,
    /// Bytes left out between the kept start and end.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
    /// The encoding the text was read as, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Some bytes fit no encoding and are shown as U+FFFD; the exact bytes stay available through the job.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lossy: bool,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// Result of an execution tool and of one observed job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// Where the execution stands.
    pub execution_state: ExecutionState,
    /// The execution's identity, the same for ever.
    pub job_id: JobId,
    /// How it ended; absent while it runs. Only `passed` proves success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The command's exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The signal that ended it (Unix).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Run time so far or in all, in milliseconds.
    pub duration_ms: u64,
    /// Standard output (for a job: what is new since the token).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<StreamText>,
    /// Standard error (for a job: what is new since the token).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<StreamText>,
    /// Marks what has been seen; pass it to get only what is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation_token: Option<String>,
    /// Things the caller should know: a process left running, a prompt nobody could answer, a lost record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The call that observes the same job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

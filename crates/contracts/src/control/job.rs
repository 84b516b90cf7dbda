//! Commands that outlive a call, and their output.

use serde::{Deserialize, Serialize};

use crate::{CallId, JobId};

/// Stands in an output where its middle was left out.
pub const GAP: char = '\0';

/// A command that runs or ran as a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The job.
    pub id: JobId,
    /// The call that started it; nothing where its record is gone.
    pub call: Option<CallId>,
    /// The project's name.
    pub project: String,
    /// What the client calls itself.
    pub client: String,
    /// The command in one line, without secrets.
    pub command: String,
    /// The folder it runs in.
    pub folder: String,
    /// When it started.
    pub started_at: u64,
    /// When it ended.
    pub ended_at: Option<u64>,
    /// How long it may run; 0 for no limit.
    pub limit_ms: u64,
    /// Output so far, both streams.
    pub output_bytes: u64,
    /// When it last wrote something.
    pub last_line_at: Option<u64>,
    /// How it stands.
    pub state: JobState,
    /// The command's exit code.
    pub exit_code: Option<i64>,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// At work.
    Running,
    /// Told to stop.
    Stopping,
    /// Ended with success.
    Finished,
    /// Ended with a failure.
    Failed,
    /// Was stopped.
    Stopped,
    /// Its time was over.
    TimedOut,
    /// How it ended is not known.
    Lost,
}

/// Output of a job. The first message starts over; later ones continue it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputMessage {
    /// Whether what was shown before is to be forgotten.
    pub starts_over: bool,
    /// The text; [`GAP`] marks the place where something was left out.
    pub text: String,
    /// Bytes between the kept start and the kept end.
    pub left_out_bytes: u64,
    /// Bytes written in all.
    pub total_bytes: u64,
}

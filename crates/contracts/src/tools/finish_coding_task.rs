//! Closes a task: evidence, what blocks, what is worth knowing, and the seal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::{Check, FinalChanges};
use crate::limits::MAX_OUTPUTS;
use crate::tools::batch::Batch;
use crate::{Effect, Exposure, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `finish_coding_task.md`.
pub struct FinishCodingTask;

impl Tool for FinishCodingTask {
    const NAME: ToolName = ToolName::FinishCodingTask;
    const TITLE: &'static str = "Finish a coding task";
    const ABOUT: &'static str = include_str!("finish_coding_task.md");
    const EFFECT: Effect = Effect::Record;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = FinishCodingTaskParams;
    type Output = FinishCodingTaskOutput;
}

/// Arguments of `finish_coding_task`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishCodingTaskParams {
    /// The project.
    pub project: ProjectId,
    /// Your session.
    pub session_id: SessionId,
    /// What you did, in a few sentences, for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Files or folders that the task had to produce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Batch<ProjectPath, MAX_OUTPUTS>>,
}

/// Output of `finish_coding_task`, also of one that was blocked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FinishCodingTaskOutput {
    /// Whether the task is closed.
    pub closed: bool,
    /// What keeps the task from being closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocking: Vec<FinishItem>,
    /// What the user should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advisory: Vec<FinishItem>,
    /// What was observed.
    pub evidence: Evidence,
    /// The seal; only of a closed task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_changes: Option<FinalChanges>,
}

/// One thing that blocks or that is worth knowing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FinishItem {
    /// What kind of thing.
    pub code: FinishCode,
    /// A sentence about it.
    pub message: String,
    /// The files it is about, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

/// Kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinishCode {
    /// Blocks: a command of the session still runs.
    JobRunning,
    /// Blocks: files are in conflict, or conflict markers are left in them.
    Conflict,
    /// Blocks: an output is missing.
    OutputMissing,
    /// Blocks: the person rejected changes and you have not been told yet.
    RejectionUntold,
    /// The last run of a command failed.
    CheckFailed,
    /// Files were changed after the last command, so nothing was checked in this state.
    NotChecked,
    /// An output exists and is empty.
    OutputEmpty,
    /// An output was there before and is unchanged.
    OutputUnchanged,
    /// A merge, rebase or the like is unfinished.
    OperationUnfinished,
    /// Files that were too large or unreadable are not in the seal.
    LeftOut,
    /// Others changed files while the session worked.
    OthersChanged,
    /// Nothing was changed.
    NothingChanged,
}

/// What was observed when the task was to be closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Changed files since the session began.
    pub file_count: u64,
    /// Lines added.
    pub added_lines: u64,
    /// Lines removed.
    pub removed_lines: u64,
    /// The first of the changed files, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The last run of each command of the session, at most 20, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The outputs that were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputFact>,
    /// The checked-out branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit at HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

/// What is known of an output. That it exists does not prove that it is right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutputFact {
    /// Path in the project.
    pub path: ProjectPath,
    /// What is there.
    pub kind: OutputKind,
    /// Size of a file in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// When it was last changed, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_ms: Option<u64>,
}

/// What is found where an output should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Something else.
    Other,
    /// Nothing.
    Missing,
}

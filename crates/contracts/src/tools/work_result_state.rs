//! The state of the work for the Work Result page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_workspace_changes::Position;
use super::review::{Check, FinalChanges, Rejection, ReviewBase, ReviewFile};
use super::work_on_project::Omission;
use crate::{
    Effect, ErrorCode, Exposure, MAX_SAFE_INTEGER, ProjectId, Scope, SessionId, Side, SnapshotId, Tool,
    ToolName, Whole,
};

/// See the text in `work_result_state.md`.
pub struct WorkResultState;

impl Tool for WorkResultState {
    const NAME: ToolName = ToolName::WorkResultState;
    const TITLE: &'static str = "State of the work";
    const ABOUT: &'static str = include_str!("work_result_state.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::App;
    type Params = WorkResultStateParams;
    type Output = WorkResultStateOutput;
}

/// Arguments of `work_result_state`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkResultStateParams {
    /// The project.
    pub project: ProjectId,
    /// The session; without it the project against its last commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// List more files of this snapshot instead of taking a new look; of a review or of Final Changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<SnapshotId>,
    /// First file of the list, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Whole<0, MAX_SAFE_INTEGER>>,
    /// The snapshot that the page shows. If nothing has changed since, its files are not listed again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_snapshot_id: Option<SnapshotId>,
}

/// Output of `work_result_state`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WorkResultStateOutput {
    /// When this was observed, in milliseconds since 1970.
    pub at_ms: u64,
    /// The project.
    pub project: WorkProject,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<WorkSession>,
    /// Where the work stands.
    pub phase: Phase,
    /// The changed files; absent where `review_unavailable` says why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Why changes cannot be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_unavailable: Option<String>,
    /// Commands of the session, newest first, at most 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The last seal of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_changes: Option<FinalChanges>,
    /// Calls of the session, newest first, at most 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activity: Vec<ActivityEntry>,
    /// Calls of the session in all.
    #[serde(default)]
    pub activity_count: u64,
    /// Other sessions on the same project, newest first, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collaboration: Vec<OtherSession>,
    /// For the folded section of ids.
    #[serde(default)]
    pub diagnostics: Diagnostics,
}

/// The project as the page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkProject {
    /// The project's id.
    pub project: ProjectId,
    /// The name people see.
    pub name: String,
    /// Whether the folder is a git repository.
    pub git: bool,
    /// Where the repository stands.
    #[serde(flatten)]
    pub at: Position,
}

/// The session as the page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkSession {
    /// The session's id.
    pub session_id: SessionId,
    /// What the user asked for.
    pub title: String,
    /// Whose it is and when.
    #[serde(flatten)]
    pub facts: SessionFacts,
}

/// Whose a session is, and when it was used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionFacts {
    /// What the client calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it last did something, in milliseconds since 1970.
    pub last_used_ms: u64,
}

/// Where the work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing was changed.
    #[default]
    Empty,
    /// A command runs.
    Running,
    /// There are changes.
    Open,
    /// The task is closed and nothing was changed since by the session.
    Sealed,
}

/// The changed files against the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Names this look at the files; diffs and texts are loaded from it.
    pub snapshot_id: SnapshotId,
    /// When the look was taken, in milliseconds since 1970.
    pub taken_ms: u64,
    /// When the snapshot will not be kept any more, unless the session goes on.
    pub expires_ms: u64,
    /// What the changes are counted from.
    pub base: ReviewBase,
    /// Changed files in all.
    pub file_count: u64,
    /// Lines added in all files; a part of them where `partial`.
    pub added_lines: u64,
    /// Lines removed in all files; a part of them where `partial`.
    pub removed_lines: u64,
    /// The files, by path, at most 500.
    pub files: Vec<ReviewFile>,
    /// Whether the files are the ones of `known_snapshot_id` and therefore not listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// Pass as `offset` together with this `snapshot_id` for the next files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// Whether something is missing; `notes` and `left_out` say what.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Files in conflict, or with conflict markers left in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicted: Vec<String>,
    /// Files that the snapshot does not hold, at most 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Omission>,
    /// What the person rejected, newest first, at most 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejections: Vec<Rejection>,
    /// Things the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One call of the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActivityEntry {
    /// When it arrived, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool.
    pub tool: String,
    /// Whether it succeeded; absent for one that nobody waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Another session on the same project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtherSession {
    /// What it is about; only of the caller's own sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whose it is and when.
    #[serde(flatten)]
    pub facts: SessionFacts,
}

/// Facts for the folded section.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostics {
    /// Whether the host names its window (which is kept only as a hash).
    #[serde(default)]
    pub window_known: bool,
    /// The attempt under way, from 1.
    #[serde(default)]
    pub attempt: u64,
    /// The version of the Server.
    #[serde(default)]
    pub server_version: String,
}

//! The changed lines of one listed file, 32 KiB a load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::{Loaded, ReviewHunk};
use crate::{
    Effect, Exposure, MAX_SAFE_INTEGER, ProjectId, Scope, SessionId, Side, SnapshotId, Tool, ToolName, Whole,
};

/// See the text in `changes_file_diff.md`.
pub struct ChangesFileDiff;

impl Tool for ChangesFileDiff {
    const NAME: ToolName = ToolName::ChangesFileDiff;
    const TITLE: &'static str = "Changed lines of a file";
    const ABOUT: &'static str = include_str!("changes_file_diff.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::App;
    type Params = ChangesFileParams;
    type Output = ChangesFileDiffOutput;
}

/// Arguments of `changes_file_diff` and `changes_file_text`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangesFileParams {
    /// The project.
    pub project: ProjectId,
    /// The session of the snapshot, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The snapshot that lists the file.
    pub snapshot_id: SnapshotId,
    /// The file's `path` in that list.
    pub path: String,
    /// `next_offset` of the load before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Whole<0, MAX_SAFE_INTEGER>>,
}

/// Output of `changes_file_diff`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangesFileDiffOutput {
    /// The snapshot.
    pub snapshot_id: SnapshotId,
    /// The file.
    pub path: String,
    /// The hunks of this load, in order.
    pub hunks: Vec<ReviewHunk>,
    /// How much is loaded; bytes of diff text.
    #[serde(flatten)]
    pub loaded: Loaded,
    /// What is special: `line ends differ too`, `line ends only`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why single hunks cannot be rejected here; the whole file may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks_fixed: Option<String>,
}

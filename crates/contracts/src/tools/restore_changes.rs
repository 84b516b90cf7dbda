//! Undoes the work of one session, file by file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit_project_files::FileAction;
use crate::tools::batch::Batch;
use crate::{Effect, Exposure, ProjectId, Scope, SessionId, Side, Tool, ToolName};

/// Files that one call may name.
pub const MAX_PATHS: usize = 500;

/// See the text in `restore_changes.md`.
pub struct RestoreChanges;

impl Tool for RestoreChanges {
    const NAME: ToolName = ToolName::RestoreChanges;
    const TITLE: &'static str = "Undo a session's work";
    const ABOUT: &'static str = include_str!("restore_changes.md");
    const EFFECT: Effect = Effect::Destructive;
    const SCOPE: Option<Scope> = Some(Scope::ProjectWrite);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = RestoreChangesParams;
    type Output = RestoreChangesOutput;
}

/// Arguments of `restore_changes`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreChangesParams {
    /// The project.
    pub project: ProjectId,
    /// The session whose work is undone.
    pub session_id: SessionId,
    /// Only these files, also those changed by commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Batch<String, MAX_PATHS>>,
    /// `true`: where others have changed other lines of a file, undo this session's lines and leave theirs. Without it
    /// such a file is left as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merge: bool,
    /// `true`: check and report, write nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// Output of `restore_changes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreChangesOutput {
    /// Whether files on disk were changed.
    pub changed: bool,
    /// The files that were put back, or would be; all of them or none.
    pub restored: Vec<RestoredFile>,
    /// Files that were left as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedFile>,
}

/// A file that was put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RestoredFile {
    /// Path in the project.
    pub path: String,
    /// What was done to it.
    pub action: FileAction,
    /// Whether others had changed other lines of it, which stay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merged: bool,
}

/// A file that was left as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedFile {
    /// Path in the project.
    pub path: String,
    /// Why.
    pub reason: RefusedBecause,
}

/// Why a file is not put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefusedBecause {
    /// It has changed after the session's last change of it.
    ChangedSince,
    /// Somebody else changed it between two changes of the session.
    ChangedBetween,
    /// It changed while a command ran; somebody else may have changed it. Name it in `paths` to undo it.
    ChangedByCommand,
    /// What it was before is not kept: too large, or expired.
    NotKept,
    /// It cannot be written exactly as it was: a filter program of git stands between.
    NeedsFilter,
    /// It is neither a file nor was one.
    NotAFile,
    /// The session did not change it.
    NotThisSession,
}

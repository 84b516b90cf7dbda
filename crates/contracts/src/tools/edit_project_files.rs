//! Changes files of one project, all or nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::MAX_CHANGES;
use crate::tools::batch::Batch;
use crate::{
    Effect, Exposure, MAX_SAFE_INTEGER, ProjectId, ProjectPath, ReadRevision, Scope, SessionId, Side, Tool, ToolName, Whole,
};

/// See the text in `edit_project_files.md`.
pub struct EditProjectFiles;

impl Tool for EditProjectFiles {
    const NAME: ToolName = ToolName::EditProjectFiles;
    const TITLE: &'static str = "Edit project files";
    const ABOUT: &'static str = include_str!("edit_project_files.md");
    const EFFECT: Effect = Effect::Destructive;
    const SCOPE: Option<Scope> = Some(Scope::ProjectWrite);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = EditProjectFilesParams;
    type Output = EditProjectFilesOutput;
}

/// Arguments of `edit_project_files`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditProjectFilesParams {
    /// The project.
    pub project: ProjectId,
    /// 1 to 64 changes. Several to one file all refer to the file as it was read.
    pub changes: Batch<Change, MAX_CHANGES>,
    /// `true`: check and report, write nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// One change of one file, as it is sent. What each kind needs is checked when the change is planned.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// What to do.
    pub kind: ChangeKind,
    /// Path in the project.
    pub path: ProjectPath,
    /// `read_revision` of the file as you read it; needed for every existing file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_read_revision: Option<ReadRevision>,
    /// replace_exact: the exact text to replace. insert: the line(s) to insert after, if not by `line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    /// The new text, taken literally. create, write: the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_text: Option<String>,
    /// replace_exact: which of several matches, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrence: Option<Whole<1, MAX_SAFE_INTEGER>>,
    /// replace_exact: replace all, if there are exactly so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_match_count: Option<Whole<1, MAX_SAFE_INTEGER>>,
    /// replace_exact: look only in these lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_scope: Option<LineScope>,
    /// insert: before this line; total lines + 1 is the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Whole<1, MAX_SAFE_INTEGER>>,
    /// rename: the new path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_path: Option<ProjectPath>,
    /// Encoding label, where the file's cannot be settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Makes a new file (and its folders) of `new_text`.
    Create,
    /// Replaces `old_text` by `new_text` at exactly one place, unless told otherwise.
    ReplaceExact,
    /// Inserts `new_text` before a line.
    Insert,
    /// Deletes the file.
    Delete,
    /// Moves the file to `to_path`.
    Rename,
    /// Replaces the whole file by `new_text`.
    Write,
}

/// A range of lines, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineScope {
    /// First line, from 1.
    pub start_line: Whole<1, MAX_SAFE_INTEGER>,
    /// Last line.
    pub end_line: Whole<1, MAX_SAFE_INTEGER>,
}

/// Output of `edit_project_files`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EditProjectFilesOutput {
    /// Whether files on disk were changed.
    pub changed: bool,
    /// The files, in the order of their first change.
    pub files: Vec<ChangedFile>,
    /// For a dry run: always false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_changed: Option<bool>,
    /// For a dry run: whether the edit would change anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_change: Option<bool>,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// Path in the project, after the edit.
    pub path: ProjectPath,
    /// What happened.
    pub action: FileAction,
    /// Path before a rename.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<ProjectPath>,
    /// Revision of the new content, for the next edit. None for a deleted file and in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_revision: Option<ReadRevision>,
    /// SHA-256 of the new content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Places replaced or inserted at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u64>,
    /// Lines of the new file that hold the first change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_changed_line: Option<u64>,
    /// Lines added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_lines: Option<u64>,
    /// Lines removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_lines: Option<u64>,
}

/// What an edit did to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// The file is new.
    Created,
    /// The content changed.
    Modified,
    /// The file is gone.
    Deleted,
    /// The file has another path (and perhaps other content).
    Renamed,
    /// The content was already as asked for.
    Unchanged,
}

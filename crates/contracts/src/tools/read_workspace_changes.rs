//! Shows what has changed in a project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Continuation, Effect, Exposure, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `read_workspace_changes.md`.
pub struct ReadWorkspaceChanges;

impl Tool for ReadWorkspaceChanges {
    const NAME: ToolName = ToolName::ReadWorkspaceChanges;
    const TITLE: &'static str = "Read changes";
    const ABOUT: &'static str = include_str!("read_workspace_changes.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = ReadWorkspaceChangesParams;
    type Output = ReadWorkspaceChangesOutput;
}

/// Arguments of `read_workspace_changes`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadWorkspaceChangesParams {
    /// The project.
    pub project: ProjectId,
    /// How much of each change to show; default `stat`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub diff: DiffDetail,
    /// Only these files or folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<ProjectPath>,
    /// Compare from this commit, branch or tag instead of HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Compare to this commit, branch or tag instead of the files on disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// From a continuation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How much of each change is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffDetail {
    /// Paths and kinds only.
    None,
    /// Also counts of lines.
    #[default]
    Stat,
    /// Also the changed lines.
    Hunks,
}

/// Output of `read_workspace_changes`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReadWorkspaceChangesOutput {
    /// Whether the folder is a git repository. If not, changes are counted from the first look at the project.
    pub git: bool,
    /// Where the repository stands.
    #[serde(flatten)]
    pub at: Position,
    /// Files with unresolved conflicts or conflict markers left in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicted: Vec<String>,
    /// The changed files, by path.
    pub files: Vec<FileChange>,
    /// Changed files in all.
    pub file_count: u64,
    /// Lines added in all files listed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_lines: Option<u64>,
    /// Lines removed in all files listed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_lines: Option<u64>,
    /// Things the reader should know, such as a lock left by another program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The call that returns what comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

/// Where a repository stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// The checked-out branch; absent for a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit at HEAD; absent where there is none yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// An unfinished merge, rebase, cherry-pick, revert or bisect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Path in the project, under its real name.
    pub path: String,
    /// What happened to it.
    pub status: ChangeStatus,
    /// Path before a rename.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Whether git tracks it; `false` for new files not yet added.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untracked: bool,
    /// Whether (a part of) the change is in the index.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub staged: bool,
    /// Lines added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_lines: Option<u64>,
    /// Lines removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_lines: Option<u64>,
    /// Its size in bytes, where no lines are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Why no lines are shown or what is special: `binary`, `too large`, `line ends only`, `mode`, `symlink`,
    /// `submodule`, `nested repository`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The changed lines (`diff: hunks`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<DiffHunk>,
    /// Whether hunks are missing here; the continuation has them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hunks_cut: bool,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeStatus {
    /// New.
    Added,
    /// Other content or mode.
    Modified,
    /// Gone.
    Deleted,
    /// Under another path.
    Renamed,
    /// A file became a link, a folder a file, …
    TypeChanged,
    /// In conflict.
    Conflicted,
}

/// A run of changed lines with their surroundings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffHunk {
    /// First line in the old file, from 1; 0 for an empty side.
    pub old_start: u64,
    /// Lines of the old file.
    pub old_lines: u64,
    /// First line in the new file, from 1; 0 for an empty side.
    pub new_start: u64,
    /// Lines of the new file.
    pub new_lines: u64,
    /// Unified diff lines, each with ` `, `-` or `+` in front.
    pub text: String,
}

//! What the tools of the Work Result share: changed files, hunks, checks, decisions and seals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_jobs::JobFacts;
use super::read_workspace_changes::{ChangeStatus, DiffHunk};
use crate::SnapshotId;

/// One changed file of a review or of Final Changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewFile {
    /// Path in the project, as it is shown; pass it on as it is.
    pub path: String,
    /// What happened to it.
    pub status: ChangeStatus,
    /// Path before a rename.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Lines added; absent where lines are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_lines: Option<u64>,
    /// Lines removed; absent where lines are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_lines: Option<u64>,
    /// Its size in bytes, where no lines are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// What is special: `mode 644 → 755`, `line ends only`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why there is no diff to load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_diff: Option<NoPreview>,
    /// Why there is no full text to load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_text: Option<NoPreview>,
    /// Whose work it is, as far as that was recorded; absent where no session is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ChangedBy>,
    /// What the person decided about the whole file in this very state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Hunks of the file that the person accepted one by one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub accepted_hunks: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// Why an entry has no lines to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoPreview {
    /// The file is gone; it has no final version.
    Deleted,
    /// Not text.
    Binary,
    /// Text in another encoding.
    NotUtf8,
    /// A symbolic link.
    Symlink,
    /// A commit of another repository, or a repository inside this one.
    Submodule,
    /// Neither a file nor a link.
    Special,
    /// Larger than what a snapshot keeps.
    TooLarge,
}

/// Whose change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangedBy {
    /// Edits of this session, and nothing else.
    Session,
    /// Changed while a command of this session ran; somebody else may have changed it at the same time.
    Command,
    /// This session and others.
    Mixed,
    /// Not this session.
    Others,
}

/// What a person decides about a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Keep it.
    Accept,
    /// Undo it now.
    Reject,
}

/// A run of changed lines that can be decided on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewHunk {
    /// Names the hunk in this file; the same in later snapshots as long as its lines are.
    pub hunk_id: String,
    /// The lines; `\ No newline at end of file` stands on a line of its own.
    #[serde(flatten)]
    pub lines: DiffHunk,
    /// Whether the person accepted it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
}

/// A change that the person rejected: it is undone, and can be taken back as long as the file stays as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rejection {
    /// Names the rejection, for taking it back.
    pub rejection_id: String,
    /// Path in the project.
    pub path: String,
    /// What had happened to the file.
    pub status: ChangeStatus,
    /// The rejected lines as a unified diff, at most 4 KiB; absent for a whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunk: Option<String>,
    /// What the person said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A command of the session with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What it was and how it ended; only `passed` proves success.
    #[serde(flatten)]
    pub job: JobFacts,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Whether files were changed after it ended, so that it says nothing about the present state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outdated: bool,
}

/// What a list of changes is counted from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewBase {
    /// Which state it is.
    pub kind: BaseKind,
    /// When it was recorded, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// The commit at HEAD then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

/// A state that changes are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BaseKind {
    /// The files when the session began.
    SessionStart,
    /// The last commit.
    Head,
    /// The first look at a folder without git.
    FirstLook,
}

/// Final Changes: what a closed task left, kept as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FinalChanges {
    /// Pass it to load diffs and texts of these files.
    pub snapshot_id: SnapshotId,
    /// Which closing of the session this is, from 1.
    pub attempt: u64,
    /// When it was sealed, in milliseconds since 1970.
    pub sealed_ms: u64,
    /// What the changes are counted from.
    pub base: ReviewBase,
    /// The commit at HEAD when it was sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// What the model said about its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// When it will not be kept any more, in milliseconds since 1970, unless the session goes on.
    pub expires_ms: u64,
    /// Changed files in all.
    pub file_count: u64,
    /// Lines added in all of them.
    pub added_lines: u64,
    /// Lines removed in all of them.
    pub removed_lines: u64,
    /// The files, by path; empty where only the fact is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ReviewFile>,
    /// Pass as `offset` together with this `snapshot_id` for the next files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// Whether the session has changed files since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub work_went_on: bool,
}

/// How much of a file a page has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loaded {
    /// Bytes loaded with this answer and all before it.
    pub loaded_bytes: u64,
    /// Bytes there are in all.
    pub total_bytes: u64,
    /// Whether there is more than what is loaded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Whether the 256 KiB of one file are used up, so that no more can be loaded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limit_reached: bool,
    /// Pass as `offset` to load more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
}

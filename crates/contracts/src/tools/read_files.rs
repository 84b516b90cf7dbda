//! Reads ranges of text files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{MAX_BATCH, MAX_READ_LINES};
use crate::tools::batch::Batch;
use crate::{
    Continuation, Effect, Exposure, Limit, MAX_SAFE_INTEGER, ProjectId, ProjectPath, ReadRevision, Scope, SessionId, Side,
    Tool, ToolError, ToolName, Whole,
};

/// See the text in `read_files.md`.
pub struct ReadFiles;

impl Tool for ReadFiles {
    const NAME: ToolName = ToolName::ReadFiles;
    const TITLE: &'static str = "Read files";
    const ABOUT: &'static str = include_str!("read_files.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = ReadFilesParams;
    type Output = ReadFilesOutput;
}

/// Arguments of `read_files`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadFilesParams {
    /// The project.
    pub project: ProjectId,
    /// 1 to 8 files or ranges.
    pub items: Batch<ReadItem, MAX_BATCH>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// One file or a range of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadItem {
    /// Path in the project.
    pub path: ProjectPath,
    /// First line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_line: Option<Whole<1, MAX_SAFE_INTEGER>>,
    /// How many lines; default as many as fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_count: Option<Limit<1, MAX_READ_LINES>>,
    /// First character of the first line, from 1; to read on inside a long line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_column: Option<Whole<1, MAX_SAFE_INTEGER>>,
    /// Encoding label (`gbk`, `shift_jis`, …) where the guess is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// Output of `read_files`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ReadFilesOutput {
    /// One entry per item, in order.
    pub items: Vec<ReadFilesItem>,
}

/// The answer to one item: a range of text or an error.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ReadFilesItem {
    /// Path in the project.
    pub path: ProjectPath,
    /// Whether the item was read.
    pub success: bool,
    /// The text, in UTF-8 with the file's own line ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// First line of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u64>,
    /// Last line of `text`, perhaps cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
    /// Lines of the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<u64>,
    /// Size of the whole file in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// SHA-256 of the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Pass as `expected_read_revision` to edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_revision: Option<ReadRevision>,
    /// The file's encoding and how it was found, as `gbk (guessed)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Line ends: `lf`, `crlf`, `cr`, `mixed` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ending: Option<String>,
    /// Whether `text` is less than the file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Whether the last line of `text` is cut inside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub line_cut: bool,
    /// The call that returns what comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
    /// Why the item was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
}

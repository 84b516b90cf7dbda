//! Searches the text of a project's files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{MAX_BATCH, MAX_SEARCH_RESULTS};
use crate::tools::batch::Batch;
use crate::{
    Continuation, Effect, Exposure, Limit, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolError, ToolName,
};

/// See the text in `search_project_texts.md`.
pub struct SearchProjectTexts;

impl Tool for SearchProjectTexts {
    const NAME: ToolName = ToolName::SearchProjectTexts;
    const TITLE: &'static str = "Search project texts";
    const ABOUT: &'static str = include_str!("search_project_texts.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = SearchProjectTextsParams;
    type Output = SearchProjectTextsOutput;
}

/// Arguments of `search_project_texts`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchProjectTextsParams {
    /// The project.
    pub project: ProjectId,
    /// 1 to 8 queries, answered in one pass.
    pub queries: Batch<SearchQuery, MAX_BATCH>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// One query.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchQuery {
    /// What to look for.
    pub pattern: String,
    /// `literal` (default) or `regex` (Rust regex dialect, line by line unless the pattern holds `\n`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub syntax: PatternSyntax,
    /// `true`: upper and lower case are the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_case: bool,
    /// `true`: only whole words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole_word: bool,
    /// Files or folders to search; named ones are searched even if hidden or ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<ProjectPath>,
    /// Only files that match one of these globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// No files that match one of these globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// `true`: also hidden files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// `true`: also files that .gitignore and kin exclude.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignored: bool,
    /// Lines of context before and after each match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_lines: Option<Limit<0, 20>>,
    /// What to return.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: SearchOutput,
    /// Most matches (or files) to return; default 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit<1, MAX_SEARCH_RESULTS>>,
    /// From a continuation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How a pattern is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatternSyntax {
    /// Every character stands for itself.
    #[default]
    Literal,
    /// The dialect of the Rust `regex` crate.
    Regex,
}

/// What a query returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchOutput {
    /// Matching lines.
    #[default]
    Matches,
    /// Paths of files with a match.
    Files,
    /// Numbers of matching lines, in all and per file.
    Count,
}

/// Output of `search_project_texts`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SearchProjectTextsOutput {
    /// One entry per query, in order.
    pub items: Vec<SearchItem>,
}

/// The answer to one query.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SearchItem {
    /// Whether the query was carried out; no match is a success.
    pub success: bool,
    /// How the pattern was read.
    pub syntax: PatternSyntax,
    /// What searched: always `ripgrep-libraries`.
    pub backend: String,
    /// Whether everything in scope was seen. Only then does no match mean that there is none.
    pub completed: bool,
    /// Matching lines found; a lower bound unless `completed`.
    pub match_count: u64,
    /// Files with a match; a lower bound unless `completed`.
    pub file_count: u64,
    /// Matching lines, by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<SearchMatch>,
    /// Files with a match (`output: files` and `count`), by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SearchFile>,
    /// Whether more was found than is returned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The call that returns what comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
    /// What was not searched, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Why the query was not carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// Where the query failed: `pattern`, `scope`, `walk`, `read` or `deadline`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_stage: Option<String>,
    /// Broad reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// Exact reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail_code: Option<String>,
}

/// One matching line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchMatch {
    /// Path in the project.
    pub path: ProjectPath,
    /// Line of the match, from 1.
    pub line: u64,
    /// First character of the match in its line, from 1.
    pub column: u64,
    /// The line, cut around the match if very long.
    pub text: String,
    /// Lines before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Lines after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Whether `text` is cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub line_cut: bool,
}

/// A file with a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFile {
    /// Path in the project.
    pub path: ProjectPath,
    /// Matching lines in it (`output: count`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

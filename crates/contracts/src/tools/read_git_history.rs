//! Reads the commits of a project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Continuation, Effect, Exposure, Limit, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `read_git_history.md`.
pub struct ReadGitHistory;

impl Tool for ReadGitHistory {
    const NAME: ToolName = ToolName::ReadGitHistory;
    const TITLE: &'static str = "Read history";
    const ABOUT: &'static str = include_str!("read_git_history.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = ReadGitHistoryParams;
    type Output = ReadGitHistoryOutput;
}

/// Arguments of `read_git_history`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadGitHistoryParams {
    /// The project.
    pub project: ProjectId,
    /// Start at this commit, branch or tag; default HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Only commits that changed one of these files or folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<ProjectPath>,
    /// Most commits to return; default 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit<1, 100>>,
    /// `true`: also the files that each commit changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub files: bool,
    /// From a continuation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Output of `read_git_history`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReadGitHistoryOutput {
    /// The commits, newest first.
    pub commits: Vec<CommitSummary>,
    /// The call that returns older ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommitSummary {
    /// The commit's id.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// The rest of its message, bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Author's name and address.
    pub author: String,
    /// When it was authored, ISO 8601 with the author's offset.
    pub authored_at: String,
    /// Ids of its parents.
    pub parents: Vec<String>,
    /// Files it changed against its first parent, as `M src/lib.rs`; bounded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether `files` is cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub files_cut: bool,
}

//! Starts or resumes a session of work on one project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_workspace_changes::Position;
use crate::policy::HostProfile;
use crate::{Effect, Exposure, ProjectId, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `work_on_project.md`.
pub struct WorkOnProject;

impl Tool for WorkOnProject {
    const NAME: ToolName = ToolName::WorkOnProject;
    const TITLE: &'static str = "Work on a project";
    const ABOUT: &'static str = include_str!("work_on_project.md");
    const EFFECT: Effect = Effect::Record;
    const SCOPE: Option<Scope> = Some(Scope::ProjectRead);
    const SIDE: Side = Side::Both;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = WorkOnProjectParams;
    type Output = WorkOnProjectOutput;
}

/// Arguments of `work_on_project`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkOnProjectParams {
    /// A registered project. With neither `project` nor `path`, the only visible project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// A folder on the Runner's machine, registered on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// `worktree`: work on an isolated copy that becomes a project of its own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: WorkMode,
    /// What the user asked for, in a sentence; names the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// Which advice to give; changes no waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance_profile: Option<HostProfile>,
    /// Which materials to return, in this order; default all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextKey>,
    /// Resume this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Where the work happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkMode {
    /// In the project's folder.
    #[default]
    Direct,
    /// In a git worktree kept beside our data, registered as another project.
    Worktree,
}

/// A material that `work_on_project` can return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextKey {
    /// AGENTS.md and kin.
    Instructions,
    /// How to use the tools well.
    Workflow,
    /// Branch, counts of changes, running jobs.
    Status,
}

impl ContextKey {
    /// What is returned where the caller names nothing.
    pub const DEFAULT: [ContextKey; 3] = [ContextKey::Instructions, ContextKey::Workflow, ContextKey::Status];
}

/// Output of `work_on_project`. The Runner leaves `session` empty; the Server fills it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WorkOnProjectOutput {
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionInfo>,
    /// The project.
    pub project: ProjectInfo,
    /// The materials, in the order asked for.
    pub context: Vec<ContextItem>,
}

/// A session as callers see it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SessionInfo {
    /// The session's id; pass it to tools that belong to the session.
    pub session_id: SessionId,
    /// Short reference for this caller, usable in its place.
    pub reference: SessionId,
    /// Whether an earlier session goes on.
    pub resumed: bool,
}

/// A project as callers see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectInfo {
    /// The project's id; pass it as `project`.
    pub project: ProjectId,
    /// Short reference for this caller, usable in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<ProjectId>,
    /// The name people see.
    pub name: String,
    /// The folder on the Runner's machine.
    pub path: String,
    /// Whether the folder is a git repository.
    pub git: bool,
    /// The checked-out branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The project this one is a worktree of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree_of: Option<ProjectId>,
    /// Why the folder cannot be used now, if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// One material with its body or the receipt of its omission.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ContextItem {
    /// Which material this is.
    pub key: ContextKey,
    /// The body of a workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The instruction files, most general first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<InstructionFile>,
    /// The project's state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ProjectStatus>,
    /// What did not fit into the 20 KiB of all bodies, or could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omission>,
}

/// An instruction file, whole or its beginning.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct InstructionFile {
    /// Path in the project.
    pub path: String,
    /// Where the instructions apply: a folder, `.` for the whole project.
    pub scope: String,
    /// SHA-256 of the whole file.
    pub sha256: String,
    /// The text.
    pub text: String,
    /// Whether only the beginning is here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The call that returns the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<crate::Continuation>,
}

/// The receipt of something left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Omission {
    /// What was left out: a path or a material.
    pub what: String,
    /// Why.
    pub reason: String,
    /// Its size in bytes, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// The state of a project in a few facts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ProjectStatus {
    /// Where the repository stands.
    #[serde(flatten)]
    pub at: Position,
    /// Files that differ from HEAD or are untracked; absent where counting them would keep the caller waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_files: Option<u64>,
    /// Jobs that still run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running_jobs: Vec<crate::JobId>,
}

//! Starts a program that goes on when the Runner ends.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::{Effect, Exposure, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `run_detached_process.md`.
pub struct RunDetachedProcess;

impl Tool for RunDetachedProcess {
    const NAME: ToolName = ToolName::RunDetachedProcess;
    const TITLE: &'static str = "Start a detached program";
    const ABOUT: &'static str = include_str!("run_detached_process.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = RunDetachedProcessParams;
    type Output = Execution;
}

/// Arguments of `run_detached_process`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDetachedProcessParams {
    /// The project.
    pub project: ProjectId,
    /// The program: a name on PATH, or a path in the project.
    pub executable: String,
    /// Its arguments, as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Folder in the project; default its root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<ProjectPath>,
    /// More environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

//! Runs a program with literal arguments.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::limits::MAX_TIMEOUT_SECS;
use crate::{Effect, Exposure, Limit, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `run_process.md`.
pub struct RunProcess;

impl Tool for RunProcess {
    const NAME: ToolName = ToolName::RunProcess;
    const TITLE: &'static str = "Run a program";
    const ABOUT: &'static str = include_str!("run_process.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = RunProcessParams;
    type Output = Execution;
}

/// Seconds a command may run.
pub type TimeoutSecs = Limit<1, MAX_TIMEOUT_SECS>;

/// Arguments of `run_process`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunProcessParams {
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
    /// Standard input; closed if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// More environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The command is ended after so long; default 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_secs: Option<TimeoutSecs>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

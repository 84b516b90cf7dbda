//! Runs a script in an interpreter, passed as a file and not as a command line.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::tools::run_process::TimeoutSecs;
use crate::{Effect, Exposure, ProjectId, ProjectPath, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `run_script.md`.
pub struct RunScript;

impl Tool for RunScript {
    const NAME: ToolName = ToolName::RunScript;
    const TITLE: &'static str = "Run a script";
    const ABOUT: &'static str = include_str!("run_script.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = RunScriptParams;
    type Output = Execution;
}

/// Arguments of `run_script`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunScriptParams {
    /// The project.
    pub project: ProjectId,
    /// The interpreter: `python3`, `node`, `ruby`, … on PATH.
    pub interpreter: String,
    /// The text of the script.
    pub script: String,
    /// Arguments of the script.
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
    /// The script is ended after so long; default 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_secs: Option<TimeoutSecs>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

//! Names a job for a continuation that an agent host has set up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::{Effect, Exposure, JobId, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `wait_for_job_terminal.md`.
pub struct WaitForJobTerminal;

impl Tool for WaitForJobTerminal {
    const NAME: ToolName = ToolName::WaitForJobTerminal;
    const TITLE: &'static str = "Continue when a job ends";
    const ABOUT: &'static str = include_str!("wait_for_job_terminal.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = WaitForJobTerminalParams;
    type Output = WaitForJobTerminalOutput;
}

/// Arguments of `wait_for_job_terminal`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitForJobTerminalParams {
    /// The job.
    pub job_id: JobId,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Output of `wait_for_job_terminal`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WaitForJobTerminalOutput {
    /// Whether the job has ended.
    pub terminal: bool,
    /// Whether the host will be woken when it ends.
    pub wake_arranged: bool,
    /// How the job stands.
    #[serde(flatten)]
    pub execution: Execution,
}

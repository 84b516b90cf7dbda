//! Ends a job with every process it started.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::{Effect, Exposure, JobId, Scope, SessionId, Side, Tool, ToolName};

/// See the text in `stop_job.md`.
pub struct StopJob;

impl Tool for StopJob {
    const NAME: ToolName = ToolName::StopJob;
    const TITLE: &'static str = "Stop a job";
    const ABOUT: &'static str = include_str!("stop_job.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = StopJobParams;
    type Output = StopJobOutput;
}

/// Arguments of `stop_job`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopJobParams {
    /// The job.
    pub job_id: JobId,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Output of `stop_job`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct StopJobOutput {
    /// Whether this call ended it; `false` where it had ended before.
    pub stopped: bool,
    /// How the job stands.
    #[serde(flatten)]
    pub execution: Execution,
}

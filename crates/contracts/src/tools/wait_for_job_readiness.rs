//! One bounded wait until a job is ready or has ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::tools::observe_jobs::WaitSecs;
use crate::{Effect, Exposure, JobId, Scope, SessionId, Side, Tool, ToolName, Whole};

/// See the text in `wait_for_job_readiness.md`.
pub struct WaitForJobReadiness;

impl Tool for WaitForJobReadiness {
    const NAME: ToolName = ToolName::WaitForJobReadiness;
    const TITLE: &'static str = "Wait for a job";
    const ABOUT: &'static str = include_str!("wait_for_job_readiness.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = WaitForJobReadinessParams;
    type Output = WaitForJobReadinessOutput;
}

/// Arguments of `wait_for_job_readiness`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitForJobReadinessParams {
    /// The job.
    pub job_id: JobId,
    /// Ready when the output contains this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_text: Option<String>,
    /// Ready when this TCP port of the machine accepts connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_port: Option<Whole<1, 65535>>,
    /// Wait at most so long; default and most 45.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_secs: Option<WaitSecs>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Output of `wait_for_job_readiness`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WaitForJobReadinessOutput {
    /// Whether the job is ready (or, with no condition given, has ended).
    pub ready: bool,
    /// What ended the wait: `text`, `port`, `ended` or `deadline`.
    pub reason: String,
    /// How the job stands, with the output so far.
    #[serde(flatten)]
    pub execution: Execution,
}

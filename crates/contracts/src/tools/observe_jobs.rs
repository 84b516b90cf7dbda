//! Observes jobs: what is new since the last look.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::limits::MAX_BATCH;
use crate::tools::batch::Batch;
use crate::{Effect, Exposure, JobId, Limit, MAX_SAFE_INTEGER, Scope, SessionId, Side, Tool, ToolError, ToolName, Whole};

/// See the text in `observe_jobs.md`.
pub struct ObserveJobs;

impl Tool for ObserveJobs {
    const NAME: ToolName = ToolName::ObserveJobs;
    const TITLE: &'static str = "Observe jobs";
    const ABOUT: &'static str = include_str!("observe_jobs.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Direct;
    type Params = ObserveJobsParams;
    type Output = ObserveJobsOutput;
}

/// Seconds one observation may wait.
pub type WaitSecs = Limit<0, 60>;

/// Arguments of `observe_jobs`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObserveJobsParams {
    /// 1 to 8 jobs.
    pub jobs: Batch<JobObservation, MAX_BATCH>,
    /// Wait so long for something new; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_secs: Option<WaitSecs>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// One job to observe.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobObservation {
    /// The job.
    pub job_id: JobId,
    /// From the last answer; only what is new is returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation_token: Option<String>,
    /// Return exact bytes of this stream instead, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_stream: Option<StreamName>,
    /// First byte for `raw_stream`, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_offset: Option<Whole<0, MAX_SAFE_INTEGER>>,
}

/// A stream of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamName {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Output of `observe_jobs`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ObserveJobsOutput {
    /// One entry per job, in order.
    pub items: Vec<ObservedJob>,
}

/// One observed job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ObservedJob {
    /// The job.
    pub job_id: JobId,
    /// Whether the job was found.
    pub success: bool,
    /// How it stands, with the output that is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// Exact bytes, where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawOutput>,
    /// Why it could not be observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
}

/// Exact bytes of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RawOutput {
    /// First byte returned, from 0; larger than asked for where earlier bytes were dropped.
    pub offset: u64,
    /// The bytes.
    pub base64: String,
    /// Bytes written in all so far.
    pub total_bytes: u64,
}

//! Lists jobs, also finished and lost ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::execution::{ExecutionState, Outcome};
use crate::{
    Continuation, Effect, Exposure, JobId, Limit, ProjectId, Scope, SessionId, Side, Tool, ToolName,
};

/// See the text in `list_jobs.md`.
pub struct ListJobs;

impl Tool for ListJobs {
    const NAME: ToolName = ToolName::ListJobs;
    const TITLE: &'static str = "List jobs";
    const ABOUT: &'static str = include_str!("list_jobs.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::JobRun);
    const SIDE: Side = Side::Runner;
    const EXPOSURE: Exposure = Exposure::Gateway;
    type Params = ListJobsParams;
    type Output = ListJobsOutput;
}

/// Arguments of `list_jobs`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListJobsParams {
    /// The project.
    pub project: ProjectId,
    /// Only jobs that still run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub running_only: bool,
    /// Most jobs to return; default 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit<1, 100>>,
    /// From a continuation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Your session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Output of `list_jobs`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ListJobsOutput {
    /// The jobs, newest first.
    pub jobs: Vec<JobSummary>,
    /// The call that returns older ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

/// A job in a few facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobSummary {
    /// What it is and how it ended.
    #[serde(flatten)]
    pub job: JobFacts,
    /// The project it runs in.
    pub project: ProjectId,
    /// When it started, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// Whether it survives its Runner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detached: bool,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// What a job is, where it stands and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobFacts {
    /// The job.
    pub job_id: JobId,
    /// The command in one line, shortened.
    pub command: String,
    /// Where it stands.
    pub execution_state: ExecutionState,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The command's exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// Run time so far or in all, in milliseconds.
    pub duration_ms: u64,
}

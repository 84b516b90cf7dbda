//! Ends a job with every process it started.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::stop_job::{StopJobOutput, StopJobParams};

use crate::Runner;

/// Ends it if it runs, and what it left running.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: StopJobParams,
) -> ToolResult<StopJobOutput> {
    let job = runner.job(call, &params.job_id)?;
    let stopped = job.stop().await;
    let execution = job.execution(call.policy.observe_secs).await;
    Ok(StopJobOutput { stopped, execution })
}

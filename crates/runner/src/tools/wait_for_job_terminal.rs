//! Says whether a job has ended.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::wait_for_job_terminal::{WaitForJobTerminalOutput, WaitForJobTerminalParams};

use crate::Runner;

/// Never blocks; a conversation is not woken by this Runner.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: WaitForJobTerminalParams,
) -> ToolResult<WaitForJobTerminalOutput> {
    let job = runner.job(call, &params.job_id)?;
    let execution = job.execution(call.policy.observe_secs).await;
    let terminal = execution.outcome.is_some();
    Ok(WaitForJobTerminalOutput { terminal, wake_arranged: false, execution })
}

//! One bounded wait until a job is ready or has ended.

use std::time::Duration;

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::observe_jobs::WaitSecs;
use webcodex_contracts::tools::wait_for_job_readiness::{
    WaitForJobReadinessOutput, WaitForJobReadinessParams,
};
use webcodex_process::{Reached, Readiness};

use crate::Runner;

/// Waits for the text, the port or the end, whichever comes first.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: WaitForJobReadinessParams,
) -> ToolResult<WaitForJobReadinessOutput> {
    let job = runner.job(call, &params.job_id)?;
    let longest = call.policy.readiness();
    let wait = params.wait_secs.map_or(longest, |secs| Duration::from_secs(WaitSecs::get(secs)).min(longest));
    let port = params.ready_port.and_then(|port| u16::try_from(port.get()).ok());
    let readiness = Readiness { text: params.ready_text.filter(|text| !text.is_empty()), port };
    let for_its_end = readiness.text.is_none() && readiness.port.is_none();
    let reached = job.wait_until_ready(&readiness, wait).await;
    let ready = match reached {
        Reached::Text | Reached::Port => true,
        Reached::Ended => for_its_end,
        Reached::Deadline => false,
    };
    let execution = job.execution(call.policy.observe_secs).await;
    Ok(WaitForJobReadinessOutput { ready, reason: reached.as_str().to_owned(), execution })
}

//! Observes jobs: what is new since the last look.

use std::time::Duration;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::observe_jobs::{
    JobObservation, ObserveJobsOutput, ObserveJobsParams, ObservedJob, WaitSecs,
};
use webcodex_contracts::{ToolError, ToolFailure, ToolResult};
use webcodex_process::{JobsError, Look, Observed, observe};

use crate::{Runner, error};

/// Looks at every job, waiting once for the first news; the call fails only if no job can be observed.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ObserveJobsParams,
) -> ToolResult<ObserveJobsOutput> {
    let found: Vec<Result<Look, ToolError>> =
        params.jobs.iter().map(|item| look(runner, call, item)).collect();
    let looks: Vec<Look> = found.iter().flatten().cloned().collect();
    // A job that is not there is told at once.
    let wait = match found.iter().all(Result::is_ok) {
        true => Duration::from_secs(params.wait_secs.map_or(0, WaitSecs::get)).min(call.policy.observe()),
        false => Duration::ZERO,
    };
    let mut observed = observe(&looks, wait, call.policy.observe_secs).await.into_iter();
    let items = params.jobs.iter().zip(found).enumerate().map(|(index, (item, found))| {
        let seen = match found {
            Ok(_) => observed.next().unwrap_or_else(|| Err(JobsError::JobNotFound(item.job_id.clone()))),
            Err(error) => return answer(item, Err(at(index, error))),
        };
        answer(item, seen.map_err(|error| at(index, error::process::jobs(&error))))
    });
    all_failed(ObserveJobsOutput { items: items.collect() })
}

fn look(runner: &Runner, call: &CallContext, item: &JobObservation) -> Result<Look, ToolError> {
    let offset = item.raw_offset.map_or(0, |offset| offset.get());
    Ok(Look {
        job: runner.job(call, &item.job_id)?,
        token: item.observation_token.clone(),
        raw: item.raw_stream.map(|stream| (stream, offset)),
    })
}

/// The error, with its field inside the batch.
fn at(index: usize, error: ToolError) -> ToolError {
    let field = format!("jobs[{index}].{}", error.field.as_deref().unwrap_or("job_id"));
    error.field(field)
}

fn answer(item: &JobObservation, seen: Result<Observed, ToolError>) -> ObservedJob {
    let job_id = item.job_id.clone();
    match seen {
        Ok(Observed { execution, raw }) => {
            ObservedJob { job_id, success: true, execution: Some(execution), raw, error: None }
        }
        Err(error) => ObservedJob { job_id, success: false, execution: None, raw: None, error: Some(error) },
    }
}

fn all_failed(output: ObserveJobsOutput) -> ToolResult<ObserveJobsOutput> {
    let first = output.items.iter().find_map(|item| item.error.clone());
    match first {
        Some(error) if output.items.iter().all(|item| !item.success) => {
            Err(Box::new(ToolFailure::new(error).with_output(output)))
        }
        _ => Ok(output),
    }
}

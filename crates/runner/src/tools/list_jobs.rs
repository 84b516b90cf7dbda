//! Lists jobs, also finished and lost ones.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::list_jobs::{ListJobsOutput, ListJobsParams};
use webcodex_contracts::{Continuation, ToolName, ToolResult};

use crate::{Runner, error};

/// Jobs on a page where the caller states no limit.
const USUAL_LIMIT: usize = 20;

/// The jobs of a project, newest first.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ListJobsParams,
) -> ToolResult<ListJobsOutput> {
    let project = runner.project(call, &params.project)?;
    let limit = params.limit.map_or(USUAL_LIMIT, |limit| limit.as_usize());
    let page = runner
        .jobs
        .list(&project.id, params.running_only, limit, params.cursor.as_deref())
        .map_err(|error| error::process::jobs(&error))?;
    let next =
        |cursor| Continuation::new(ToolName::ListJobs, ListJobsParams { cursor: Some(cursor), ..params });
    Ok(ListJobsOutput { jobs: page.jobs, continuation: page.cursor.and_then(next) })
}

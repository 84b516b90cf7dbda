//! Which Runner does a call, and the call itself.

use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout;
use webcodex_contracts::policy::WaitingPolicy;
use webcodex_contracts::{CanonicalResult, ErrorCode, JobId, ProjectId, ToolError, ToolFailure};
use webcodex_link::RunnerHandle;
use webcodex_store::now_ms;

use super::{Call, failure};
use crate::control::approvals;

/// A Runner that is being started, or links again, is waited for at most this long.
const RUNNER_WITHIN: Duration = Duration::from_secs(5);

/// Waits until a Runner is linked, where one may be expected in a moment: nothing was sent yet, so waiting is safe.
pub(super) async fn await_runner(call: &Call<'_>) {
    let runners = &call.app.runners;
    if runners.any() || !is_expected(call) {
        return;
    }
    let left = RUNNER_WITHIN.min(call.incoming.policy.deadline() / 2);
    // In vain where none comes in time; what is said then follows from there being none.
    let _ = timeout(left, runners.news().wait_for(|_| runners.any())).await;
}

/// Whether the desktop app keeps a Runner, or one was linked a moment ago.
fn is_expected(call: &Call<'_>) -> bool {
    let lately = now_ms().saturating_sub(RUNNER_WITHIN.as_millis() as u64);
    let known = call.app.runners.status();
    call.app.control.has_app() || known.iter().any(|runner| runner.last_heard_at_ms >= lately)
}

/// The Runner for this call: by its project, by its jobs, or the only one.
pub(super) fn runner_of(call: &Call<'_>) -> Result<RunnerHandle, Box<ToolFailure>> {
    if let Some(project) = call.arguments.get("project").and_then(Value::as_str) {
        return by_project(call, project);
    }
    match job_tags(&call.arguments)? {
        Some(tag) => by_job(call, &tag),
        None => only_runner(call),
    }
}

/// The Runner that serves `project`.
pub(crate) fn by_project(call: &Call<'_>, project: &str) -> Result<RunnerHandle, Box<ToolFailure>> {
    let id = ProjectId::parse(project).map_err(|_| super::unknown_project(project))?;
    let client = id.client().ok_or_else(|| super::unknown_project(project))?;
    call.app.runners.find(client).ok_or_else(|| Box::new(failure::offline(client)))
}

/// The one linked Runner; an error where there are none or several.
pub(crate) fn only_runner(call: &Call<'_>) -> Result<RunnerHandle, Box<ToolFailure>> {
    let mut runners = call.app.runners.all();
    match (runners.pop(), runners.len()) {
        (None, _) => Err(Box::new(failure::no_runner())),
        (Some(only), 0) => Ok(only),
        (Some(_), _) => {
            let message = "several Runners are linked, and this call does not say which one it means";
            Err(ToolError::new(ErrorCode::InvalidArguments, message).changed(false).into())
        }
    }
}

/// The routing tag that all jobs of the call share; `None` where it names no job.
fn job_tags(arguments: &Value) -> Result<Option<String>, ToolError> {
    let single = arguments.get("job_id").into_iter();
    let several = arguments.get("jobs").and_then(Value::as_array).into_iter().flatten();
    let ids = single.chain(several.filter_map(|job| job.get("job_id"))).filter_map(Value::as_str);
    let mut tag = None;
    for id in ids {
        let job = JobId::parse(id).map_err(|_| unknown_job(id))?;
        let own = job.routing_tag().ok_or_else(|| unknown_job(id))?;
        match &tag {
            None => tag = Some(own.to_owned()),
            Some(tag) if tag == own => {}
            Some(_) => {
                let message = "these jobs belong to different Runners; observe them in separate calls";
                return Err(ToolError::new(ErrorCode::InvalidArguments, message)
                    .field("jobs")
                    .changed(false));
            }
        }
    }
    Ok(tag)
}

fn by_job(call: &Call<'_>, tag: &str) -> Result<RunnerHandle, Box<ToolFailure>> {
    if let Some(runner) = call.app.runners.by_tag(tag) {
        return Ok(runner);
    }
    if call.app.runners.all().is_empty() {
        return Err(Box::new(failure::no_runner()));
    }
    let error = ToolError::new(ErrorCode::JobNotFound, "no linked Runner owns this job");
    Err(error
        .hint("Use a `job_id` from list_jobs, or link the Runner that ran it again.")
        .changed(false)
        .into())
}

fn unknown_job(id: &str) -> ToolError {
    ToolError::new(ErrorCode::JobNotFound, format!("there is no job `{id}`"))
        .hint("Use the `job_id` of the call that started it, or list_jobs.")
        .changed(false)
}

/// Makes the call, once, and turns a link that fails into a truthful failure.
pub(crate) async fn call_runner(
    call: &Call<'_>,
    runner: &RunnerHandle,
    arguments: &Value,
) -> Result<CanonicalResult, Box<ToolFailure>> {
    let context = call.context()?;
    let ask = |question| approvals::ask(call, question);
    let answer = runner.call_asking(call.tool, arguments, &context, ask);
    match timeout(backstop(&context.policy), answer).await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => Err(Box::new(failure::link(error, call.tool, arguments, runner.client().as_str()))),
        Err(_) => Err(Box::new(failure::overdue(call.tool, arguments, runner.client().as_str()))),
    }
}

/// The Runner keeps the call's deadline itself; half of what is left for the way back later nobody waits any more.
fn backstop(policy: &WaitingPolicy) -> Duration {
    let deadline = policy.deadline();
    let left = Duration::from_secs(policy.budget_secs).saturating_sub(deadline);
    deadline + (left / 2).max(Duration::from_millis(250))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webcodex_contracts::policy::HostProfile;

    use super::*;

    #[test]
    fn jobs_of_one_runner_go_to_it_and_no_others() {
        let jobs =
            |ids: &[&str]| json!({"jobs": ids.iter().map(|id| json!({"job_id": id})).collect::<Vec<_>>()});
        assert_eq!(job_tags(&json!({"project": "p"})), Ok(None));
        assert_eq!(job_tags(&json!({"job_id": "wcj_ab_1"})), Ok(Some("ab".to_owned())));
        assert_eq!(job_tags(&jobs(&["wcj_ab_1", "wcj_ab_2"])), Ok(Some("ab".to_owned())));
        assert_eq!(job_tags(&jobs(&["wcj_ab_1", "wcj_cd_2"])).unwrap_err().code, ErrorCode::InvalidArguments);
        assert_eq!(job_tags(&json!({"job_id": "wcj_untagged"})).unwrap_err().code, ErrorCode::JobNotFound);
    }

    #[test]
    fn the_server_waits_a_little_longer_than_the_runner_and_less_than_the_host() {
        for budget in [5, 20, 55] {
            let policy = WaitingPolicy::new(HostProfile::Direct, budget);
            assert!(backstop(&policy) > policy.deadline(), "{budget}");
            assert!(backstop(&policy) < Duration::from_secs(budget), "{budget}");
        }
    }
}

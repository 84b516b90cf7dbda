//! The Runner that a route needs, and its answer or what to say instead.

use std::time::Duration;

use axum::body::Body;
use http::{Response, StatusCode};
use webcodex_contracts::{ErrorCode, JobId, ProjectId};
use webcodex_link::RunnerHandle;
use webcodex_link::control::{ControlReply, ControlRequest};

use super::reply::{self, failure};
use crate::app::App;

/// The longest a Runner works for a route before it answers.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

type Refused = Box<Response<Body>>;

/// The one that folders are added to.
pub(super) fn only(app: &App) -> Result<RunnerHandle, Refused> {
    app.runners.all().into_iter().next().ok_or_else(offline)
}

/// The one that serves a project.
pub(super) fn of_project(app: &App, project: &ProjectId) -> Result<RunnerHandle, Refused> {
    project.client().and_then(|client| app.runners.find(client)).ok_or_else(offline)
}

/// The one that has a job.
pub(super) fn of_job(app: &App, job: &JobId) -> Result<RunnerHandle, Refused> {
    job.routing_tag().and_then(|tag| app.runners.by_tag(tag)).ok_or_else(offline)
}

fn offline() -> Refused {
    let message = "the Runner is not linked, so nothing was done";
    let hint = "It is started again by itself; try again in a moment.";
    Box::new(failure(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::AgentOffline, message, hint))
}

/// The Runner's answer, if it is one.
pub(super) async fn ask_for(
    runner: &RunnerHandle,
    request: &ControlRequest,
) -> Result<ControlReply, Refused> {
    match tokio::time::timeout(ANSWER_WITHIN, runner.control(request)).await {
        Ok(Ok(ControlReply::Failed(told))) => Err(Box::new(reply::told(&told))),
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(error)) => {
            let hint = "Look at the present state before you repeat it.";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Err(Box::new(failure(status, ErrorCode::RunnerUnresponsive, error.to_string(), hint)))
        }
        Err(_) => {
            let message = format!("the Runner did not answer within {} s", ANSWER_WITHIN.as_secs());
            let hint = "A drive may not be answering. Look at the present state before you repeat it.";
            let status = StatusCode::GATEWAY_TIMEOUT;
            Err(Box::new(failure(status, ErrorCode::DeadlineExceeded, message, hint)))
        }
    }
}

/// The Runner answered something else than was asked.
pub(super) fn unexpected() -> Response<Body> {
    let message = "the Runner gave an answer that does not fit the question";
    let hint = "Update Server and Runner to the same version.";
    failure(StatusCode::BAD_GATEWAY, ErrorCode::RequiredCapabilityUnavailable, message, hint)
}

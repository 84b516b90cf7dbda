//! Closes a task, unless the person has rejected something that the model does not know yet.

use serde_json::Value;
use webcodex_contracts::tools::finish_coding_task::{FinishCode, FinishItem};
use webcodex_contracts::{CanonicalResult, ErrorCode, Scope, ToolError, ToolFailure};

use super::work;
use crate::dispatch::{Call, by_project, call_runner};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    work::session(call).await?;
    if call.session.as_ref().is_some_and(|session| call.app.store.rejections_wait(session)) {
        return Err(untold());
    }
    let project = call.arguments.get("project").and_then(Value::as_str).unwrap_or_default();
    let runner = by_project(call, project)?;
    let mut result = call_runner(call, &runner, &call.arguments).await?;
    if !call.has_scope(Scope::JobRun)
        && let Some(evidence) = result.output.get_mut("evidence").and_then(Value::as_object_mut)
    {
        evidence.remove("checks");
    }
    Ok(result)
}

/// The rejections themselves come with this very answer.
fn untold() -> Box<ToolFailure> {
    let message = "the user rejected changes of this session; `review_feedback` says which";
    let blocking =
        FinishItem { code: FinishCode::RejectionUntold, message: message.to_owned(), paths: Vec::new() };
    let error = ToolError::new(ErrorCode::FinishBlocked, format!("the task is not closed: {message}"))
        .hint("Go by what the user wants and call finish_coding_task again.")
        .changed(false);
    Box::new(
        ToolFailure::new(error).with_output(serde_json::json!({"closed": false, "blocking": [blocking]})),
    )
}

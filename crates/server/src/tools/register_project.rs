//! Passes a registration to the Runner it is meant for, and adds the caller's short reference.

use serde_json::Value;
use webcodex_contracts::{CanonicalResult, ErrorCode, ProjectId, ToolError, ToolFailure};
use webcodex_link::RunnerHandle;

use super::list_projects::reference;
use crate::dispatch::{Call, call_runner, offline, only_runner};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let runner = runner(call)?;
    let mut result = call_runner(call, &runner, &call.arguments).await?;
    let registered =
        result.output.get("project").and_then(Value::as_str).and_then(|id| ProjectId::parse(id).ok());
    if let Some(project) = registered.filter(|_| result.success) {
        let reference = reference(call, &project).await?;
        result.output.insert("reference".to_owned(), Value::from(reference.as_str()));
    }
    Ok(result)
}

fn runner(call: &Call<'_>) -> Result<RunnerHandle, Box<ToolFailure>> {
    if let Some(client) = call.arguments.get("client_id").and_then(Value::as_str) {
        return call.app.runners.find(client).ok_or_else(|| Box::new(offline(client)));
    }
    let linked = call.app.runners.all();
    if linked.len() > 1 {
        let names = linked.iter().map(|runner| runner.client().as_str()).collect::<Vec<_>>().join(", ");
        let error = ToolError::new(
            ErrorCode::InvalidArguments,
            "several Runners are linked; say which one has the folder",
        );
        return Err(error.field("client_id").hint(format!("Linked: {names}.")).changed(false).into());
    }
    only_runner(call)
}

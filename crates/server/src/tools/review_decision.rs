//! Passes a decision on, and keeps a rejection until the model is told.

use serde_json::Value;
use webcodex_contracts::tools::review_decision::ReviewDecisionOutput;
use webcodex_contracts::{CanonicalResult, ToolFailure};

use super::work;
use crate::dispatch::{Call, by_project, call_runner, store_failed};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    work::session(call).await?;
    let project = call.arguments.get("project").and_then(Value::as_str).unwrap_or_default();
    let runner = by_project(call, project)?;
    let result = call_runner(call, &runner, &call.arguments).await?;
    if !result.success {
        return Ok(result);
    }
    let decided = serde_json::from_value::<ReviewDecisionOutput>(Value::Object(result.output.clone())).ok();
    if let Some(rejection) = decided.and_then(|decided| decided.rejection) {
        work::keep(call, &rejection).await?;
    }
    let taken_back = call.arguments.get("rejection_id").and_then(Value::as_str);
    if let (Some(session), Some(id)) = (&call.session, taken_back) {
        let dropped = call.app.store.drop_rejection(session, id).await;
        dropped.map_err(|error| store_failed(&error))?;
    }
    Ok(result)
}

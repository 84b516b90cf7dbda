//! What the tools of the Work Result have in common on this side: whose session it is, and what a model is told of
//! rejections.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use webcodex_contracts::tools::review::Rejection;
use webcodex_contracts::{CanonicalResult, ErrorCode, SessionId, ToolError, ToolFailure, ToolName, table};
use webcodex_store::{CredentialKind, Session};

use crate::dispatch::{Call, store_failed};

/// Rejections told with one answer.
const MAX_TOLD: u32 = 20;
/// Rejected lines told with one rejection, in characters.
const MAX_LINES: usize = 800;
/// Where in an answer rejections stand.
const FIELD: &str = "review_feedback";

/// The session that the call names, which must work on the project that it names.
pub(super) async fn session(call: &Call<'_>) -> Result<Option<Arc<Session>>, ToolError> {
    let Some(id) = call.arguments.get("session_id").and_then(Value::as_str) else { return Ok(None) };
    let id = SessionId::parse(id)
        .map_err(|error| ToolError::new(ErrorCode::SessionNotFound, error.to_string()))?;
    let store = &call.app.store;
    let caller = &call.incoming.caller;
    // Dispatch has found it to be one that the caller may use.
    let found = match caller.kind {
        CredentialKind::Bootstrap => store.anyones_session(&id).await,
        _ => store.session(&caller.id, &id).await,
    };
    let session = found.map_err(|error| store_failed(&error))?;
    let project = call.arguments.get("project").and_then(Value::as_str);
    match &session {
        Some(session) if project.is_some_and(|project| project != session.project.as_str()) => {
            let message =
                format!("session `{}` works on `{}`, not on this project", session.id, session.project);
            Err(ToolError::new(ErrorCode::InvalidArguments, message).field("session_id").changed(false))
        }
        _ => Ok(session),
    }
}

/// Keeps a rejection until the model is told.
pub(super) async fn keep(call: &Call<'_>, rejection: &Rejection) -> Result<(), ToolError> {
    let Some(session) = &call.session else { return Ok(()) };
    let mut told = json!({"path": rejection.path, "change": rejection.status});
    if let Some(hunk) = &rejection.hunk {
        told["lines"] = Value::from(hunk.chars().take(MAX_LINES).collect::<String>());
    }
    if let Some(note) = rejection.note.as_deref().filter(|note| !note.trim().is_empty()) {
        told["user_says"] = Value::from(note);
    }
    let kept = call.app.store.keep_rejection(session, &rejection.rejection_id, told.to_string()).await;
    kept.map_err(|error| store_failed(&error))
}

/// Adds to an answer for the model what the person has rejected since the last one. Most answers get nothing.
pub(crate) async fn tell(
    call: &Call<'_>,
    outcome: Result<CanonicalResult, Box<ToolFailure>>,
) -> Result<CanonicalResult, Box<ToolFailure>> {
    let Some(session) = &call.session else { return outcome };
    let store = &call.app.store;
    // What a page asks is not for the model, and what opens one is for the person.
    let for_model = !table::get(call.tool).is_app_only() && call.tool != ToolName::WorkResultThreadPanel;
    if !for_model || !store.rejections_wait(session) {
        return outcome;
    }
    let told: Vec<Value> = match store.take_rejections(session, MAX_TOLD).await {
        Ok(told) => told.iter().filter_map(|told| serde_json::from_str(told).ok()).collect(),
        Err(error) => {
            tracing::warn!(%error, "rejections could not be told");
            return outcome;
        }
    };
    if told.is_empty() {
        return outcome;
    }
    let feedback = json!({
        "rejected": told,
        "meaning": "The user undid these changes of yours; the files are as before them. Do not put them back.",
    });
    let add = |output: &mut Map<String, Value>| drop(output.insert(FIELD.to_owned(), feedback));
    match outcome {
        Ok(mut result) => {
            add(&mut result.output);
            Ok(result)
        }
        Err(mut failure) => {
            add(&mut failure.output);
            Err(failure)
        }
    }
}

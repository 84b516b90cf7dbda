//! The state of the work: what the Runner sees, with the Server's knowledge of sessions and calls.

use serde_json::Value;
use webcodex_contracts::tools::work_result_state::{
    ActivityEntry, OtherSession, SessionFacts, WorkResultStateOutput, WorkSession,
};
use webcodex_contracts::{CanonicalResult, ErrorCode, Scope, ToolError, ToolFailure};
use webcodex_store::{CredentialKind, Session, SessionCall, SessionOn};

use super::work;
use crate::control::ReviewNews;
use crate::dispatch::{Call, by_project, call_runner, store_failed};

/// Calls of the session that are listed.
const MAX_ACTIVITY: u32 = 50;
/// Other sessions that are listed.
const MAX_OTHERS: u32 = 20;

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let session = work::session(call).await?;
    let project = call.arguments.get("project").and_then(Value::as_str).unwrap_or_default();
    let runner = by_project(call, project)?;
    let result = call_runner(call, &runner, &call.arguments).await?;
    if !result.success {
        return Ok(result);
    }
    let seen = serde_json::from_value::<WorkResultStateOutput>(Value::Object(result.output));
    let mut output = seen.map_err(|_| other_version())?;
    if !call.has_scope(Scope::JobRun) {
        output.checks.clear();
    }
    if let Some(session) = &session {
        call.app.reviewed(&session.id, ReviewNews::shown(&output));
    }
    complete(call, session.as_deref(), &mut output).await?;
    Ok(CanonicalResult::success(output))
}

async fn complete(
    call: &Call<'_>,
    session: Option<&Session>,
    output: &mut WorkResultStateOutput,
) -> Result<(), ToolError> {
    let store = &call.app.store;
    let sessions = store.sessions_on(&output.project.project, MAX_OTHERS + 1).await;
    let sessions = sessions.map_err(|error| store_failed(&error))?;
    if let Some(session) = session {
        let (calls, count) =
            store.calls_of_session(&session.id, MAX_ACTIVITY).await.map_err(|error| store_failed(&error))?;
        output.activity = calls.into_iter().map(activity).collect();
        output.activity_count = count;
        let last_used_ms = sessions.iter().find(|other| other.session.id == session.id);
        output.session = Some(WorkSession {
            session_id: session.id.clone(),
            title: session.title.clone(),
            facts: facts(session, last_used_ms.map_or(session.created_ms, |known| known.last_used_ms)),
        });
    }
    let others = sessions.into_iter().filter(|other| session.is_none_or(|own| other.session.id != own.id));
    output.collaboration = others.take(MAX_OTHERS as usize).map(|other| told(call, other)).collect();
    output.diagnostics.window_known = call.incoming.window.is_some();
    output.diagnostics.server_version = call.app.version.clone();
    Ok(())
}

fn activity(call: SessionCall) -> ActivityEntry {
    ActivityEntry {
        at_ms: call.at_ms,
        tool: call.tool,
        success: call.success,
        error_code: call.error,
        duration_ms: call.duration_us / 1000,
    }
}

/// What somebody else's session is about is their own matter.
fn told(call: &Call<'_>, other: SessionOn) -> OtherSession {
    let caller = &call.incoming.caller;
    let own = other.session.principal == caller.id || caller.kind == CredentialKind::Bootstrap;
    let facts = facts(&other.session, other.last_used_ms);
    OtherSession { title: own.then_some(other.session.title).filter(|title| !title.is_empty()), facts }
}

fn facts(session: &Session, last_used_ms: u64) -> SessionFacts {
    SessionFacts { client_name: session.client_name.clone(), created_ms: session.created_ms, last_used_ms }
}

fn other_version() -> ToolError {
    let message = "the Runner's answer cannot be read; Server and Runner may be of different versions";
    ToolError::new(ErrorCode::RequiredCapabilityUnavailable, message).hint("Update both to the same version.")
}

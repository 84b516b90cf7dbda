//! Starts or resumes a session: the Runner opens the project, the Server keeps the session and the references.

use serde_json::{Map, Value};
use webcodex_contracts::call::Grant;
use webcodex_contracts::tools::work_on_project::SessionInfo;
use webcodex_contracts::{CanonicalResult, ErrorCode, ProjectId, SessionId, ToolError, ToolFailure};
use webcodex_link::RunnerHandle;
use webcodex_store::{NewSession, RefKind, Session};

use super::list_projects::{reference, visible};
use crate::dispatch::{Call, by_project, call_runner, only_runner, store_failed};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let resumed = resumed_session(call).await?;
    let mut arguments = call.arguments.clone();
    let runner = choose(call, resumed.as_deref(), &mut arguments).await?;
    // The Runner remembers the files as they are when a session begins, so it has to know its name by then.
    let begins = call.app.store.new_session_id().map_err(|error| store_failed(&error))?;
    let told = resumed.as_ref().map_or_else(|| begins.clone(), |session| session.id.clone());
    let call = &Call { session: Some(told), arguments: call.arguments.clone(), ..*call };
    let mut result = call_runner(call, &runner, &arguments).await?;
    if result.success {
        complete(call, resumed.as_deref(), begins, &mut result.output).await?;
    }
    Ok(result)
}

async fn resumed_session(call: &Call<'_>) -> Result<Option<std::sync::Arc<Session>>, ToolError> {
    let Some(id) = call.arguments.get("session_id").and_then(Value::as_str) else { return Ok(None) };
    // Dispatch has found it to be the caller's own.
    let id = SessionId::parse(id)
        .map_err(|error| ToolError::new(ErrorCode::SessionNotFound, error.to_string()))?;
    call.app.store.session(&call.incoming.caller.id, &id).await.map_err(|error| store_failed(&error))
}

/// The Runner that has the project. Where the arguments name none, the session's or the only visible one is filled in.
async fn choose(
    call: &Call<'_>,
    resumed: Option<&Session>,
    arguments: &mut Value,
) -> Result<RunnerHandle, Box<ToolFailure>> {
    if arguments.get("project").is_some() && arguments.get("path").is_some() {
        let error = ToolError::new(ErrorCode::InvalidArguments, "give `project` or `path`, not both");
        return Err(error.field("path").changed(false).into());
    }
    if let Some(project) = arguments.get("project").and_then(Value::as_str) {
        same_project(resumed, project)?;
        return by_project(call, project);
    }
    if arguments.get("path").is_some() {
        return runner_for_path(call);
    }
    let project = match resumed {
        Some(session) => session.project.clone(),
        None => only_visible(call).await?,
    };
    if !call.incoming.caller.grant.allows(&project) {
        return Err(crate::dispatch::unknown_project(project.as_str()).into());
    }
    arguments["project"] = Value::from(project.as_str());
    by_project(call, project.as_str())
}

fn same_project(resumed: Option<&Session>, project: &str) -> Result<(), ToolError> {
    match resumed {
        Some(session) if session.project.as_str() != project => {
            let message =
                format!("session `{}` works on `{}`, not on `{project}`", session.id, session.project);
            let error = ToolError::new(ErrorCode::InvalidArguments, message).field("session_id");
            Err(error.hint("Leave `session_id` out to start a session on this project.").changed(false))
        }
        _ => Ok(()),
    }
}

fn runner_for_path(call: &Call<'_>) -> Result<RunnerHandle, Box<ToolFailure>> {
    if call.app.runners.all().len() <= 1 {
        return only_runner(call);
    }
    let error = ToolError::new(
        ErrorCode::InvalidArguments,
        "several Runners are linked, so a path alone is ambiguous",
    );
    let hint = "Register the folder with register_project (`path`, `client_id`), then pass `project`.";
    Err(error.field("path").hint(hint).changed(false).into())
}

async fn only_visible(call: &Call<'_>) -> Result<ProjectId, Box<ToolFailure>> {
    let listed = visible(call).await?;
    match listed.projects.as_slice() {
        [] => {
            let error =
                ToolError::new(ErrorCode::ProjectNotConfigured, "there is no project yet that you may use");
            Err(error.hint("Pass `path` to register a folder.").changed(false).into())
        }
        [only] => Ok(only.project.clone()),
        several => {
            let names: Vec<_> =
                several.iter().map(|project| format!("`{}` ({})", project.project, project.path)).collect();
            let error =
                ToolError::new(ErrorCode::InvalidArguments, "there are several projects; say which one");
            Err(error.field("project").hint(format!("Choose: {}.", names.join(", "))).changed(false).into())
        }
    }
}

/// Adds session and references to what the Runner said.
async fn complete(
    call: &Call<'_>,
    resumed: Option<&Session>,
    begins: SessionId,
    output: &mut Map<String, Value>,
) -> Result<(), Box<ToolFailure>> {
    let opened = output.get_mut("project").and_then(Value::as_object_mut);
    let Some(opened) = opened else { return Err(unreadable().into()) };
    let id = opened.get("project").and_then(Value::as_str).and_then(|id| ProjectId::parse(id).ok());
    let project = id.ok_or_else(unreadable)?;
    let source = opened.get("worktree_of").and_then(Value::as_str).and_then(|id| ProjectId::parse(id).ok());
    grant_worktree(call, &project, source.as_ref()).await?;
    let reference = reference(call, &project).await?;
    opened.insert("reference".to_owned(), Value::from(reference.as_str()));
    let session = session_info(call, resumed, begins, project).await?;
    let session = serde_json::to_value(session).map_err(|_| unreadable())?;
    output.shift_insert(0, "session".to_owned(), session);
    Ok(())
}

/// A worktree of a project that the caller may see is the caller's too.
async fn grant_worktree(
    call: &Call<'_>,
    project: &ProjectId,
    source: Option<&ProjectId>,
) -> Result<(), ToolError> {
    let caller = &call.incoming.caller;
    if caller.grant.allows(project) {
        return Ok(());
    }
    let Grant::Projects(_) = &caller.grant else { return Ok(()) };
    if !source.is_some_and(|source| caller.grant.allows(source)) {
        return Err(crate::dispatch::unknown_project(project.as_str()));
    }
    let extended = call.app.store.credentials().extend_grant(&caller.id, project).await;
    extended.map_err(|error| store_failed(&error))
}

async fn session_info(
    call: &Call<'_>,
    resumed: Option<&Session>,
    begins: SessionId,
    project: ProjectId,
) -> Result<SessionInfo, ToolError> {
    let store = &call.app.store;
    let caller = &call.incoming.caller.id;
    let session_id = match resumed {
        // A worktree is another project, so its work is another session.
        Some(session) if session.project == project => session.id.clone(),
        _ => {
            let title =
                call.arguments.get("instruction").and_then(Value::as_str).unwrap_or_default().to_owned();
            let incoming = call.incoming;
            let client_name =
                incoming.client_name.as_deref().or(incoming.program.as_deref()).map(str::to_owned);
            let id = Some(begins);
            let new = NewSession { id, principal: caller.clone(), project, title, client_name };
            let session = store.create_session(new).await.map_err(|error| store_failed(&error))?;
            call.app.control.book.session_started(&session);
            session.id.clone()
        }
    };
    let text = store
        .reference(caller, RefKind::Session, session_id.as_str())
        .await
        .map_err(|error| store_failed(&error))?;
    let resumed = resumed.is_some_and(|session| session.id == session_id);
    let reference = SessionId::parse(&text).unwrap_or_else(|_| session_id.clone());
    Ok(SessionInfo { session_id, reference, resumed })
}

fn unreadable() -> ToolError {
    let message = "the Runner's answer names no project; Server and Runner may be of different versions";
    ToolError::new(ErrorCode::RequiredCapabilityUnavailable, message).hint("Update both to the same version.")
}

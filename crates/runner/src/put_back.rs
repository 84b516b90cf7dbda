//! Putting contents back: under write access, after the person's word where the project asks first, all or nothing.

use std::time::Instant;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::control::ApprovalAsks;
use webcodex_contracts::{ProjectId, ToolFailure, ToolResult};
use webcodex_files::{ContentHash, Files, Plan, Put};
use webcodex_git::PutBack;
use webcodex_link::Caller;
use webcodex_projects::WriteAccess;

use crate::access::write_access;
use crate::error::files::Caller as Named;
use crate::{Runner, approval, error};

/// Puts the contents back. What has changed since they were planned is found by content and refused as a whole.
pub(crate) async fn carry_out(
    runner: &Runner,
    call: &CallContext,
    caller: &Caller,
    id: &ProjectId,
    files: &[PutBack],
) -> ToolResult<()> {
    let began = Instant::now();
    let project = runner.project(call, id)?;
    let puts: Vec<Put> = files.iter().map(put).collect();
    if project.terms.ask_first {
        let access = write_access(call, &project).await?;
        let shown = planned(runner, call, access, puts.clone(), id, |_, plan, _| Ok(plan.shown())).await?;
        let folder = project.root.display().to_string();
        approval::ask(call, caller, &project, folder, ApprovalAsks::Edit { files: shown }, began).await?;
        if caller.unwanted().is_cancelled() {
            return Err(approval::too_late("edit", &project.name).into());
        }
    }
    // Looked up again: while a person thought, the project may have been set to something stricter.
    let access = write_access(call, &runner.project(call, id)?).await?;
    let named = id.clone();
    planned(runner, call, access, puts, id, move |files, plan, access| {
        let caller = Named { project: &named, session_id: None };
        files.commit(plan, access).map_err(|error| plain(error::files::commit(&error, &caller)))?;
        Ok(())
    })
    .await
}

/// Plans under write access and does something with the plan.
async fn planned<T: Send + 'static>(
    runner: &Runner,
    call: &CallContext,
    mut access: WriteAccess,
    puts: Vec<Put>,
    id: &ProjectId,
    with: impl FnOnce(&Files, Plan, &mut WriteAccess) -> ToolResult<T> + Send + 'static,
) -> ToolResult<T> {
    let (files, id) = (runner.files.clone(), id.clone());
    let work = move || {
        let caller = Named { project: &id, session_id: None };
        let plan = files.plan_contents(&access, puts);
        let plan = plan.map_err(|error| plain(error::files::edit(&error, &caller)))?;
        with(&files, plan, &mut access)
    };
    runner.blocking(call, work).await
}

fn put(file: &PutBack) -> Put {
    let PutBack { path, expect, content, executable, .. } = file.clone();
    Put { path, expect: expect.map(ContentHash::from_bytes), content, executable }
}

/// The caller has sent no changes, so none of its arguments is at fault.
fn plain(mut failure: Box<ToolFailure>) -> Box<ToolFailure> {
    failure.error.field = None;
    failure
}

//! Undoes the work of one session.

use std::sync::Arc;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::restore_changes::{
    RefusedFile, RestoreChangesOutput, RestoreChangesParams, RestoredFile,
};
use webcodex_contracts::{ErrorCode, ToolError, ToolFailure, ToolResult};
use webcodex_git::{PutBackPlan, RestoreAsked};
use webcodex_link::Caller;

use crate::access::write_access;
use crate::attribution::within;
use crate::{Runner, error, put_back};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RestoreChangesParams,
    caller: &Caller,
) -> ToolResult<RestoreChangesOutput> {
    let project = runner.project(call, &params.project)?;
    let params = Arc::new(params);
    let (plan, refused) = {
        let access = write_access(call, &project).await?;
        let (git, interrupt, params) = (Arc::clone(&runner.git), within(call), Arc::clone(&params));
        let planning = move || {
            let asked = RestoreAsked {
                session: &params.session_id,
                paths: params.paths.as_deref(),
                merge: params.merge,
                dry_run: params.dry_run,
            };
            git.plan_restore(&access, &asked, &interrupt)
                .map_err(|error| error::snapshots::to_failure(&error))
        };
        runner.blocking(call, planning).await?
    };
    let output = output(&plan, refused, !params.dry_run);
    if params.dry_run {
        return Ok(output);
    }
    if plan.files.is_empty() {
        return if output.refused.is_empty() { Ok(output) } else { Err(all_refused(output)) };
    }
    let made = put_back::carry_out(runner, call, caller, &params.project, &plan.files).await;
    let (git, access, settled) = (Arc::clone(&runner.git), project.read_access(), made.is_ok());
    let settling = move || {
        git.settle_edit(&access, &params.session_id, plan.number, settled)
            .map_err(|error| error::git::to_tool_error(&error).into())
    };
    let noted = runner.blocking(call, settling).await;
    made.and(noted).map(|()| output)
}

fn output(plan: &PutBackPlan, refused: Vec<RefusedFile>, carried_out: bool) -> RestoreChangesOutput {
    let file = |file: &webcodex_git::PutBack| RestoredFile {
        path: file.path.to_string(),
        action: file.action(),
        merged: file.merged,
    };
    let restored: Vec<RestoredFile> = plan.files.iter().map(file).collect();
    RestoreChangesOutput { changed: carried_out && !restored.is_empty(), restored, refused }
}

fn all_refused(output: RestoreChangesOutput) -> Box<ToolFailure> {
    let message = format!("none of {} files can be put back as it was", output.refused.len());
    let error = ToolError::new(ErrorCode::ChangesConflict, message)
        .hint("`refused` says why for each file; edit them by hand where that is wanted.")
        .changed(false);
    Box::new(ToolFailure::new(error).with_output(output))
}

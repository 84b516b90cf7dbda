//! Changes files of one project, all or nothing.

use std::sync::Arc;
use std::time::Instant;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::control::{ApprovalAsks, ChangedFile as ShownFile};
use webcodex_contracts::tools::edit_project_files::{
    ChangedFile, EditProjectFilesOutput, EditProjectFilesParams, FileAction,
};
use webcodex_contracts::{ErrorCode, ToolError, ToolResult};
use webcodex_files::{FileChange, PlanFingerprint};
use webcodex_link::Caller as Waiting;

use crate::access::write_access;
use crate::error::files::Caller;
use crate::{Runner, approval, attribution, error};

/// Plans every change, asks the person where the project is set so, then carries all of them out or none.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: EditProjectFilesParams,
    caller: &Waiting,
) -> ToolResult<EditProjectFilesOutput> {
    let began = Instant::now();
    let project = runner.project(call, &params.project)?;
    let params = Arc::new(params);
    if params.dry_run || !project.terms.ask_first {
        return carry_out(runner, call, params, None).await;
    }
    let (files, fingerprint) = preview(runner, call, &params).await?;
    if !files.is_empty() {
        let folder = project.root.display().to_string();
        approval::ask(call, caller, &project, folder, ApprovalAsks::Edit { files }, began).await?;
    }
    carry_out(runner, call, params, Some(Allowed { fingerprint, caller })).await
}

/// What a person has allowed, and who waits for it.
struct Allowed<'a> {
    fingerprint: PlanFingerprint,
    caller: &'a Waiting,
}

/// What would change. Plans with write access and gives it back, so that nobody is kept waiting while a person thinks.
async fn preview(
    runner: &Runner,
    call: &CallContext,
    params: &Arc<EditProjectFilesParams>,
) -> ToolResult<(Vec<ShownFile>, PlanFingerprint)> {
    let access = write_access(call, &runner.project(call, &params.project)?).await?;
    let (files, params) = (runner.files.clone(), Arc::clone(params));
    let planning = move || {
        let plan = files
            .plan_edits(&access, &params.changes)
            .map_err(|error| error::files::edit(&error, &Caller::of(&params)))?;
        Ok((plan.shown(), plan.fingerprint()))
    };
    runner.blocking(call, planning).await
}

/// Plans and commits under one write access. With `allowed` only that very plan is carried out.
async fn carry_out(
    runner: &Runner,
    call: &CallContext,
    params: Arc<EditProjectFilesParams>,
    allowed: Option<Allowed<'_>>,
) -> ToolResult<EditProjectFilesOutput> {
    // Looked up only now: while a person thought, the project may have been set to something stricter.
    let mut access = write_access(call, &runner.project(call, &params.project)?).await?;
    if allowed.as_ref().is_some_and(|allowed| allowed.caller.unwanted().is_cancelled()) {
        return Err(approval::too_late("edit", &access.project().name).into());
    }
    let shown = allowed.map(|allowed| allowed.fingerprint);
    let (files, git) = (runner.files.clone(), Arc::clone(&runner.git));
    let (session, looking) =
        (params.session_id.clone().or_else(|| call.session_id.clone()), attribution::within(call));
    let work = move || {
        let caller = Caller::of(&params);
        let plan = files
            .plan_edits(&access, &params.changes)
            .map_err(|error| error::files::edit(&error, &caller))?;
        let changes_anything = plan.changes_anything();
        if params.dry_run {
            return Ok(EditProjectFilesOutput {
                changed: false,
                files: plan.into_changes().into_iter().map(changed_file).collect(),
                state_changed: Some(false),
                would_change: Some(changes_anything),
            });
        }
        if shown.is_some_and(|shown| shown != plan.fingerprint()) {
            return Err(not_as_shown().into());
        }
        // In a folder without git the first edit must not become part of what later changes are counted from.
        git.ensure_baseline(&access).map_err(|error| error::git::to_tool_error(&error))?;
        let noted = attribution::about_to_edit(&git, &access, session.as_ref(), &plan, &looking);
        let committed = files.commit(plan, &mut access);
        attribution::edited(&git, &access, noted, committed.is_ok());
        let changes = committed.map_err(|error| error::files::commit(&error, &caller))?;
        Ok(EditProjectFilesOutput {
            changed: changes_anything,
            files: changes.into_iter().map(changed_file).collect(),
            state_changed: None,
            would_change: None,
        })
    };
    runner.blocking(call, work).await
}

/// Something that decides what the edit does has changed while the person looked at it.
fn not_as_shown() -> ToolError {
    let message =
        "what this edit would do now is not what the person was shown and allowed; nothing was written";
    ToolError::new(ErrorCode::StaleRevision, message)
        .hint("Read the files again and send the edit anew.")
        .changed(false)
}

fn changed_file(change: FileChange) -> ChangedFile {
    // Success is sparse: nothing is said about what did not change.
    let counts_lines = !matches!(change.action, FileAction::Unchanged);
    let lines = |count: u64| (counts_lines && count > 0).then_some(count);
    ChangedFile {
        path: change.path,
        action: change.action,
        old_path: change.old_path,
        read_revision: change.revision,
        sha256: change.hash.map(|hash| hash.to_string()),
        places: change.places,
        first_changed_line: change.first_changed_line,
        added_lines: lines(change.added_lines),
        removed_lines: lines(change.removed_lines),
    }
}

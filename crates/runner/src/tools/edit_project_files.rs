//! Changes files of one project, all or nothing.

use std::sync::Arc;

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::edit_project_files::{
    ChangedFile, EditProjectFilesOutput, EditProjectFilesParams, FileAction,
};
use webcodex_files::FileChange;

use crate::access::write_access;
use crate::error::files::Caller;
use crate::{Runner, error};

/// Takes write access, plans every change, then carries all of them out or none.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: EditProjectFilesParams,
) -> ToolResult<EditProjectFilesOutput> {
    let project = runner.project(call, &params.project)?;
    let mut access = write_access(call, &project).await?;
    let (files, git) = (runner.files.clone(), Arc::clone(&runner.git));
    runner
        .blocking(call, move || {
            let caller = Caller { project: &params.project, session_id: params.session_id.as_ref() };
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
            // In a folder without git the first edit must not become part of what later changes are counted from.
            git.ensure_baseline(&access).map_err(|error| error::git::to_tool_error(&error))?;
            let changes =
                files.commit(plan, &mut access).map_err(|error| error::files::commit(&error, &caller))?;
            Ok(EditProjectFilesOutput {
                changed: changes_anything,
                files: changes.into_iter().map(changed_file).collect(),
                state_changed: None,
                would_change: None,
            })
        })
        .await
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

//! Access tokens for calls, with refusals that a model understands.

use std::sync::Arc;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_projects::{Project, RunAccess, WriteAccess};

use crate::error;

/// Permission to change files of a project. Waits for its turn, but not for ever: an edit before this one may be stuck
/// on a file system that does not answer.
pub(crate) async fn write_access(
    call: &CallContext,
    project: &Arc<Project>,
) -> Result<WriteAccess, ToolError> {
    let patience = call.policy.deadline() / 2;
    let waited = tokio::time::timeout(patience, project.write_access()).await.map_err(|_| {
        ToolError::new(
            ErrorCode::Busy,
            format!(
                "another edit of `{}` has been going on for more than {} s",
                project.name,
                patience.as_secs_f32()
            ),
        )
        .hint("Try again in a moment; the edit was not begun.")
        .changed(false)
    })?;
    waited.map_err(|error| error::projects::not_allowed(&error))
}

/// Permission to start programs in a project.
pub(crate) fn run_access(project: &Arc<Project>) -> Result<RunAccess, ToolError> {
    project.run_access().map_err(|error| error::projects::not_allowed(&error))
}

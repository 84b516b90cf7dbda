//! Errors of snapshots, reviews and undoing.

use serde_json::json;
use webcodex_contracts::{ErrorCode, ToolError, ToolFailure};
use webcodex_git::SnapshotError;

/// An error about a snapshot. The project is as it was.
pub(crate) fn to_failure(error: &SnapshotError) -> Box<ToolFailure> {
    let message = error.to_string();
    let with = |code: ErrorCode| ToolError::new(code, message.clone());
    let tool_error = match error {
        SnapshotError::Git(error) => return super::git::to_tool_error(error).into(),
        SnapshotError::Expired { .. } => with(ErrorCode::SnapshotExpired),
        SnapshotError::NotListed { .. } => with(ErrorCode::NotFound).field("path"),
        SnapshotError::NoPreview { .. } => with(ErrorCode::NoPreview).field("path"),
        SnapshotError::Changed { .. } => with(ErrorCode::StaleRevision),
        SnapshotError::NotUndoable { .. } => with(ErrorCode::ChangesConflict),
        SnapshotError::Unknown { what, .. } => with(ErrorCode::NotFound).field(format!("{what}_id")),
    };
    let tool_error = tool_error.changed(false);
    let failure = ToolFailure::new(match error.hint() {
        Some(hint) => tool_error.hint(hint),
        None => tool_error,
    });
    Box::new(match error {
        SnapshotError::NoPreview { path, reason } => {
            failure.with_output(json!({"path": path, "reason": reason}))
        }
        _ => failure,
    })
}

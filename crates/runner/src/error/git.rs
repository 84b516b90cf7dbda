//! Errors of reading changes and history and of worktrees.

use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_git::GitError;

use super::projects::io_error;

/// An error of the git crate as callers see it. Reading changes nothing, and a worktree is made as a whole or not at all.
pub(crate) fn to_tool_error(error: &GitError) -> ToolError {
    let message = error.to_string();
    let with = |code: ErrorCode| ToolError::new(code, message.clone());
    let tool_error = match error {
        GitError::RevisionNotFound { field, .. } => with(ErrorCode::RevisionNotFound).field(*field),
        GitError::NotARepository { .. } => with(ErrorCode::NotARepository),
        GitError::CursorInvalid { .. } => with(ErrorCode::CursorInvalid).field("cursor"),
        GitError::Interrupted => with(ErrorCode::DeadlineExceeded),
        GitError::NoCommit => with(ErrorCode::RevisionNotFound),
        GitError::DestinationExists { .. } | GitError::BranchExists { .. } => with(ErrorCode::AlreadyExists),
        GitError::BranchInvalid { .. } => with(ErrorCode::InvalidArguments),
        GitError::WorktreeInUse { .. } => with(ErrorCode::ChangesConflict),
        GitError::NotAWorktree { .. } => with(ErrorCode::NotARepository),
        GitError::TooManyFiles { .. } => with(ErrorCode::WorkspaceUnavailable),
        GitError::Repository(_) => with(ErrorCode::GitFailed),
        GitError::Io { source, .. } => io_error(source, message),
    };
    let tool_error = tool_error.changed(false);
    match error.hint() {
        Some(hint) => tool_error.hint(hint),
        None => tool_error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_revision_names_its_argument_and_what_may_be_meant() {
        let error = to_tool_error(&GitError::RevisionNotFound {
            given: "mian".to_owned(),
            field: "base",
            reason: "there is no branch, tag or commit of this name".to_owned(),
            nearest: vec!["main".to_owned()],
        });
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::RevisionNotFound, Some("base")));
        assert_eq!(error.hint.as_deref(), Some("Did you mean `main`?"));
    }
}

//! Where a repository stands, at the price of reading a few small files.

use gix::bstr::ByteSlice;
use gix::state::InProgress;
use webcodex_contracts::tools::read_workspace_changes::Position;

use crate::GitError;
use crate::repository::Workspace;

/// The state of a project in a few facts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Whether the folder is a git repository.
    pub git: bool,
    /// Where it stands.
    pub at: Position,
}

impl Summary {
    pub(crate) fn of(repo: &gix::Repository) -> Result<Self, GitError> {
        let head = repo.head()?;
        let at = Position {
            branch: head.referent_name().map(|name| crate::names::text(name.shorten())),
            head: head.id().map(|id| id.to_string()),
            operation: operation(repo).map(str::to_owned),
        };
        Ok(Self { git: true, at })
    }
}

/// What git is in the middle of.
fn operation(repo: &gix::Repository) -> Option<&'static str> {
    match repo.state()? {
        InProgress::ApplyMailbox => Some("applying patches"),
        InProgress::ApplyMailboxRebase | InProgress::Rebase | InProgress::RebaseInteractive => Some("rebase"),
        InProgress::Bisect => Some("bisect"),
        InProgress::CherryPick | InProgress::CherryPickSequence => Some("cherry-pick"),
        InProgress::Merge => Some("merge"),
        InProgress::Revert | InProgress::RevertSequence => Some("revert"),
    }
}

/// What the reader of a list of changes should know about the repository.
pub(crate) fn notes(workspace: &Workspace) -> Vec<String> {
    let repo = &workspace.repo;
    let mut notes = Vec::new();
    for (folder, name) in [
        (repo.git_dir(), "index.lock"),
        (repo.git_dir(), "HEAD.lock"),
        (repo.common_dir(), "packed-refs.lock"),
    ] {
        if folder.join(name).exists() {
            notes.push(format!(
                "`{name}` lies in the git folder: a git command is at work or was cut off. It was left alone; git \
                 commands that change something may fail until it is gone"
            ));
        }
    }
    if workspace.is_foreign() {
        notes.push(
            "the repository belongs to another user: programs that its own settings name are not run"
                .to_owned(),
        );
    }
    if workspace.index.is_sparse() || repo.config_snapshot().boolean("core.sparseCheckout") == Some(true) {
        notes.push("only a part of the repository is checked out (sparse checkout)".to_owned());
    }
    notes
}

/// Whether lines remain in which git marks a conflict.
pub(crate) fn has_conflict_markers(content: &[u8]) -> bool {
    let mut lines = content.lines();
    let opens = |line: &[u8]| line.starts_with(b"<<<<<<< ");
    let closes = |line: &[u8]| line.starts_with(b">>>>>>> ");
    lines.any(opens) && lines.any(|line| line == b"=======") && lines.any(closes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_set_of_markers_is_a_conflict() {
        assert!(has_conflict_markers(b"a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> side\nb\n"));
        assert!(has_conflict_markers(b"<<<<<<< HEAD\r\nx\r\n=======\r\ny\r\n>>>>>>> side\r\n"));
        assert!(!has_conflict_markers(b"Title\n=======\n<<<<<<< quoted\n"));
        assert!(!has_conflict_markers(b"  <<<<<<< HEAD\n=======\n>>>>>>> x\n"));
    }
}

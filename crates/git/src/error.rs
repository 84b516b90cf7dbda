//! What can go wrong when a project's changes or history are read.

use std::io;
use std::path::PathBuf;

/// An error of this crate. Nothing in the project or its repository was changed unless the variant says so.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// A revision that names no commit here.
    #[error("`{given}` names no commit in this repository: {reason}")]
    RevisionNotFound {
        /// What the caller wrote.
        given: String,
        /// The argument that held it: `base`, `target` or `revision`.
        field: &'static str,
        /// Why it was not found.
        reason: String,
        /// Branches and tags with similar names.
        nearest: Vec<String>,
    },
    /// The call needs a git repository and the folder is none.
    #[error("the folder is not a git repository, so {wanted}")]
    NotARepository {
        /// What cannot be done without one.
        wanted: &'static str,
    },
    /// The continuation is not one of ours or belongs to another request.
    #[error("the cursor does not belong to this request: {reason}")]
    CursorInvalid {
        /// What does not fit.
        reason: &'static str,
    },
    /// The call's time was over, or nobody waits for it any more.
    #[error("the time for this call was over before the changes were read")]
    Interrupted,
    /// A worktree needs a commit to start from.
    #[error("the repository has no commit yet, so there is nothing to make a worktree of")]
    NoCommit,
    /// The place for a worktree is taken.
    #[error("{} already exists", path.display())]
    DestinationExists {
        /// The place.
        path: PathBuf,
    },
    /// A branch of this name exists already.
    #[error("the branch `{branch}` already exists")]
    BranchExists {
        /// Full name without `refs/heads/`.
        branch: String,
    },
    /// The name cannot be a branch.
    #[error("`{branch}` is not a name git allows for a branch")]
    BranchInvalid {
        /// The refused name.
        branch: String,
    },
    /// A worktree that holds work is not removed.
    #[error("the worktree at {} holds {what}; it was left as it is", path.display())]
    WorktreeInUse {
        /// The worktree.
        path: PathBuf,
        /// What would be lost.
        what: String,
    },
    /// The folder is not a worktree that may be removed.
    #[error("{} is not a linked worktree of a repository", path.display())]
    NotAWorktree {
        /// The folder.
        path: PathBuf,
    },
    /// A folder without git that holds more than can be followed.
    #[error(
        "the folder is not under git and holds {count} files that are not ignored; at most {limit} can be followed"
    )]
    TooManyFiles {
        /// Files found.
        count: usize,
        /// Most files allowed.
        limit: usize,
    },
    /// The repository could not be read, or an object in it is missing or broken.
    #[error("the repository could not be read: {0}")]
    Repository(String),
    /// Our own store of earlier states could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl GitError {
    /// The next step for the caller, where there is a better one than trying again.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::RevisionNotFound { nearest, .. } if nearest.is_empty() => {
                Some("Give a commit id, a branch or a tag; read_git_history lists commits.".to_owned())
            }
            Self::RevisionNotFound { nearest, .. } => Some(format!("Did you mean {}?", quoted(nearest))),
            Self::NotARepository { .. } => Some("read_workspace_changes works without git too.".to_owned()),
            Self::CursorInvalid { .. } => Some("Start again without `cursor`.".to_owned()),
            Self::Interrupted => Some("Ask for less: name `paths`, or use `diff: none`.".to_owned()),
            Self::NoCommit => Some("Work on the project directly, or make a first commit.".to_owned()),
            Self::BranchExists { .. } | Self::DestinationExists { .. } | Self::BranchInvalid { .. } => {
                Some("Choose another name.".to_owned())
            }
            Self::WorktreeInUse { .. } => Some("Commit or copy what is there first.".to_owned()),
            Self::TooManyFiles { .. } => {
                Some("Leave folders out with a `.gitignore`, or use git.".to_owned())
            }
            Self::NotAWorktree { .. } | Self::Repository(_) | Self::Io { .. } => None,
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

impl From<gix::Error> for GitError {
    fn from(error: gix::Error) -> Self {
        if error.is_cancelled() { Self::Interrupted } else { Self::Repository(explain(&error)) }
    }
}

/// The whole story of an error on one line, without repeating what a cause says again.
pub(crate) fn explain(error: &gix::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for error in error.iter_errors() {
        let text = error.to_string();
        if !text.is_empty() && !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text);
        }
    }
    parts.join(": ")
}

/// Names the file with what the system said about it.
pub(crate) fn io_at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> GitError {
    let path = path.into();
    move |source| GitError::Io { path, source }
}

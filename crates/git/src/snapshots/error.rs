//! Why something of a snapshot cannot be shown or done.

use webcodex_contracts::tools::review::NoPreview;

use crate::GitError;

/// An error about snapshots. Nothing in the project was changed.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It is not kept, or not any more.
    #[error("{what} is not kept any more")]
    Expired {
        /// What is missing.
        what: String,
    },
    /// The snapshot lists no such file.
    #[error("the snapshot does not list `{path}`")]
    NotListed {
        /// The path that was asked for.
        path: String,
    },
    /// There are no lines to show.
    #[error("`{path}` has no text to show: it is {}", word(*.reason))]
    NoPreview {
        /// The file.
        path: String,
        /// Why.
        reason: NoPreview,
    },
    /// The file is not what the person looks at any more.
    #[error("`{path}` has changed since; it was left as it is")]
    Changed {
        /// The file.
        path: String,
    },
    /// The change cannot be undone here.
    #[error("`{path}` cannot be undone here: {why}")]
    NotUndoable {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// No hunk or rejection has this name.
    #[error("there is no {what} `{given}` here")]
    Unknown {
        /// What was looked for: `hunk` or `rejection`.
        what: &'static str,
        /// The name that was sent.
        given: String,
    },
    /// The repository could not be read, or our own store not written.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl SnapshotError {
    /// The next step.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Expired { .. } | Self::Unknown { .. } | Self::NotListed { .. } => {
                Some("Look at the present state of the work again.".to_owned())
            }
            Self::Changed { .. } => {
                Some("Look at the present state of the work and decide again.".to_owned())
            }
            Self::NoPreview { .. } | Self::NotUndoable { .. } => None,
            Self::Git(error) => error.hint(),
        }
    }
}

fn word(reason: NoPreview) -> &'static str {
    match reason {
        NoPreview::Deleted => "deleted",
        NoPreview::Binary => "binary",
        NoPreview::NotUtf8 => "not UTF-8",
        NoPreview::Symlink => "a link",
        NoPreview::Submodule => "a submodule",
        NoPreview::Special => "neither a file nor a link",
        NoPreview::TooLarge => "too large",
    }
}

//! Status, differences and history of a project, with or without git, without the git program.
//!
//! What is on disk, what is staged and what is committed become one list with one entry for each path. A folder that
//! is not under git is compared with the first look at it, which is kept in the Runner's data folder. Worktrees for
//! isolated work are the only thing that is ever made in a user's repository, and only on request.
//!
//! **Invariant.** Reading writes nothing into the project or its repository: no lock, no refreshed index, no object.
//! Names and revisions from callers are names, never options or patterns. No hook is run, and a filter program only if
//! the user's own configuration names it, for a short time.
//!
//! Everything here is synchronous; the caller gives it a thread and an [`Interrupt`].
//!
//! ```
//! use webcodex_contracts::ProjectId;
//! use webcodex_contracts::tools::read_workspace_changes::{ChangeStatus, ReadWorkspaceChangesParams};
//! use webcodex_git::{Git, Interrupt};
//! use webcodex_projects::Project;
//!
//! let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
//! std::fs::write(folder.path().join("notes.txt"), "one\n").unwrap();
//! let project = Project::new(ProjectId::parse("agent:me:demo").unwrap(), "demo", folder.path()).unwrap();
//! let git = Git::open(data.path()).unwrap();
//! git.ensure_baseline(&project.read_access()).unwrap();
//!
//! std::fs::write(folder.path().join("notes.txt"), "one\ntwo\n").unwrap();
//! let params: ReadWorkspaceChangesParams = serde_json::from_str(r#"{"project": "agent:me:demo"}"#).unwrap();
//! let changes = git.read_changes(&project.read_access(), &params, &Interrupt::never()).unwrap();
//! assert_eq!((changes.files[0].path.as_str(), changes.files[0].status), ("notes.txt", ChangeStatus::Modified));
//! assert_eq!(changes.added_lines, Some(1));
//! ```

mod changes;
mod clean;
mod content;
mod cursor;
mod disk;
mod error;
mod filters;
mod git;
mod history;
mod interrupt;
mod lines;
mod names;
mod page;
mod repository;
mod revision;
mod scope;
mod similar;
mod smudge;
mod snapshots;
mod stamp;
mod status;
mod store;
mod summary;
mod text;
mod trees;
mod worktree;

pub use error::GitError;
pub use git::Git;
pub use interrupt::Interrupt;
pub use snapshots::{
    Asked, Decided, DecisionAsked, Edited, PutBack, PutBackPlan, RestoreAsked, Reviewed, SnapshotError, Undo,
    Watched,
};
pub use summary::Summary;
pub use worktree::WorktreeInfo;

//! Reading, searching and changing files: text encodings, pure edit plans and all-or-nothing commits.
//!
//! **Invariant.** An edit is all or nothing, guarded by the exact content that was read, and keeps every byte it does
//! not touch. What a file is counts by its content alone: times, attributes and a fresh inode mean nothing.
//!
//! ```
//! use webcodex_contracts::ProjectId;
//! use webcodex_files::Files;
//! use webcodex_projects::Project;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let root = folder.path().join("project");
//! std::fs::create_dir(&root).unwrap();
//! std::fs::write(root.join("a.txt"), "one\ntwo\n").unwrap();
//! let project = Project::new(ProjectId::parse("agent:me:demo").unwrap(), "demo", &root).unwrap();
//! let files = Files::open(&folder.path().join("data")).unwrap();
//!
//! let item = serde_json::from_str(r#"{"path": "a.txt", "start_line": 2}"#).unwrap();
//! let parts = files.read(&project.read_access(), &[item]);
//! assert_eq!(parts[0].as_ref().unwrap().text, "two\n");
//! ```

mod commit;
mod declared;
mod edit;
mod engine;
mod load;
mod read;
mod revision;
pub mod search;
mod sys;
pub mod text;

pub use commit::{CommitError, FileChange, Restored};
pub use edit::{
    Current, CurrentFile, EditError, EditProblem, NearMiss, Plan, PlanFingerprint, PlannedContent, Put,
    visible,
};
pub use engine::{Files, FilesError};
pub use read::{NextRange, ReadError, ReadPart};
pub use revision::{ContentHash, Seen};

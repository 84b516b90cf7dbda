//! Which folders are projects, where a path in one really leads, and who may read, write or run there.
//!
//! **Invariant.** The disk changes only under a [`WriteAccess`], and a path that a caller gave is used only after
//! [`ReadAccess::confine`] has resolved it inside the project. No token is given for what the person has not allowed.
//!
//! ```
//! use webcodex_contracts::{ProjectId, ProjectPath};
//! use webcodex_projects::{EntryKind, Project};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let project = Project::new(ProjectId::parse("agent:me:demo").unwrap(), "demo", folder.path()).unwrap();
//! let read = project.read_access();
//! let missing = read.confine(&ProjectPath::parse("src/new.rs").unwrap()).unwrap();
//! assert_eq!(missing.kind, EntryKind::Missing);
//! ```

mod access;
mod confine;
mod folder;
mod registry;
mod terms;

pub use access::{Project, ReadAccess, RunAccess, WriteAccess};
pub use confine::{ConfineError, Confined, EntryKind};
pub use folder::{FolderError, FolderRules};
pub use registry::{Registered, Registry, RegistryError};
pub use terms::{NotAllowed, Terms, TermsChange};

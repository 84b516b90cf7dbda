//! What may be said between clients, the Server and the Runner.
//!
//! Ids, paths, whole numbers, errors, results, the waiting policy and one file per tool. Nothing here does I/O, so
//! every other crate may depend on it and it depends on none of them.
//!
//! **Invariant.** Deserialising is validating: a value of a type from this crate obeys the rules its documentation
//! states, and code below the border does not check them again.
//!
//! ```
//! use webcodex_contracts::{ProjectPath, table};
//!
//! assert_eq!(ProjectPath::parse("./src//lib.rs").unwrap().as_str(), "src/lib.rs");
//! assert!(ProjectPath::parse("../secret").is_err());
//! assert!(table::find("read_files").is_some());
//! ```

pub mod call;
pub mod control;
pub mod decode;
mod error;
pub mod execution;
mod id;
pub mod limits;
mod number;
mod path;
mod permission;
pub mod policy;
pub mod redact;
mod result;
pub mod schema;
mod scope;
pub mod supervised;
pub mod table;
mod tool;
pub mod tools;

pub use error::{ErrorCode, ToolError};
pub use id::{ApprovalId, CallId, ClientId, IdError, JobId, ProjectId, SessionId, SnapshotId};
pub use number::{Limit, MAX_SAFE_INTEGER, ReadRevision, Whole};
pub use path::{PathError, ProjectPath};
pub use permission::Permission;
pub use result::{CanonicalResult, Continuation, Posture, Recovery, ToolFailure, ToolResult};
pub use scope::Scope;
pub use tool::{Effect, Exposure, Side, Tool, ToolName};

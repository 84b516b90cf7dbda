//! Status, differences and history of a project, with or without git, without the git program.
mod changes;
mod clean;
mod content;
mod cursor;
mod disk;
mod error;
mod filters;
mod git;
mod interrupt;
mod lines;
mod names;
mod page;
mod repository;
mod revision;
mod scope;
mod similar;
mod stamp;
mod status;
mod summary;
mod text;
mod trees;

pub use error::GitError;
pub use git::Git;
pub use interrupt::Interrupt;
pub use summary::Summary;

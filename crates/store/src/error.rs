//! What can go wrong with the database.

use std::path::PathBuf;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database was written by a newer version.
    #[error("the database `{}` was made by a newer version of WebCodex; update this one, or use another data folder", .path.display())]
    TooNew {
        /// The database file.
        path: PathBuf,
    },
    /// The file or its folder cannot be used.
    #[error("the database `{}` cannot be opened: {source}; check that the folder exists and is writable", .path.display())]
    Open {
        /// The database file.
        path: PathBuf,
        /// What the system or SQLite said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A statement failed.
    #[error("the database refused a statement: {0}")]
    Sql(#[from] rusqlite::Error),
    /// The store has been closed.
    #[error("the database is closed; the Server is shutting down")]
    Closed,
}

//! The Server's SQLite database: credentials, sessions, short references, windows and records of calls.
//!
//! One thread owns the connection; everything else is a message to it. What every request needs (credentials,
//! sessions, references) is answered from memory, and a record of a call is a message that nobody waits for.
//!
//! **Invariant.** Secrets are stored as hashes only. Of a call's arguments at most paths, a search pattern or a command
//! line are stored, and only where the person wants that; results are never stored.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use webcodex_store::{CredentialKind, NewCredential, Store};
//!
//! let store = Store::in_memory()?;
//! let issued = store.credentials().issue(NewCredential::new(CredentialKind::Client, "laptop")).await?;
//! assert!(store.credentials().verify(&issued.secret).is_some());
//! assert!(store.credentials().verify("guess").is_none());
//! # Ok::<(), webcodex_store::StoreError>(()) }).unwrap();
//! ```

mod calls;
mod clock;
mod credentials;
mod error;
mod open;
mod refs;
mod reviews;
mod sessions;
mod tool_lists;
mod windows;
mod work;
mod worker;

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row};
use webcodex_contracts::SessionId;

pub use calls::{CallDetails, CallOutcome, CallPage, CallRecord, ClientSeen, Door, KnownSession};
pub use clock::now_ms;
pub use credentials::{Credential, CredentialKind, Credentials, Issued, Lifetime, NewCredential};
pub use error::StoreError;
pub use refs::RefKind;
pub use reviews::FileNote;
pub use sessions::{NewSession, Session};
pub use tool_lists::ToolList;
pub use windows::WindowHash;
pub use work::{Presentation, SessionCall, SessionOn};

/// Who calls: the id of a credential. Never a secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrincipalId(Arc<str>);

impl PrincipalId {
    /// The id as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for PrincipalId {
    fn from(id: String) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for PrincipalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The open database. Cheap to clone; the last clone closes it.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    worker: worker::Worker,
    active: credentials::Active,
    caches: Caches,
    window_key: Vec<u8>,
    set_aside: Option<PathBuf>,
}

/// Copies of rows that calls need again and again.
#[derive(Default)]
struct Caches {
    sessions: Mutex<HashMap<SessionId, Arc<Session>>>,
    refs: Mutex<HashMap<refs::RefKey, String>>,
    /// Sessions whose model has not been told of rejections yet.
    rejections: Mutex<HashSet<SessionId>>,
}

impl Store {
    /// Opens the database file, or makes it, readable by its owner only.
    ///
    /// A damaged file is kept beside the new one, see [`Store::set_aside`].
    ///
    /// # Errors
    /// The folder is not writable, or the file belongs to a newer version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::from_opened(open::open_file(path)?)
    }

    /// A database that ends with the process, for temporary Servers and tests.
    ///
    /// # Errors
    /// SQLite could not make it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::from_opened(open::open_memory()?)
    }

    fn from_opened(opened: open::Opened) -> Result<Self, StoreError> {
        let open::Opened { connection, set_aside } = opened;
        if let Some(aside) = &set_aside {
            tracing::warn!(kept = %aside.display(), "the database was damaged; a new one was made, credentials must be issued again");
        }
        let active = credentials::Active::load(&connection)?;
        let window_key = window_key(&connection)?;
        let caches = Caches { rejections: Mutex::new(work::waiting(&connection)?), ..Caches::default() };
        let worker = worker::Worker::start(connection)
            .map_err(|source| StoreError::Open { path: PathBuf::new(), source: Box::new(source) })?;
        Ok(Self(Arc::new(Inner { worker, active, caches, window_key, set_aside })))
    }

    /// Where a damaged database was put when this one was opened.
    pub fn set_aside(&self) -> Option<&Path> {
        self.0.set_aside.as_deref()
    }

    /// The credentials.
    pub fn credentials(&self) -> Credentials<'_> {
        Credentials(self)
    }

    /// Writes every waiting record and closes the database. Blocks for the time of one write.
    pub fn close(&self) {
        self.0.worker.close();
    }

    fn worker(&self) -> &worker::Worker {
        &self.0.worker
    }

    fn active(&self) -> &credentials::Active {
        &self.0.active
    }

    fn caches(&self) -> &Caches {
        &self.0.caches
    }

    fn window_key(&self) -> &[u8] {
        &self.0.window_key
    }
}

/// The key of this database's window hashes, made once.
fn window_key(connection: &Connection) -> rusqlite::Result<Vec<u8>> {
    let known = connection
        .query_row("SELECT value FROM meta WHERE name = 'window_key'", [], |row| row.get(0))
        .optional()?;
    if let Some(key) = known {
        return Ok(key);
    }
    let key = rand::random::<[u8; 32]>().to_vec();
    connection.execute("INSERT INTO meta (name, value) VALUES ('window_key', ?1)", [&key])?;
    Ok(key)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An id column; a row that holds something else is as damaged as one of another type.
fn parse_column<T>(row: &Row<'_>, index: usize) -> rusqlite::Result<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let text: String = row.get(index)?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, Box::new(error))
    })
}

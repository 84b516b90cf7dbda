//! Opening the database file: permissions, pragmas, migrations, and what to do with a damaged one.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};
use rusqlite_migration::{M, MigrationDefinitionError, Migrations};

use crate::StoreError;
use crate::clock::now_ms;

/// How long a statement waits for another process that holds the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The tables. A released step is never changed; a new one is added behind it.
const STEPS: &[M<'static>] = &[
    M::up(
        "CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE credentials (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        project_grant TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        last_used_ms INTEGER,
        revoked_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        principal TEXT NOT NULL,
        project TEXT NOT NULL,
        title TEXT NOT NULL,
        client_name TEXT,
        created_ms INTEGER NOT NULL,
        last_used_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE refs (
        principal TEXT NOT NULL,
        kind TEXT NOT NULL,
        number INTEGER NOT NULL,
        target TEXT NOT NULL,
        PRIMARY KEY (principal, kind, number),
        UNIQUE (principal, kind, target)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE windows (
        hash BLOB PRIMARY KEY,
        principal TEXT NOT NULL,
        first_seen_ms INTEGER NOT NULL,
        last_seen_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        tool TEXT NOT NULL,
        gateway INTEGER NOT NULL,
        project TEXT,
        session TEXT,
        principal TEXT NOT NULL,
        window BLOB,
        client_name TEXT,
        door TEXT NOT NULL,
        outcome TEXT NOT NULL,
        error_code TEXT,
        duration_us INTEGER NOT NULL,
        request_bytes INTEGER,
        response_bytes INTEGER
    ) STRICT;",
    ),
    M::up(
        "ALTER TABLE calls ADD COLUMN call_id TEXT;
    ALTER TABLE calls ADD COLUMN via TEXT NOT NULL DEFAULT 'local';
    ALTER TABLE calls ADD COLUMN job TEXT;
    ALTER TABLE calls ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
    UPDATE calls SET call_id = 'old-' || id;
    CREATE UNIQUE INDEX calls_call_id ON calls (call_id);
    CREATE INDEX calls_at ON calls (at_ms);
    CREATE INDEX calls_session ON calls (session) WHERE session IS NOT NULL;
    CREATE INDEX calls_job ON calls (job) WHERE job IS NOT NULL;
    CREATE TABLE clients (
        name TEXT NOT NULL,
        via TEXT NOT NULL,
        tools_at_ms INTEGER NOT NULL,
        tools TEXT NOT NULL,
        PRIMARY KEY (name, via)
    ) STRICT, WITHOUT ROWID;",
    ),
    M::up(
        "CREATE TABLE presentations (
        principal TEXT NOT NULL,
        window BLOB NOT NULL,
        project TEXT NOT NULL,
        session TEXT,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (principal, window)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rejections (
        session TEXT NOT NULL,
        id TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        told TEXT NOT NULL,
        PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_project ON sessions (project, last_used_ms);",
    ),
    M::up(
        "ALTER TABLE sessions ADD COLUMN sealed_ms INTEGER;
    CREATE TABLE session_files (
        session TEXT NOT NULL,
        path TEXT NOT NULL,
        accepted INTEGER NOT NULL,
        PRIMARY KEY (session, path)
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO session_files (session, path, accepted)
        SELECT calls.session, file.value, 0 FROM calls, json_each(calls.details, '$.subject.files') AS file
        WHERE calls.session IS NOT NULL AND calls.tool = 'edit_project_files' AND calls.outcome = 'succeeded';",
    ),
    M::up(
        "CREATE TABLE tool_lists (
        tunnel TEXT PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        tools TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;",
    ),
];

/// An open database and, if the old one was damaged, where it was put aside.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) set_aside: Option<PathBuf>,
}

/// Opens or makes the database at `path`. A damaged one is kept beside it under another name.
pub(crate) fn open_file(path: &Path) -> Result<Opened, StoreError> {
    match try_open(path) {
        Ok(connection) => Ok(Opened { connection, set_aside: None }),
        Err(error) if is_damaged(&error) => {
            let aside = set_aside(path).map_err(|source| failed(path, source))?;
            let connection = try_open(path).map_err(|error| opened_as(path, error))?;
            Ok(Opened { connection, set_aside: Some(aside) })
        }
        Err(error) => Err(opened_as(path, error)),
    }
}

/// A database that lives as long as the process.
pub(crate) fn open_memory() -> Result<Opened, StoreError> {
    let path = Path::new(":memory:");
    let mut connection = Connection::open_in_memory()?;
    prepare(&mut connection).map_err(|error| opened_as(path, error))?;
    Ok(Opened { connection, set_aside: None })
}

#[derive(Debug, thiserror::Error)]
enum OpenFault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    Migration(#[from] rusqlite_migration::Error),
}

fn try_open(path: &Path) -> Result<Connection, OpenFault> {
    make_private(path)?;
    let mut connection = Connection::open(path)?;
    prepare(&mut connection)?;
    Ok(connection)
}

fn prepare(connection: &mut Connection) -> Result<(), OpenFault> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // In KiB; the working set is a few pages.
    connection.pragma_update(None, "cache_size", -512)?;
    // Or statements would be prepared anew for every other value, without gaining a better plan by it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Migrations::from_slice(STEPS).to_latest(connection)?;
    crate::calls::interrupt(connection)?;
    Ok(())
}

/// Makes the file before SQLite does, so that nobody else can ever read it.
fn make_private(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn is_damaged(fault: &OpenFault) -> bool {
    let sql = match fault {
        OpenFault::Sql(error)
        | OpenFault::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => error,
        _ => return false,
    };
    matches!(sql.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

/// Renames the database and its companions; returns the new name of the database.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let stamp = now_ms();
    let renamed = |suffix: &str| with_suffix(path, &format!(".damaged-{stamp}{suffix}"));
    for companion in ["-wal", "-shm"] {
        let old = with_suffix(path, companion);
        if old.exists() {
            std::fs::rename(&old, renamed(companion))?;
        }
    }
    let aside = renamed("");
    std::fs::rename(path, &aside)?;
    Ok(aside)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn opened_as(path: &Path, fault: OpenFault) -> StoreError {
    match fault {
        OpenFault::Migration(rusqlite_migration::Error::MigrationDefinition(
            MigrationDefinitionError::DatabaseTooFarAhead,
        )) => StoreError::TooNew { path: path.to_owned() },
        fault => failed(path, fault),
    }
}

fn failed(path: &Path, source: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Open { path: path.to_owned(), source: Box::new(source) }
}

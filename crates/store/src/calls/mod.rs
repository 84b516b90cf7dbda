//! Records of calls: who called what, when and how it ended. Never arguments, never secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rusqlite::{Connection, params};
use webcodex_contracts::{ErrorCode, ProjectId, SessionId};

use crate::clock::now_ms;
use crate::{PrincipalId, Store, StoreError, WindowHash};

/// Records kept at most.
pub(crate) const MAX_RECORDS: u64 = 50_000;
/// Records older than this are removed, in milliseconds.
const MAX_AGE_MS: u64 = 30 * 24 * 60 * 60 * 1000;
/// Old records are removed after so many new ones.
pub(crate) const RETAIN_EVERY: u64 = 1000;
/// Longest client name kept, in characters.
const MAX_CLIENT_NAME: usize = 80;

/// Through which door a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// MCP up to 2025-11-25.
    McpLegacy,
    /// MCP from 2026-07-28.
    McpModern,
    /// `/api/tools/call`.
    Api,
}

impl Door {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Door::McpLegacy => "mcp_legacy",
            Door::McpModern => "mcp_modern",
            Door::Api => "api",
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// The result said success.
    Succeeded,
    /// The result said failure, with this code.
    Failed(ErrorCode),
    /// The caller went away before the answer was there; what the Runner did goes on.
    Abandoned,
}

impl CallOutcome {
    fn as_str(self) -> &'static str {
        match self {
            CallOutcome::Succeeded => "succeeded",
            CallOutcome::Failed(_) => "failed",
            CallOutcome::Abandoned => "abandoned",
        }
    }

    fn code(self) -> Option<&'static str> {
        match self {
            CallOutcome::Failed(code) => Some(code.as_str()),
            _ => None,
        }
    }
}

/// What is kept of one call.
#[derive(Debug, Clone)]
pub struct CallRecord {
    /// When it began, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool, from the closed list; `unknown` for a name no tool has.
    pub tool: &'static str,
    /// Whether it came through `call_runtime_tool`.
    pub gateway: bool,
    /// The project, where the arguments name one.
    pub project: Option<ProjectId>,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// The caller.
    pub principal: PrincipalId,
    /// The host's window.
    pub window: Option<WindowHash>,
    /// What the client calls itself.
    pub client_name: Option<Arc<str>>,
    /// The way in.
    pub door: Door,
    /// How it ended.
    pub outcome: CallOutcome,
    /// From arrival to answer, in microseconds.
    pub duration_us: u64,
    /// Size of the request's body.
    pub request_bytes: Option<u64>,
    /// Size of the answer's body.
    pub response_bytes: Option<u64>,
}

/// A record as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCall {
    /// Ever growing number of the record.
    pub id: i64,
    /// When the call began, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool.
    pub tool: String,
    /// Whether it came through `call_runtime_tool`.
    pub gateway: bool,
    /// The project.
    pub project: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The caller.
    pub principal: String,
    /// What the client called itself.
    pub client_name: Option<String>,
    /// The way in, see [`Door::as_str`].
    pub door: String,
    /// `succeeded`, `failed` or `abandoned`.
    pub outcome: String,
    /// The error code of a failure.
    pub error_code: Option<String>,
    /// From arrival to answer, in microseconds.
    pub duration_us: u64,
    /// Size of the answer's body.
    pub response_bytes: Option<u64>,
}

impl Store {
    /// Queues a record; never blocks and never fails. It is on disk within a second.
    pub fn record(&self, record: CallRecord) {
        self.worker().record(record);
    }

    /// Records dropped because the database could not follow.
    pub fn dropped_records(&self) -> u64 {
        self.worker().dropped()
    }

    /// The newest records, newest first.
    pub async fn recent_calls(&self, limit: u32) -> Result<Vec<StoredCall>, StoreError> {
        self.worker().run(move |connection| select_recent(connection, limit)).await
    }
}

/// Inserts `batch` in one transaction and notes when its callers, sessions and windows were last seen.
pub(crate) fn insert(connection: &mut Connection, batch: &[CallRecord]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare_cached(
            "INSERT INTO calls (at_ms, tool, gateway, project, session, principal, window, client_name, door, outcome,
                error_code, duration_us, request_bytes, response_bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?;
        for call in batch {
            insert.execute(params![
                call.at_ms,
                call.tool,
                call.gateway,
                call.project.as_ref().map(ProjectId::as_str),
                call.session.as_ref().map(SessionId::as_str),
                call.principal.as_str(),
                call.window.as_ref().map(WindowHash::as_bytes),
                call.client_name.as_deref().map(shorten),
                call.door.as_str(),
                call.outcome.as_str(),
                call.outcome.code(),
                call.duration_us,
                call.request_bytes,
                call.response_bytes,
            ])?;
        }
        touch(&transaction, batch)?;
    }
    transaction.commit()
}

fn touch(transaction: &rusqlite::Transaction<'_>, batch: &[CallRecord]) -> rusqlite::Result<()> {
    let now = now_ms();
    let principals: BTreeSet<_> = batch.iter().map(|call| call.principal.as_str()).collect();
    let mut credential =
        transaction.prepare_cached("UPDATE credentials SET last_used_ms = ?2 WHERE id = ?1")?;
    for principal in principals {
        credential.execute(params![principal, now])?;
    }
    let sessions: BTreeSet<_> = batch.iter().filter_map(|call| call.session.as_ref()).collect();
    let mut session = transaction.prepare_cached("UPDATE sessions SET last_used_ms = ?2 WHERE id = ?1")?;
    for id in sessions {
        session.execute(params![id.as_str(), now])?;
    }
    let windows: BTreeMap<_, _> =
        batch.iter().filter_map(|call| Some((call.window?, call.principal.as_str()))).collect();
    let mut window = transaction.prepare_cached(
        "INSERT INTO windows (hash, principal, first_seen_ms, last_seen_ms) VALUES (?1, ?2, ?3, ?3)
         ON CONFLICT (hash) DO UPDATE SET last_seen_ms = excluded.last_seen_ms",
    )?;
    for (hash, principal) in windows {
        window.execute(params![hash.as_bytes(), principal, now])?;
    }
    Ok(())
}

/// Removes records that are too many or too old. Records are numbered in order of time, so both are one range at the
/// table's start, and what is kept is not looked at.
pub(crate) fn retain(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?1", [MAX_RECORDS])?;
    let oldest = now_ms().saturating_sub(MAX_AGE_MS);
    connection.execute(
        "DELETE FROM calls WHERE id < (SELECT id FROM calls WHERE at_ms >= ?1 ORDER BY id LIMIT 1)",
        [oldest],
    )?;
    connection.execute("DELETE FROM windows WHERE last_seen_ms < ?1", [oldest])?;
    Ok(())
}

fn select_recent(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<StoredCall>> {
    let mut select = connection.prepare_cached(
        "SELECT id, at_ms, tool, gateway, project, session, principal, client_name, door, outcome, error_code,
            duration_us, response_bytes
         FROM calls ORDER BY id DESC LIMIT ?1",
    )?;
    let rows = select.query_map([limit], |row| {
        Ok(StoredCall {
            id: row.get(0)?,
            at_ms: row.get(1)?,
            tool: row.get(2)?,
            gateway: row.get(3)?,
            project: row.get(4)?,
            session: row.get(5)?,
            principal: row.get(6)?,
            client_name: row.get(7)?,
            door: row.get(8)?,
            outcome: row.get(9)?,
            error_code: row.get(10)?,
            duration_us: row.get(11)?,
            response_bytes: row.get(12)?,
        })
    })?;
    rows.collect()
}

fn shorten(name: &str) -> &str {
    name.char_indices().nth(MAX_CLIENT_NAME).map_or(name, |(end, _)| &name[..end])
}

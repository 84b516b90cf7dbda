//! Writing records: many in one transaction, once for a short call, twice for one that lasts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, Statement, Transaction, params};
use webcodex_contracts::{CallId, JobId, ProjectId, SessionId};

use super::{CallOutcome, CallRecord};
use crate::WindowHash;
use crate::clock::now_ms;

/// Records kept at most.
const MAX_RECORDS: u64 = 50_000;
/// Records older than this are removed, in milliseconds.
const MAX_AGE_MS: u64 = 30 * 24 * 60 * 60 * 1000;
/// Longest client name kept, in characters.
const MAX_CLIENT_NAME: usize = 80;

/// Calls in flight, and those of them that are on disk as such.
#[derive(Default)]
pub(crate) struct Begun {
    unwritten: HashMap<CallId, CallRecord>,
    written: BTreeSet<CallId>,
}

impl Begun {
    /// A call is in flight.
    pub(crate) fn add(&mut self, record: CallRecord) {
        self.unwritten.insert(record.id.clone(), record);
    }

    /// It has ended, or nothing of it is to be kept.
    pub(crate) fn ended(&mut self, id: &CallId) {
        self.unwritten.remove(id);
    }

    /// Whether something waits to be written.
    pub(crate) fn waits(&self) -> bool {
        !self.unwritten.is_empty()
    }
}

/// Writes `batch` and the calls in flight in one transaction, and notes when callers, sessions and windows were last
/// seen.
pub(crate) fn write(
    connection: &mut Connection,
    batch: &[CallRecord],
    begun: &mut Begun,
    forgotten: &[CallId],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare_cached(INSERT)?;
        for call in batch.iter().chain(begun.unwritten.values()) {
            insert_one(&mut insert, call)?;
        }
        let mut delete = transaction.prepare_cached("DELETE FROM calls WHERE call_id = ?1")?;
        for id in forgotten {
            if begun.written.contains(id) {
                delete.execute([id.as_str()])?;
            }
        }
        touch(&transaction, batch)?;
    }
    transaction.commit()?;
    for id in batch.iter().map(|call| &call.id).chain(forgotten) {
        begun.written.remove(id);
    }
    begun.written.extend(begun.unwritten.drain().map(|(id, _)| id));
    Ok(())
}

const INSERT: &str = "INSERT INTO calls (at_ms, tool, gateway, project, session, principal, window, client_name, door,
        outcome, error_code, duration_us, request_bytes, response_bytes, call_id, via, job, details)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
     ON CONFLICT (call_id) DO UPDATE SET tool = excluded.tool, project = excluded.project, session = excluded.session,
        outcome = excluded.outcome, error_code = excluded.error_code, duration_us = excluded.duration_us,
        response_bytes = excluded.response_bytes, job = excluded.job, details = excluded.details";

fn insert_one(insert: &mut Statement<'_>, call: &CallRecord) -> rusqlite::Result<usize> {
    // Plain data of ours always becomes JSON; were it not so, the rest of the record is worth keeping.
    let details = serde_json::to_string(&call.details).unwrap_or_else(|_| "{}".to_owned());
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
        call.id.as_str(),
        super::read::via_text(call.via),
        call.job.as_ref().map(JobId::as_str),
        details,
    ])
}

fn touch(transaction: &Transaction<'_>, batch: &[CallRecord]) -> rusqlite::Result<()> {
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
    connection.execute(
        "DELETE FROM session_files WHERE session IN (SELECT id FROM sessions WHERE last_used_ms < ?1)",
        [oldest],
    )?;
    Ok(())
}

/// What an earlier Server left in flight was interrupted by its end.
pub(crate) fn interrupt(connection: &Connection) -> rusqlite::Result<()> {
    let outcomes = [CallOutcome::Running.as_str(), CallOutcome::Interrupted.as_str()];
    connection.execute("UPDATE calls SET outcome = ?2 WHERE outcome = ?1", outcomes).map(drop)
}

fn shorten(name: &str) -> &str {
    name.char_indices().nth(MAX_CLIENT_NAME).map_or(name, |(end, _)| &name[..end])
}

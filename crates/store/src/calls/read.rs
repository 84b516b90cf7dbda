//! Reading records: pages of calls, sessions with what was done in them, and the clients that called.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use webcodex_contracts::control::Via;
use webcodex_contracts::{CallId, JobId, SessionId, table};

use super::{CallDetails, CallOutcome, CallRecord, Door};
use crate::{PrincipalId, Session, Store, StoreError, WindowHash};

/// A page of records.
#[derive(Debug, Clone)]
pub struct CallPage {
    /// Newest first.
    pub calls: Vec<CallRecord>,
    /// Whether there are records before these.
    pub more: bool,
}

/// A session and what was done in it.
#[derive(Debug, Clone)]
pub struct KnownSession {
    /// The session.
    pub session: Session,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_ms: u64,
    /// Calls in it.
    pub calls: u64,
    /// Files that are changed by it and whether the person has accepted them, where subjects are kept.
    pub files: Vec<(String, bool)>,
    /// When its model closed it, in milliseconds since 1970; nothing where work went on since.
    pub sealed_ms: Option<u64>,
}

/// A client and when it last fetched the list of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSeen {
    /// What it calls itself.
    pub name: String,
    /// The way it comes.
    pub via: Via,
    /// When it fetched the list, in milliseconds since 1970.
    pub tools_at_ms: u64,
    /// Which list it got.
    pub tools: String,
}

impl Store {
    /// The newest records, newest first.
    pub async fn recent_calls(&self, limit: u32) -> Result<Vec<CallRecord>, StoreError> {
        Ok(self.calls_before(None, limit).await?.calls)
    }

    /// Records of calls that began before the one with this id, newest first; from the newest on without an id. A call
    /// of which nothing is kept has nothing before it.
    pub async fn calls_before(&self, before: Option<&CallId>, limit: u32) -> Result<CallPage, StoreError> {
        let before = before.cloned();
        self.worker().run(move |connection| page(connection, before.as_ref(), limit)).await
    }

    /// The record of one call.
    pub async fn call(&self, id: &CallId) -> Result<Option<CallRecord>, StoreError> {
        let id = id.clone();
        self.worker()
            .run(move |connection| {
                let select = format!("SELECT {COLUMNS} FROM calls WHERE call_id = ?1");
                connection.prepare_cached(&select)?.query_row([id.as_str()], read).optional()
            })
            .await
    }

    /// The record of the call that became this job.
    pub async fn call_of_job(&self, job: &JobId) -> Result<Option<CallRecord>, StoreError> {
        let job = job.clone();
        self.worker()
            .run(move |connection| {
                let select = format!("SELECT {COLUMNS} FROM calls WHERE job = ?1 ORDER BY at_ms LIMIT 1");
                connection.prepare_cached(&select)?.query_row([job.as_str()], read).optional()
            })
            .await
    }

    /// Calls since midnight, local time, and when the next midnight is, in milliseconds since 1970.
    pub async fn calls_today(&self) -> Result<(u64, u64), StoreError> {
        self.worker()
            .run(|connection| {
                let day = "SELECT CAST(strftime('%s', 'now', 'localtime', 'start of day', 'utc') AS INTEGER) * 1000,
                    CAST(strftime('%s', 'now', 'localtime', 'start of day', '+1 day', 'utc') AS INTEGER) * 1000";
                let (from, to): (u64, u64) =
                    connection.query_row(day, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let counted = "SELECT count(*) FROM calls WHERE at_ms >= ?1";
                Ok((connection.query_row(counted, [from], |row| row.get(0))?, to))
            })
            .await
    }

    /// The sessions used last, latest first.
    pub async fn sessions(&self, limit: u32) -> Result<Vec<KnownSession>, StoreError> {
        self.worker().run(move |connection| sessions(connection, limit)).await
    }

    /// Notes that a client has fetched the list of tools, and which one.
    pub async fn note_tools(&self, seen: ClientSeen) -> Result<(), StoreError> {
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached(
                        "INSERT INTO clients (name, via, tools_at_ms, tools) VALUES (?1, ?2, ?3, ?4)
                         ON CONFLICT (name, via) DO UPDATE SET tools_at_ms = excluded.tools_at_ms, tools = excluded.tools",
                    )?
                    .execute(params![seen.name, via_text(seen.via), seen.tools_at_ms, seen.tools])
                    .map(drop)
            })
            .await
    }

    /// The clients that have fetched the list of tools.
    pub async fn clients(&self) -> Result<Vec<ClientSeen>, StoreError> {
        self.worker()
            .run(|connection| {
                let mut select =
                    connection.prepare_cached("SELECT name, via, tools_at_ms, tools FROM clients")?;
                let rows = select.query_map([], |row| {
                    Ok(ClientSeen {
                        name: row.get(0)?,
                        via: via_of(&row.get::<_, String>(1)?),
                        tools_at_ms: row.get(2)?,
                        tools: row.get(3)?,
                    })
                })?;
                rows.collect()
            })
            .await
    }
}

const COLUMNS: &str =
    "call_id, at_ms, tool, gateway, project, session, principal, window, client_name, door, outcome,
    error_code, duration_us, request_bytes, response_bytes, via, job, details";

fn page(connection: &Connection, before: Option<&CallId>, limit: u32) -> rusqlite::Result<CallPage> {
    // One more than asked for tells whether there are more.
    let wanted = u64::from(limit) + 1;
    let mut calls: Vec<CallRecord> = match before {
        None => {
            let select = format!("SELECT {COLUMNS} FROM calls ORDER BY at_ms DESC, id DESC LIMIT ?1");
            let mut select = connection.prepare_cached(&select)?;
            select.query_map([wanted], read)?.collect::<rusqlite::Result<_>>()?
        }
        Some(before) => {
            let select = format!(
                "SELECT {COLUMNS} FROM calls WHERE (at_ms, id) < (SELECT at_ms, id FROM calls WHERE call_id = ?2)
                 ORDER BY at_ms DESC, id DESC LIMIT ?1"
            );
            let mut select = connection.prepare_cached(&select)?;
            select.query_map(params![wanted, before.as_str()], read)?.collect::<rusqlite::Result<_>>()?
        }
    };
    let more = calls.len() as u64 == wanted;
    calls.truncate(limit as usize);
    Ok(CallPage { calls, more })
}

fn read(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    let tool: String = row.get(2)?;
    let code: Option<String> = row.get(11)?;
    let details: String = row.get(17)?;
    Ok(CallRecord {
        id: crate::parse_column(row, 0)?,
        at_ms: row.get(1)?,
        tool: table::find(&tool).map_or("unknown", |known| known.name.as_str()),
        gateway: row.get(3)?,
        project: optional(row, 4)?,
        session: optional(row, 5)?,
        principal: PrincipalId::from(row.get::<_, String>(6)?),
        window: row.get::<_, Option<[u8; 16]>>(7)?.map(WindowHash::from_bytes),
        client_name: row.get::<_, Option<String>>(8)?.map(Arc::from),
        door: Door::parse(&row.get::<_, String>(9)?),
        outcome: CallOutcome::parse(&row.get::<_, String>(10)?, code.as_deref()),
        duration_us: row.get(12)?,
        request_bytes: row.get(13)?,
        response_bytes: row.get(14)?,
        via: via_of(&row.get::<_, String>(15)?),
        job: optional(row, 16)?,
        // What a newer version wrote there and this one cannot read is no reason to lose the rest.
        details: serde_json::from_str::<CallDetails>(&details).unwrap_or_default(),
    })
}

fn optional<T>(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<T>>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    match row.get_ref(index)? {
        rusqlite::types::ValueRef::Null => Ok(None),
        _ => crate::parse_column(row, index).map(Some),
    }
}

fn sessions(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<KnownSession>> {
    let mut select = connection.prepare_cached(
        "SELECT id, principal, project, title, client_name, created_ms, last_used_ms,
            (SELECT count(*) FROM calls WHERE calls.session = sessions.id), sealed_ms
         FROM sessions ORDER BY last_used_ms DESC LIMIT ?1",
    )?;
    let mut changed =
        connection.prepare_cached("SELECT path, accepted FROM session_files WHERE session = ?1")?;
    let rows = select.query_map([limit], |row| {
        let id: SessionId = crate::parse_column(row, 0)?;
        let files = changed.query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(KnownSession {
            files: files.collect::<rusqlite::Result<_>>()?,
            sealed_ms: row.get(8)?,
            session: crate::sessions::read(row)?,
            last_used_ms: row.get(6)?,
            calls: row.get(7)?,
        })
    })?;
    rows.collect()
}

pub(super) fn via_text(via: Via) -> &'static str {
    match via {
        Via::Local => "local",
        Via::Public => "public",
        Via::Tunnel => "tunnel",
    }
}

fn via_of(text: &str) -> Via {
    match text {
        "public" => Via::Public,
        "tunnel" => Via::Tunnel,
        _ => Via::Local,
    }
}

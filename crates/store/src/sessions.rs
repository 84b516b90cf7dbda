//! Sessions of work: an id, whose it is, and on which project.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use webcodex_contracts::{ProjectId, SessionId};

use crate::clock::now_ms;
use crate::{PrincipalId, Store, StoreError};

/// Prefix of every session id.
const PREFIX: &str = "wcs_";
/// Longest title kept, in characters.
const MAX_TITLE: usize = 120;
/// Sessions kept in memory; the rest is read when asked for.
pub(crate) const CACHE: usize = 1024;

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The id, `wcs_…`.
    pub id: SessionId,
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The project it works on.
    pub project: ProjectId,
    /// What the user asked for, shortened.
    pub title: String,
    /// What the client called itself.
    pub client_name: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created_ms: u64,
}

/// What a new session starts with.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// An id from [`Store::new_session_id`]; a new one without.
    pub id: Option<SessionId>,
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The project it works on.
    pub project: ProjectId,
    /// What the user asked for.
    pub title: String,
    /// What the client calls itself.
    pub client_name: Option<String>,
}

impl Store {
    /// An id for a session that is about to start.
    pub fn new_session_id(&self) -> Result<SessionId, StoreError> {
        random_id()
    }

    /// Starts a session.
    pub async fn create_session(&self, new: NewSession) -> Result<Arc<Session>, StoreError> {
        let title = new.title.chars().take(MAX_TITLE).collect();
        let session = Arc::new(Session {
            id: new.id.map_or_else(random_id, Ok)?,
            principal: new.principal,
            project: new.project,
            title,
            client_name: new.client_name,
            created_ms: now_ms(),
        });
        let row = session.clone();
        self.worker().run(move |connection| insert(connection, &row)).await?;
        self.remember_session(session.clone());
        Ok(session)
    }

    /// The session `id` of `principal`; `None` for an unknown one and for somebody else's alike.
    pub async fn session(
        &self,
        principal: &PrincipalId,
        id: &SessionId,
    ) -> Result<Option<Arc<Session>>, StoreError> {
        let session = self.session_by_id(id).await?;
        Ok(session.filter(|session| session.principal == *principal))
    }

    pub(crate) async fn session_by_id(&self, id: &SessionId) -> Result<Option<Arc<Session>>, StoreError> {
        match self.cached_session(id) {
            Some(session) => Ok(Some(session)),
            None => self.load_session(id.clone()).await,
        }
    }

    async fn load_session(&self, id: SessionId) -> Result<Option<Arc<Session>>, StoreError> {
        let row = self.worker().run(move |connection| select(connection, &id)).await?;
        let session = row.map(Arc::new);
        if let Some(session) = &session {
            self.remember_session(session.clone());
        }
        Ok(session)
    }

    fn cached_session(&self, id: &SessionId) -> Option<Arc<Session>> {
        self.caches().sessions.lock().get(id).cloned()
    }

    fn remember_session(&self, session: Arc<Session>) {
        let mut sessions = self.caches().sessions.lock();
        if sessions.len() >= CACHE {
            sessions.clear();
        }
        sessions.insert(session.id.clone(), session);
    }
}

fn random_id() -> Result<SessionId, StoreError> {
    let random: [u8; 12] = rand::random();
    // The alphabet is right by construction; a failure would be a fault of ours, not of the caller's.
    SessionId::parse(&format!("{PREFIX}{}", crate::hex(&random))).map_err(|_| StoreError::Closed)
}

fn insert(connection: &Connection, session: &Session) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO sessions (id, principal, project, title, client_name, created_ms, last_used_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        )?
        .execute(params![
            session.id.as_str(),
            session.principal.as_str(),
            session.project.as_str(),
            session.title,
            session.client_name,
            session.created_ms,
        ])
        .map(drop)
}

fn select(connection: &Connection, id: &SessionId) -> rusqlite::Result<Option<Session>> {
    connection
        .prepare_cached(
            "SELECT id, principal, project, title, client_name, created_ms FROM sessions WHERE id = ?1",
        )?
        .query_row([id.as_str()], read)
        .optional()
}

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: crate::parse_column(row, 0)?,
        principal: PrincipalId::from(row.get::<_, String>(1)?),
        project: crate::parse_column(row, 2)?,
        title: row.get(3)?,
        client_name: row.get(4)?,
        created_ms: row.get(5)?,
    })
}

//! What the Work Result needs: which work a window was shown, what a person rejected and the model has not been told,
//! and what was done in a session.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use webcodex_contracts::{ErrorCode, ProjectId, SessionId, table};

use crate::clock::now_ms;
use crate::sessions::read as read_session;
use crate::{PrincipalId, Session, Store, StoreError, WindowHash};

/// Rejections that wait for one session; the oldest are told only as rejected on the page then.
const MAX_WAITING: u32 = 200;
/// Windows that are remembered with what they were shown, for each caller.
const MAX_WINDOWS: u32 = 1000;

/// The work that a window was shown last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presentation {
    /// The project.
    pub project: ProjectId,
    /// The session, where one was named.
    pub session: Option<SessionId>,
}

/// One call of a session, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCall {
    /// When it began, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool.
    pub tool: String,
    /// Whether it succeeded; absent where that is not known.
    pub success: Option<bool>,
    /// Why it failed.
    pub error: Option<ErrorCode>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
}

/// A session on a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOn {
    /// The session.
    pub session: Session,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_ms: u64,
}

impl Store {
    /// Remembers what a window was shown, in place of what it was shown before.
    pub async fn present(
        &self,
        principal: &PrincipalId,
        window: WindowHash,
        shown: Presentation,
    ) -> Result<(), StoreError> {
        let owner = principal.clone();
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached(
                        "INSERT INTO presentations (principal, window, project, session, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)
                         ON CONFLICT (principal, window) DO UPDATE SET project = excluded.project,
                            session = excluded.session, at_ms = excluded.at_ms",
                    )?
                    .execute(params![
                        owner.as_str(),
                        window.as_bytes(),
                        shown.project.as_str(),
                        shown.session.as_ref().map(SessionId::as_str),
                        now_ms()
                    ])?;
                connection
                    .prepare_cached(
                        "DELETE FROM presentations WHERE principal = ?1 AND window NOT IN
                            (SELECT window FROM presentations WHERE principal = ?1 ORDER BY at_ms DESC LIMIT ?2)",
                    )?
                    .execute(params![owner.as_str(), MAX_WINDOWS])
                    .map(drop)
            })
            .await
    }

    /// What the caller's window was shown last.
    pub async fn presentation(
        &self,
        principal: &PrincipalId,
        window: WindowHash,
    ) -> Result<Option<Presentation>, StoreError> {
        let owner = principal.clone();
        self.worker().run(move |connection| presentation(connection, &owner, window)).await
    }

    /// Keeps a rejection until the model is told.
    pub async fn keep_rejection(
        &self,
        session: &SessionId,
        id: &str,
        told: String,
    ) -> Result<(), StoreError> {
        let (key, id) = (session.clone(), id.to_owned());
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached("INSERT OR REPLACE INTO rejections (session, id, at_ms, told) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![key.as_str(), id, now_ms(), told])?;
                connection
                    .prepare_cached(
                        "DELETE FROM rejections WHERE session = ?1 AND id NOT IN
                            (SELECT id FROM rejections WHERE session = ?1 ORDER BY at_ms DESC LIMIT ?2)",
                    )?
                    .execute(params![key.as_str(), MAX_WAITING])
                    .map(drop)
            })
            .await?;
        self.caches().rejections.lock().insert(session.clone());
        Ok(())
    }

    /// A rejection was taken back; the model needs not be told if it was not yet.
    pub async fn drop_rejection(&self, session: &SessionId, id: &str) -> Result<(), StoreError> {
        let (key, id) = (session.clone(), id.to_owned());
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached("DELETE FROM rejections WHERE session = ?1 AND id = ?2")?
                    .execute(params![key.as_str(), id])
                    .map(drop)
            })
            .await
    }

    /// Whether rejections wait for the session. Costs no look at the database.
    pub fn rejections_wait(&self, session: &SessionId) -> bool {
        self.caches().rejections.lock().contains(session)
    }

    /// Takes up to `limit` rejections that wait for the session, oldest first: they are being told.
    pub async fn take_rejections(&self, session: &SessionId, limit: u32) -> Result<Vec<String>, StoreError> {
        if !self.rejections_wait(session) {
            return Ok(Vec::new());
        }
        let key = session.clone();
        let (told, left) = self.worker().run(move |connection| take(connection, &key, limit)).await?;
        if left == 0 {
            self.caches().rejections.lock().remove(session);
        }
        Ok(told)
    }

    /// The last calls of a session, newest first, and how many there are in all.
    pub async fn calls_of_session(
        &self,
        session: &SessionId,
        limit: u32,
    ) -> Result<(Vec<SessionCall>, u64), StoreError> {
        let key = session.clone();
        self.worker().run(move |connection| calls(connection, &key, limit)).await
    }

    /// The sessions on a project, the last used first.
    pub async fn sessions_on(&self, project: &ProjectId, limit: u32) -> Result<Vec<SessionOn>, StoreError> {
        let project = project.clone();
        self.worker()
            .run(move |connection| {
                connection
                    .prepare_cached(
                        "SELECT id, principal, project, title, client_name, created_ms, last_used_ms FROM sessions
                         WHERE project = ?1 ORDER BY last_used_ms DESC LIMIT ?2",
                    )?
                    .query_map(params![project.as_str(), limit], |row| {
                        Ok(SessionOn { session: read_session(row)?, last_used_ms: row.get(6)? })
                    })?
                    .collect()
            })
            .await
    }

    /// The session `id`, whoever it belongs to: for the person at the computer.
    pub async fn anyones_session(&self, id: &SessionId) -> Result<Option<Arc<Session>>, StoreError> {
        self.session_by_id(id).await
    }
}

/// The sessions for which rejections wait.
pub(crate) fn waiting(connection: &Connection) -> rusqlite::Result<std::collections::HashSet<SessionId>> {
    connection
        .prepare("SELECT DISTINCT session FROM rejections")?
        .query_map([], |row| crate::parse_column(row, 0))?
        .collect()
}

fn presentation(
    connection: &Connection,
    owner: &PrincipalId,
    window: WindowHash,
) -> rusqlite::Result<Option<Presentation>> {
    connection
        .prepare_cached("SELECT project, session FROM presentations WHERE principal = ?1 AND window = ?2")?
        .query_row(params![owner.as_str(), window.as_bytes()], |row| {
            let session: Option<String> = row.get(1)?;
            let session = session.map(|_| crate::parse_column(row, 1)).transpose()?;
            Ok(Presentation { project: crate::parse_column(row, 0)?, session })
        })
        .optional()
}

fn take(
    connection: &mut Connection,
    session: &SessionId,
    limit: u32,
) -> rusqlite::Result<(Vec<String>, u64)> {
    let transaction = connection.transaction()?;
    let rows: Vec<(String, String)> = transaction
        .prepare_cached("SELECT id, told FROM rejections WHERE session = ?1 ORDER BY at_ms, id LIMIT ?2")?
        .query_map(params![session.as_str(), limit], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (id, _) in &rows {
        transaction
            .prepare_cached("DELETE FROM rejections WHERE session = ?1 AND id = ?2")?
            .execute(params![session.as_str(), id])?;
    }
    let left = transaction
        .prepare_cached("SELECT count(*) FROM rejections WHERE session = ?1")?
        .query_row([session.as_str()], |row| row.get(0))?;
    transaction.commit()?;
    Ok((rows.into_iter().map(|(_, told)| told).collect(), left))
}

fn calls(
    connection: &Connection,
    session: &SessionId,
    limit: u32,
) -> rusqlite::Result<(Vec<SessionCall>, u64)> {
    let count = connection
        .prepare_cached("SELECT count(*) FROM calls WHERE session = ?1")?
        .query_row([session.as_str()], |row| row.get(0))?;
    let calls = connection
        .prepare_cached(
            "SELECT at_ms, tool, outcome, error_code, duration_us FROM calls WHERE session = ?1
             ORDER BY at_ms DESC, id DESC LIMIT ?2",
        )?
        .query_map(params![session.as_str(), limit], |row| {
            let (tool, outcome, code): (String, String, Option<String>) =
                (row.get(1)?, row.get(2)?, row.get(3)?);
            let known = |code: String| ErrorCode::ALL.iter().find(|(known, _)| known.as_str() == code);
            Ok(SessionCall {
                at_ms: row.get(0)?,
                tool: table::find(&tool).map_or(tool, |known| known.name.to_string()),
                success: match outcome.as_str() {
                    "succeeded" => Some(true),
                    "failed" => Some(false),
                    _ => None,
                },
                error: code.and_then(known).map(|(code, _)| *code),
                duration_us: row.get(4)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok((calls, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CredentialKind, NewCredential, NewSession};

    async fn store() -> (Store, PrincipalId, SessionId) {
        let store = Store::in_memory().unwrap();
        let issued =
            store.credentials().issue(NewCredential::new(CredentialKind::Client, "a")).await.unwrap();
        let principal = store.credentials().verify(&issued.secret).unwrap().id.clone();
        let project = ProjectId::parse("agent:a:b").unwrap();
        let new = NewSession {
            id: None,
            principal: principal.clone(),
            project,
            title: "t".to_owned(),
            client_name: None,
        };
        let session = store.create_session(new).await.unwrap().id.clone();
        (store, principal, session)
    }

    #[tokio::test]
    async fn a_window_shows_what_the_same_caller_was_shown_last() {
        let (store, principal, session) = store().await;
        let (one, two) = (store.window_hash("1"), store.window_hash("2"));
        let shown = |name: &str, session: Option<&SessionId>| Presentation {
            project: ProjectId::parse(name).unwrap(),
            session: session.cloned(),
        };
        store.present(&principal, one, shown("agent:a:b", Some(&session))).await.unwrap();
        store.present(&principal, two, shown("agent:a:c", None)).await.unwrap();
        let other = PrincipalId::from("somebody else".to_owned());
        assert_eq!(
            store.presentation(&principal, one).await.unwrap(),
            Some(shown("agent:a:b", Some(&session)))
        );
        assert_eq!(store.presentation(&other, one).await.unwrap(), None);
        store.present(&principal, one, shown("agent:a:d", None)).await.unwrap();
        assert_eq!(store.presentation(&principal, one).await.unwrap(), Some(shown("agent:a:d", None)));
        assert_eq!(store.presentation(&principal, two).await.unwrap(), Some(shown("agent:a:c", None)));
    }

    #[tokio::test]
    async fn a_rejection_is_told_once_and_not_if_it_was_taken_back() {
        let (store, _, session) = store().await;
        for id in ["r1", "r2", "r3"] {
            store.keep_rejection(&session, id, format!("told {id}")).await.unwrap();
        }
        store.drop_rejection(&session, "r2").await.unwrap();
        assert!(store.rejections_wait(&session));
        assert_eq!(store.take_rejections(&session, 1).await.unwrap(), ["told r1"]);
        assert!(store.rejections_wait(&session), "one is left");
        assert_eq!(store.take_rejections(&session, 5).await.unwrap(), ["told r3"]);
        assert!(!store.rejections_wait(&session));
        assert!(store.take_rejections(&session, 5).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn waiting_rejections_are_known_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("db");
        let session = SessionId::parse("wcs_1").unwrap();
        let store = Store::open(&file).unwrap();
        store.keep_rejection(&session, "r1", "told".to_owned()).await.unwrap();
        store.close();
        let store = Store::open(&file).unwrap();
        assert_eq!(store.take_rejections(&session, 5).await.unwrap(), ["told"]);
    }
}

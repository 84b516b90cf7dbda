//! How the review of a session stands: which files it has changed, which of them the person has accepted, and when its
//! model closed it. Notes that nobody waits for.

use rusqlite::{Connection, params};
use webcodex_contracts::SessionId;

use crate::Store;

/// What became of a file of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileNote {
    /// The session has changed it; whatever was accepted of it before, this was not.
    Changed,
    /// The person has accepted it as it is.
    Accepted,
    /// It is as it was before the session.
    Back,
}

impl Store {
    /// Notes what became of files of a session.
    pub fn note_files(&self, session: &SessionId, paths: Vec<String>, note: FileNote) {
        let session = session.clone();
        self.worker().post(move |connection| note_files(connection, &session, &paths, note));
    }

    /// Notes when the session's model closed it, or that work went on.
    pub fn note_seal(&self, session: &SessionId, at_ms: Option<u64>) {
        let session = session.clone();
        self.worker().post(move |connection| {
            connection
                .prepare_cached("UPDATE sessions SET sealed_ms = ?2 WHERE id = ?1")?
                .execute(params![session.as_str(), at_ms])
                .map(drop)
        });
    }
}

fn note_files(
    connection: &mut Connection,
    session: &SessionId,
    paths: &[String],
    note: FileNote,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let statement = match note {
            FileNote::Changed => {
                "INSERT OR REPLACE INTO session_files (session, path, accepted) VALUES (?1, ?2, 0)"
            }
            FileNote::Accepted => {
                "INSERT OR REPLACE INTO session_files (session, path, accepted) VALUES (?1, ?2, 1)"
            }
            FileNote::Back => "DELETE FROM session_files WHERE session = ?1 AND path = ?2",
        };
        let mut statement = transaction.prepare_cached(statement)?;
        for path in paths {
            statement.execute(params![session.as_str(), path])?;
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use webcodex_contracts::ProjectId;

    use super::*;
    use crate::{NewSession, PrincipalId};

    #[tokio::test]
    async fn the_state_of_a_review_is_known_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("db");
        let store = Store::open(&file).unwrap();
        let new = NewSession {
            id: None,
            principal: PrincipalId::from("p".to_owned()),
            project: ProjectId::parse("agent:a:b").unwrap(),
            title: "t".to_owned(),
            client_name: None,
        };
        let session = store.create_session(new).await.unwrap().id.clone();
        let paths = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        store.note_files(&session, paths(&["a", "b", "c", "d"]), FileNote::Changed);
        store.note_files(&session, paths(&["a", "b"]), FileNote::Accepted);
        store.note_files(&session, paths(&["b"]), FileNote::Changed);
        store.note_files(&session, paths(&["c"]), FileNote::Back);
        store.note_seal(&session, Some(5));
        store.close();
        let store = Store::open(&file).unwrap();
        let known = store.sessions(5).await.unwrap().remove(0);
        let file = |path: &str, accepted| (path.to_owned(), accepted);
        assert_eq!(known.files, [file("a", true), file("b", false), file("d", false)]);
        assert_eq!(known.sealed_ms, Some(5));
        store.note_seal(&session, None);
        assert_eq!(store.sessions(5).await.unwrap()[0].sealed_ms, None, "work went on");
    }
}

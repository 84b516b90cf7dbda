//! Short references: `~p1` for a project, `~s1` for a session. Numbered per caller, stable, and only selectors.

use rusqlite::{Connection, OptionalExtension, params};

use crate::{PrincipalId, Store, StoreError};

/// References kept in memory; the rest is read when asked for.
pub(crate) const CACHE: usize = 4096;

/// What a short reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefKind {
    /// `~p…`
    Project,
    /// `~s…`
    Session,
}

impl RefKind {
    fn letter(self) -> &'static str {
        match self {
            RefKind::Project => "p",
            RefKind::Session => "s",
        }
    }

    /// The reference with `number`.
    fn written(self, number: u64) -> String {
        format!("~{}{number}", self.letter())
    }

    /// The number in `text`, if it is a reference of this kind.
    fn number(self, text: &str) -> Option<u64> {
        let digits = text.strip_prefix('~')?.strip_prefix(self.letter())?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| digits.parse().ok())
            .flatten()
    }
}

/// Key of the in-memory copy of one reference.
pub(crate) type RefKey = (PrincipalId, RefKind, u64);

impl Store {
    /// The caller's reference for `target`, made on first use.
    pub async fn reference(
        &self,
        principal: &PrincipalId,
        kind: RefKind,
        target: &str,
    ) -> Result<String, StoreError> {
        let (owner, id) = (principal.clone(), target.to_owned());
        let number = self.worker().run(move |connection| number_of(connection, &owner, kind, &id)).await?;
        self.remember_ref((principal.clone(), kind, number), target.to_owned());
        Ok(kind.written(number))
    }

    /// What the caller's reference `text` stands for; `None` if it is none or unknown.
    pub async fn resolve(
        &self,
        principal: &PrincipalId,
        kind: RefKind,
        text: &str,
    ) -> Result<Option<String>, StoreError> {
        let Some(number) = kind.number(text) else { return Ok(None) };
        let key = (principal.clone(), kind, number);
        let cached = self.caches().refs.lock().get(&key).cloned();
        if cached.is_some() {
            return Ok(cached);
        }
        let owner = principal.clone();
        let target = self.worker().run(move |connection| target_of(connection, &owner, kind, number)).await?;
        if let Some(target) = &target {
            self.remember_ref(key, target.clone());
        }
        Ok(target)
    }

    fn remember_ref(&self, key: RefKey, target: String) {
        let mut refs = self.caches().refs.lock();
        if refs.len() >= CACHE {
            refs.clear();
        }
        refs.insert(key, target);
    }
}

fn number_of(
    connection: &mut Connection,
    owner: &PrincipalId,
    kind: RefKind,
    target: &str,
) -> rusqlite::Result<u64> {
    let transaction = connection.transaction()?;
    let known = transaction
        .prepare_cached("SELECT number FROM refs WHERE principal = ?1 AND kind = ?2 AND target = ?3")?
        .query_row(params![owner.as_str(), kind.letter(), target], |row| row.get(0))
        .optional()?;
    let number = match known {
        Some(number) => number,
        None => transaction
            .prepare_cached(
                "INSERT INTO refs (principal, kind, number, target)
                 VALUES (?1, ?2, 1 + coalesce((SELECT max(number) FROM refs WHERE principal = ?1 AND kind = ?2), 0), ?3)
                 RETURNING number",
            )?
            .query_row(params![owner.as_str(), kind.letter(), target], |row| row.get(0))?,
    };
    transaction.commit()?;
    Ok(number)
}

fn target_of(
    connection: &Connection,
    owner: &PrincipalId,
    kind: RefKind,
    number: u64,
) -> rusqlite::Result<Option<String>> {
    let Ok(number) = i64::try_from(number) else { return Ok(None) };
    connection
        .prepare_cached("SELECT target FROM refs WHERE principal = ?1 AND kind = ?2 AND number = ?3")?
        .query_row(params![owner.as_str(), kind.letter(), number], |row| row.get(0))
        .optional()
}

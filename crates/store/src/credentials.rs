//! Credentials: 256 random bits each, of which only the SHA-256 is kept.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use webcodex_contracts::call::Grant;
use webcodex_contracts::{ProjectId, Scope};

use crate::clock::now_ms;
use crate::{PrincipalId, Store, StoreError};

/// What a credential is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CredentialKind {
    /// The Server's own administrator: the tools and the control routes.
    Bootstrap,
    /// An MCP or API client.
    Client,
    /// A Runner, for the link only.
    Runner,
    /// A client bound to certain projects.
    Project,
}

impl CredentialKind {
    const ALL: [CredentialKind; 4] =
        [CredentialKind::Bootstrap, CredentialKind::Client, CredentialKind::Runner, CredentialKind::Project];

    /// The name in the database and in a secret.
    pub fn as_str(self) -> &'static str {
        match self {
            CredentialKind::Bootstrap => "bootstrap",
            CredentialKind::Client => "client",
            CredentialKind::Runner => "runner",
            CredentialKind::Project => "project",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Whether a credential outlives the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Kept in the database until revoked.
    Kept,
    /// Known to this process only; nothing of it is written.
    Process,
}

/// What a new credential may do.
#[derive(Debug, Clone)]
pub struct NewCredential {
    /// What it is for.
    pub kind: CredentialKind,
    /// A name for people; for a Runner its client id.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Which projects it may see.
    pub grant: Grant,
    /// Whether it outlives the process.
    pub lifetime: Lifetime,
}

impl NewCredential {
    /// A kept credential of `kind` with every scope and every project.
    pub fn new(kind: CredentialKind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            scopes: Scope::ALL.to_vec(),
            grant: Grant::All,
            lifetime: Lifetime::Kept,
        }
    }

    /// Binds it to `projects`.
    #[must_use]
    pub fn for_projects(mut self, projects: Vec<ProjectId>) -> Self {
        self.grant = Grant::Projects(projects);
        self
    }

    /// Lets it end with the process.
    #[must_use]
    pub fn for_this_process(mut self) -> Self {
        self.lifetime = Lifetime::Process;
        self
    }
}

/// A credential that is in force, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Who calls with it.
    pub id: PrincipalId,
    /// What it is for.
    pub kind: CredentialKind,
    /// A name for people; for a Runner its client id.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Which projects it may see.
    pub grant: Grant,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
    /// Whether it outlives the process.
    pub lifetime: Lifetime,
}

/// A new credential and its secret, which is shown once and kept nowhere.
pub struct Issued {
    /// The credential.
    pub credential: Arc<Credential>,
    /// The secret.
    pub secret: String,
}

type Hash = [u8; 32];

/// The credentials in force, by the hash of their secret. A request is checked against this alone.
pub(crate) struct Active(RwLock<HashMap<Hash, Arc<Credential>>>);

impl Active {
    pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut select = connection.prepare(
            "SELECT id, kind, name, scopes, project_grant, created_ms, hash FROM credentials WHERE revoked_ms IS NULL",
        )?;
        let rows = select.query_map([], read)?;
        Ok(Self(RwLock::new(rows.collect::<rusqlite::Result<_>>()?)))
    }
}

/// Issues, checks and revokes credentials.
pub struct Credentials<'a>(pub(crate) &'a Store);

impl Credentials<'_> {
    /// The credential whose secret is `token`. Touches memory only.
    pub fn verify(&self, token: &str) -> Option<Arc<Credential>> {
        let presented = hash(token);
        let active = self.active().read();
        let (stored, credential) = active.get_key_value(&presented)?;
        bool::from(stored.ct_eq(&presented)).then(|| credential.clone())
    }

    /// Makes a credential with a new secret.
    pub async fn issue(&self, new: NewCredential) -> Result<Issued, StoreError> {
        let secret = format!("wc_{}_{}", new.kind.as_str(), crate::hex(&rand::random::<[u8; 32]>()));
        let credential = self.add(&secret, new, None).await?;
        Ok(Issued { credential, secret })
    }

    /// Puts a credential with a given secret in force, as one from a file or the environment.
    ///
    /// One of the same kind, name and lifetime is taken over: it keeps its id, so its sessions go on, and an earlier
    /// secret of it ends.
    pub async fn adopt(&self, secret: &str, new: NewCredential) -> Result<Arc<Credential>, StoreError> {
        let same = |known: &&Arc<Credential>| {
            (known.kind, &known.name, known.lifetime) == (new.kind, &new.name, new.lifetime)
        };
        let earlier = self.active().read().values().find(same).cloned();
        self.add(secret, new, earlier.as_deref()).await
    }

    /// Ends a credential; `false` if there is none in force with this id.
    pub async fn revoke(&self, id: &PrincipalId) -> Result<bool, StoreError> {
        let before = self.active().read().len();
        self.active().write().retain(|_, credential| credential.id != *id);
        let removed = self.active().read().len() < before;
        let id = id.clone();
        self.0
            .worker()
            .run(move |connection| {
                connection.execute(
                    "UPDATE credentials SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
                    params![id.as_str(), now_ms()],
                )
            })
            .await?;
        Ok(removed)
    }

    /// Adds a project to what a project-bound credential may see, as its own worktree.
    pub async fn extend_grant(&self, id: &PrincipalId, project: &ProjectId) -> Result<(), StoreError> {
        let Some(changed) = self.change_grant(id, project) else { return Ok(()) };
        if changed.lifetime == Lifetime::Process {
            return Ok(());
        }
        let grant = grant_text(&changed.grant);
        let id = id.clone();
        let update = "UPDATE credentials SET project_grant = ?2 WHERE id = ?1";
        self.0
            .worker()
            .run(move |connection| connection.execute(update, params![id.as_str(), grant]))
            .await
            .map(drop)
    }

    /// The credentials in force, oldest first.
    pub fn list(&self) -> Vec<Arc<Credential>> {
        let mut all: Vec<_> = self.active().read().values().cloned().collect();
        all.sort_by(|a, b| (a.created_ms, a.id.as_str()).cmp(&(b.created_ms, b.id.as_str())));
        all
    }

    fn active(&self) -> &RwLock<HashMap<Hash, Arc<Credential>>> {
        &self.0.active().0
    }

    fn change_grant(&self, id: &PrincipalId, project: &ProjectId) -> Option<Arc<Credential>> {
        let mut active = self.active().write();
        let credential = active.values_mut().find(|credential| credential.id == *id)?;
        let Grant::Projects(projects) = &credential.grant else { return None };
        let mut projects = projects.clone();
        projects.push(project.clone());
        *credential =
            Arc::new(Credential { grant: Grant::Projects(projects), ..Credential::clone(credential) });
        Some(credential.clone())
    }

    async fn add(
        &self,
        secret: &str,
        new: NewCredential,
        earlier: Option<&Credential>,
    ) -> Result<Arc<Credential>, StoreError> {
        let hash = hash(secret);
        let (id, created_ms) = earlier
            .map_or_else(|| (random_id(), now_ms()), |earlier| (earlier.id.clone(), earlier.created_ms));
        let NewCredential { kind, name, scopes, grant, lifetime } = new;
        let credential = Arc::new(Credential { id, kind, name, scopes, grant, created_ms, lifetime });
        if lifetime == Lifetime::Kept {
            let row = credential.clone();
            self.0.worker().run(move |connection| upsert(connection, &row, &hash)).await?;
        }
        let mut active = self.active().write();
        active.retain(|_, known| known.id != credential.id);
        active.insert(hash, credential.clone());
        Ok(credential)
    }
}

fn random_id() -> PrincipalId {
    PrincipalId::from(format!("cred_{}", crate::hex(&rand::random::<[u8; 8]>())))
}

fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

fn upsert(connection: &mut Connection, credential: &Credential, hash: &Hash) -> rusqlite::Result<()> {
    let scopes: Vec<_> = credential.scopes.iter().map(|scope| scope.as_str()).collect();
    let transaction = connection.transaction()?;
    // A secret stands for one credential; another row with it can only be one that was ended.
    transaction.execute(
        "DELETE FROM credentials WHERE hash = ?1 AND id <> ?2",
        params![hash, credential.id.as_str()],
    )?;
    transaction.execute(
        "INSERT INTO credentials (id, kind, name, hash, scopes, project_grant, created_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, scopes = excluded.scopes,
            project_grant = excluded.project_grant, revoked_ms = NULL",
        params![
            credential.id.as_str(),
            credential.kind.as_str(),
            credential.name,
            hash,
            scopes.join(" "),
            grant_text(&credential.grant),
            credential.created_ms,
        ],
    )?;
    transaction.commit()
}

/// The grant as JSON. One that cannot be written grants nothing when read again.
fn grant_text(grant: &Grant) -> String {
    serde_json::to_string(grant).unwrap_or_default()
}

fn read(row: &Row<'_>) -> rusqlite::Result<(Hash, Arc<Credential>)> {
    let kind: String = row.get(1)?;
    let scopes: String = row.get(3)?;
    let grant: String = row.get(4)?;
    let credential = Credential {
        id: PrincipalId::from(row.get::<_, String>(0)?),
        // What a newer or damaged row says and we do not understand opens nothing.
        kind: CredentialKind::parse(&kind).unwrap_or(CredentialKind::Project),
        name: row.get(2)?,
        scopes: scopes.split(' ').filter_map(Scope::parse).collect(),
        grant: serde_json::from_str(&grant).unwrap_or(Grant::Projects(Vec::new())),
        created_ms: row.get(5)?,
        lifetime: Lifetime::Kept,
    };
    Ok((row.get(6)?, Arc::new(credential)))
}

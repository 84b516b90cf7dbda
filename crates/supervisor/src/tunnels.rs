//! The connections to OpenAI as they outlive the Server: what is no secret in a file, the rest where secrets are kept.
//!
//! The Server runs and checks them; it is told of them after each of its starts.

use std::io;
use std::path::PathBuf;

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use webcodex_contracts::control::{
    ConnectionDraft, ConnectionEdit, ConnectionSecrets, ConnectionSwitch, Failure, SavedConnection,
    SavedConnections,
};
use webcodex_settings::desktop::DesktopSection;
use webcodex_settings::{Folders, Secret, TunnelSettings, read_private, write_private};

use crate::commands::{Answer, NOTHING};
use crate::connection::Connection;
use crate::failure;
use crate::keeper::Order;
use crate::status::{Importable, Status};
use crate::supervisor::{Shared, Supervisor};

/// What a connection is called that was found in the environment.
const IMPORTED: &str = "ChatGPT";

/// The connections, without their secrets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    connections: Vec<KeptConnection>,
}

/// One of them; its settings are the Server's business.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptConnection {
    id: String,
    settings: Value,
}

/// The file with the connections.
struct File(PathBuf);

impl File {
    fn of(folders: &Folders) -> Self {
        Self(folders.connections_file())
    }

    fn read(&self) -> io::Result<Kept> {
        let Some(text) = read_private(&self.0)? else { return Ok(Kept::default()) };
        serde_json::from_str(&text).map_err(io::Error::from)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<KeptConnection>)) -> Result<(), Failure> {
        let failed = |error: io::Error| failure::file(&self.0, &error);
        let mut kept = self.read().map_err(failed)?;
        change(&mut kept.connections);
        let text = serde_json::to_string_pretty(&kept).map_err(|error| failed(error.into()))?;
        write_private(&self.0, &text).map_err(failed)
    }
}

/// Under which name a connection's secrets are kept.
fn secret_name(id: &str) -> String {
    format!("connection.{id}")
}

/// Under which names the secrets of all connections are kept.
pub(crate) fn secret_names(folders: &Folders) -> Result<Vec<String>, Failure> {
    let file = File::of(folders);
    let kept = file.read().map_err(|error| failure::file(&file.0, &error))?;
    Ok(kept.connections.iter().map(|known| secret_name(&known.id)).collect())
}

/// Everything that is kept, for a Server that has just started. A connection whose secrets cannot be read is left out.
async fn all(shared: &Shared) -> Result<Vec<SavedConnection>, Failure> {
    let file = File::of(&shared.config.folders);
    let kept = file.read().map_err(|error| failure::file(&file.0, &error))?;
    let mut all = Vec::new();
    for KeptConnection { id, settings } in kept.connections {
        match secrets(shared, &id).await? {
            Some(secrets) => all.push(SavedConnection { id, settings, secrets }),
            None => tracing::warn!(id, "the secrets of a connection are gone; enter its key again"),
        }
    }
    Ok(all)
}

async fn secrets(shared: &Shared, id: &str) -> Result<Option<ConnectionSecrets>, Failure> {
    let found = shared.find_key(secret_name(id)).await.map_err(|error| failure::vault(&error))?;
    Ok(found.and_then(|secret| serde_json::from_str(secret.expose()).ok()))
}

/// Tells a Server that has just started of all connections; those in `were_on` are to be on again.
pub(crate) async fn restore(
    shared: &Shared,
    server: &Connection,
    were_on: Vec<String>,
) -> Result<(), Failure> {
    let connections = all(shared).await?;
    if connections.is_empty() {
        return Ok(());
    }
    let saved = SavedConnections { connections, were_on };
    server.tell(Method::PUT, "/control/connections", Some(&saved)).await
}

/// Keeps a connection: its secrets first, so that none is ever listed without them.
async fn keep(shared: &Shared, saved: SavedConnection) -> Result<(), Failure> {
    let SavedConnection { id, settings, secrets } = saved;
    let text = serde_json::to_string(&secrets).map_err(|error| failure::unwritten(&error))?;
    shared.keep_key(secret_name(&id), Secret::new(text)).await?;
    let kept = File::of(&shared.config.folders).change(|connections| {
        match connections.iter_mut().find(|known| known.id == id) {
            Some(known) => known.settings = settings,
            None => connections.push(KeptConnection { id, settings }),
        }
    });
    if kept.is_err() {
        shared.order(Order::LookAtDisk);
    }
    kept
}

/// What the environment of the app offers, unless it is here already or the person does not want it.
pub(crate) fn importable(settings: &TunnelSettings, dismissed: bool, status: &Status) -> Option<Importable> {
    let tunnel = settings.id.clone().filter(|_| settings.key.is_some() && !dismissed)?;
    let known = status.connections.iter().any(|connection| connection.tunnel == tunnel);
    (!known).then_some(Importable { tunnel })
}

impl Supervisor {
    /// Adds a connection and switches it on; gives its id.
    ///
    /// # Errors
    /// What was entered is not usable, or its key cannot be kept; nothing was added.
    pub async fn add_connection(&self, draft: ConnectionDraft) -> Answer<String> {
        self.run(|shared| async move { shared.add_connection(draft).await }).await
    }

    /// Changes a connection last seen at `revision`. A blank key keeps the saved one.
    ///
    /// # Errors
    /// It was changed meanwhile, what was entered is not usable, or it cannot be kept.
    pub async fn edit_connection(&self, id: String, revision: u64, draft: ConnectionDraft) -> Answer<()> {
        self.run(|shared| async move {
            let edit = ConnectionEdit { revision, draft };
            let path = format!("/control/connections/{id}");
            let saved = shared.connection()?.order(Method::PUT, &path, Some(&edit)).await?;
            keep(&shared, saved).await
        })
        .await
    }

    /// Switches a connection last seen at `revision` off and forgets it and its key.
    ///
    /// # Errors
    /// It was changed meanwhile, or the file cannot be written.
    pub async fn delete_connection(&self, id: String, revision: u64) -> Answer<()> {
        self.run(|shared| async move {
            let path = format!("/control/connections/{id}?revision={revision}");
            shared.connection()?.tell(Method::DELETE, &path, NOTHING).await?;
            File::of(&shared.config.folders)
                .change(|connections| connections.retain(|known| known.id != id))?;
            shared.forget_key(secret_name(&id)).await
        })
        .await
    }

    /// Switches a connection on or off.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such connection.
    pub async fn switch_connection(&self, id: String, on: bool) -> Answer<()> {
        self.tell(Method::POST, format!("/control/connections/{id}/switch"), Some(ConnectionSwitch { on }))
            .await
    }

    /// Switches a connection off and on.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such connection.
    pub async fn restart_connection(&self, id: String) -> Answer<()> {
        self.tell(Method::POST, format!("/control/connections/{id}/restart"), NOTHING.copied()).await
    }

    /// Adds the connection that the environment of the app names.
    ///
    /// # Errors
    /// There is none, or it cannot be added.
    pub async fn import_connection(&self) -> Answer<String> {
        self.run(|shared| async move {
            let TunnelSettings { id, key, organization, .. } = shared.config.tunnel.clone();
            let (Some(tunnel), Some(key)) = (id, key) else { return Err(failure::nothing_to_import()) };
            let draft = ConnectionDraft {
                name: IMPORTED.to_owned(),
                tunnel,
                key: key.expose().to_owned(),
                organization: organization.unwrap_or_default(),
                autostart: true,
                ..ConnectionDraft::default()
            };
            shared.add_connection(draft).await
        })
        .await
    }

    /// Does not offer what the environment names any more.
    ///
    /// # Errors
    /// The choice cannot be kept.
    pub async fn dismiss_import(&self) -> Answer<()> {
        self.run(|shared| async move {
            shared.choose(DesktopSection { import_dismissed: Some(true), ..DesktopSection::default() })?;
            shared.board.change(|status| status.importable = None);
            Ok(())
        })
        .await
    }
}

impl Shared {
    async fn add_connection(&self, draft: ConnectionDraft) -> Answer<String> {
        let server = self.connection()?;
        let saved: SavedConnection = server.order(Method::POST, "/control/connections", Some(&draft)).await?;
        let id = saved.id.clone();
        if let Err(failure) = keep(self, saved).await {
            // One that would be gone at the next start is not shown as added. A new one has revision 1.
            let path = format!("/control/connections/{id}?revision=1");
            if let Err(error) = server.tell(Method::DELETE, &path, NOTHING).await {
                tracing::warn!(
                    message = error.message,
                    "a connection that cannot be kept stays until the Server ends"
                );
            }
            return Err(failure);
        }
        let path = format!("/control/connections/{id}/switch");
        if let Err(error) = server.tell(Method::POST, &path, Some(&ConnectionSwitch { on: true })).await {
            // It is here and shown as off; the person can start it.
            tracing::warn!(message = error.message, "a new connection was not switched on");
        }
        Ok(id)
    }
}

//! The connections to OpenAI as they outlive the Server: what is no secret in a file, the rest where secrets are kept.
//!
//! The Server runs and checks them; it is told of them after each of its starts.

mod file;

use std::collections::HashMap;

use http::Method;
use parking_lot::Mutex;
use webcodex_contracts::control::{
    ConnectionDraft, ConnectionEdit, ConnectionSecrets, ConnectionSwitch, Failure, SavedConnection,
    SavedConnections,
};
use webcodex_settings::desktop::DesktopSection;
use webcodex_settings::{Folders, Secret, TunnelSettings};

use crate::commands::{Answer, NOTHING};
use crate::connection::Connection;
use crate::failure;
use crate::keeper::Order;
use crate::status::{Importable, Remark, Status};
use crate::supervisor::{Shared, Supervisor};
use file::{File, KeptConnection};

/// What a connection is called that was found in the environment.
const IMPORTED: &str = "ChatGPT";

/// What outlives the Server but not the app.
#[derive(Default)]
pub(crate) struct Tunnels {
    /// Held while connections are changed: what is undone must not be somebody else's.
    changing: tokio::sync::Mutex<()>,
    /// Whether each is to be on: as the person said last, or else as it starts by itself.
    on: Mutex<HashMap<String, bool>>,
}

/// Under which name a connection's secrets are kept.
fn secret_name(id: &str) -> String {
    format!("connection.{id}")
}

/// Under which names the secrets of all connections are kept.
pub(crate) fn secret_names(folders: &Folders) -> Result<Vec<String>, Failure> {
    let kept = File::of(folders).read()?.connections;
    Ok(kept.iter().map(|known| secret_name(&known.id)).collect())
}

/// A connection as it is kept. Without its secrets it has no key, and says so once it is on.
async fn saved(shared: &Shared, kept: KeptConnection) -> Result<SavedConnection, Failure> {
    let KeptConnection { id, settings } = kept;
    let found = shared.find_key(secret_name(&id)).await.map_err(|error| failure::vault(&error))?;
    let secrets = found.and_then(|secret| serde_json::from_str(secret.expose()).ok());
    let secrets = secrets.unwrap_or_else(|| {
        tracing::warn!(id, "the secrets of a connection are gone; enter its key again");
        ConnectionSecrets { key: String::new(), proxy_password: None }
    });
    Ok(SavedConnection { id, settings, secrets })
}

/// Tells a Server that has just started of all connections. Those are on again that were, and a start of the app
/// switches on what starts by itself.
pub(crate) async fn restore(shared: &Shared, server: &Connection) -> Result<(), Failure> {
    let _changing = shared.tunnels.changing.lock().await;
    let read = File::of(&shared.config.folders).read()?;
    shared.remark(read.remark);
    let (mut connections, mut on) = (Vec::new(), Vec::new());
    for kept in read.connections {
        let wanted = shared.tunnels.on.lock().get(&kept.id).copied();
        if wanted.unwrap_or_else(|| kept.starts_by_itself()) {
            on.push(kept.id.clone());
        }
        connections.push(saved(shared, kept).await?);
    }
    if connections.is_empty() {
        return Ok(());
    }
    let ids: Vec<String> = connections.iter().map(|known| known.id.clone()).collect();
    let told = SavedConnections { connections, on: on.clone() };
    server.tell(Method::PUT, "/control/connections", Some(&told)).await?;
    let mut known = shared.tunnels.on.lock();
    for id in ids {
        let is_on = on.contains(&id);
        // The person may have said something meanwhile.
        known.entry(id).or_insert(is_on);
    }
    Ok(())
}

/// Keeps a connection: its secrets first, so that none is ever listed without them. Where it cannot be kept,
/// everything is kept as it was.
async fn keep(shared: &Shared, saved: SavedConnection) -> Result<(), Failure> {
    let SavedConnection { id, settings, secrets } = saved;
    let name = secret_name(&id);
    let before = shared.find_key(name.clone()).await.map_err(|error| failure::vault(&error))?;
    let text = serde_json::to_string(&secrets).map_err(|error| failure::unwritten(&error))?;
    shared.keep_key(name.clone(), Secret::new(text)).await?;
    let kept = File::of(&shared.config.folders).change(|connections| {
        match connections.iter_mut().find(|known| known.id == id) {
            Some(known) => known.settings = settings,
            None => connections.push(KeptConnection { id, settings }),
        }
    });
    match kept {
        Ok(remark) => {
            shared.remark(remark);
            Ok(())
        }
        Err(failure) => {
            shared.order(Order::LookAtDisk);
            let undone = match before {
                Some(secrets) => shared.keep_key(name, secrets).await,
                None => shared.forget_key(name).await,
            };
            if let Err(failure) = undone {
                tracing::warn!(message = failure.message, "the new key of a connection stays");
            }
            Err(failure)
        }
    }
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
    /// It was changed meanwhile, what was entered is not usable, or it cannot be kept; nothing was changed.
    pub async fn edit_connection(&self, id: String, revision: u64, draft: ConnectionDraft) -> Answer<()> {
        self.run(|shared| async move { shared.edit_connection(id, ConnectionEdit { revision, draft }).await })
            .await
    }

    /// Switches a connection last seen at `revision` off and forgets it and its key.
    ///
    /// # Errors
    /// It was changed meanwhile, or the file cannot be written; nothing was changed.
    pub async fn delete_connection(&self, id: String, revision: u64) -> Answer<()> {
        self.run(|shared| async move { shared.delete_connection(id, revision).await }).await
    }

    /// Switches a connection on or off.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such connection.
    pub async fn switch_connection(&self, id: String, on: bool) -> Answer<()> {
        self.run(|shared| async move { shared.switch_connection(id, on).await }).await
    }

    /// Switches a connection off and on.
    ///
    /// # Errors
    /// The Server cannot be asked, or knows no such connection.
    pub async fn restart_connection(&self, id: String) -> Answer<()> {
        self.run(|shared| async move {
            let path = format!("/control/connections/{id}/restart");
            shared.connection()?.tell(Method::POST, &path, NOTHING).await?;
            shared.tunnels.on.lock().insert(id, true);
            Ok(())
        })
        .await
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
        let changing = self.tunnels.changing.lock().await;
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
        drop(changing);
        if let Err(error) = self.switch_connection(id.clone(), true).await {
            // It is here and shown as off; the person can start it.
            tracing::warn!(message = error.message, "a new connection was not switched on");
            self.tunnels.on.lock().insert(id.clone(), false);
        }
        Ok(id)
    }

    async fn edit_connection(&self, id: String, edit: ConnectionEdit) -> Answer<()> {
        let _changing = self.tunnels.changing.lock().await;
        let server = self.connection()?;
        let before = self.kept(&id).await?;
        let path = format!("/control/connections/{id}");
        let edited: SavedConnection = server.order(Method::PUT, &path, Some(&edit)).await?;
        let revision = edited.settings["revision"].clone();
        if let Err(failure) = keep(self, edited).await {
            let path = format!("{path}?revision={revision}");
            self.put_back(&server, &path, before).await;
            return Err(failure);
        }
        Ok(())
    }

    async fn delete_connection(&self, id: String, revision: u64) -> Answer<()> {
        let _changing = self.tunnels.changing.lock().await;
        let server = self.connection()?;
        let before = self.kept(&id).await?;
        let path = format!("/control/connections/{id}?revision={revision}");
        server.tell(Method::DELETE, &path, NOTHING).await?;
        let forgotten =
            File::of(&self.config.folders).change(|connections| connections.retain(|known| known.id != id));
        match forgotten {
            Ok(remark) => self.remark(remark),
            Err(failure) => {
                self.order(Order::LookAtDisk);
                self.take_over(&server, before).await;
                return Err(failure);
            }
        }
        self.tunnels.on.lock().remove(&id);
        self.forget_key(secret_name(&id)).await
    }

    async fn switch_connection(&self, id: String, on: bool) -> Answer<()> {
        let path = format!("/control/connections/{id}/switch");
        self.connection()?.tell(Method::POST, &path, Some(&ConnectionSwitch { on })).await?;
        self.tunnels.on.lock().insert(id, on);
        Ok(())
    }

    /// A connection as it is kept at the moment.
    async fn kept(&self, id: &str) -> Answer<Option<SavedConnection>> {
        let read = File::of(&self.config.folders).read()?;
        self.remark(read.remark);
        match read.connections.into_iter().find(|known| known.id == id) {
            Some(kept) => saved(self, kept).await.map(Some),
            None => Ok(None),
        }
    }

    /// Makes the Server forget an edited connection, which `path` names, and take it as it was.
    async fn put_back(&self, server: &Connection, path: &str, before: Option<SavedConnection>) {
        match server.tell(Method::DELETE, path, NOTHING).await {
            Ok(()) => self.take_over(server, before).await,
            Err(error) => tracing::warn!(
                message = error.message,
                "a change that cannot be kept holds until the Server ends"
            ),
        }
    }

    /// Makes the Server take a connection as it is kept, on where it was on.
    async fn take_over(&self, server: &Connection, kept: Option<SavedConnection>) {
        let Some(kept) = kept else { return };
        let is_on = self.tunnels.on.lock().get(&kept.id).copied().unwrap_or(false);
        let on = is_on.then(|| kept.id.clone()).into_iter().collect();
        let told = SavedConnections { connections: vec![kept], on };
        if let Err(error) = server.tell(Method::PUT, "/control/connections", Some(&told)).await {
            tracing::warn!(message = error.message, "a connection comes back when the Server starts again");
        }
    }

    fn remark(&self, remark: Option<Remark>) {
        if let Some(remark) = remark {
            self.order(Order::Remark(remark));
        }
    }
}

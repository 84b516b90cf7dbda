//! All connections of this process.

mod draft;

pub use draft::{Draft, EditError};

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use webcodex_settings::Secret;

use crate::connection::{Connection, Ground};
use crate::control_plane::Approach;
use crate::openai::{Access, HttpApproach};
use crate::route::{ControlPlaneAddress, Network, ProxySource, RouteSetting, V6Trust};
use crate::status::Status;
use crate::wire::{InstanceId, TunnelId};

/// Names one connection; opaque.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnectionId(String);

impl ConnectionId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ConnectionId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is saved of a connection. Its key is kept elsewhere and never goes out again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionSettings {
    /// Names it.
    pub id: ConnectionId,
    /// What the user calls it.
    pub name: String,
    /// Its tunnel.
    pub tunnel: TunnelId,
    /// The organization that owns the tunnel, where it has to be said.
    pub organization: Option<String>,
    /// Its route.
    pub route: RouteSetting,
    /// Certificates trusted in addition.
    pub ca_file: Option<PathBuf>,
    /// Whether it is switched on when the app starts.
    pub autostart: bool,
    /// Grows with every change.
    pub revision: u64,
}

/// A connection as everyone may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConnectionView {
    /// What is saved.
    pub settings: ConnectionSettings,
    /// The last four characters of the key.
    pub key_ends_with: String,
    /// What it is doing.
    pub status: Status,
}

/// What all connections stand on.
#[derive(Clone)]
pub struct Surroundings {
    /// Where commands go, and which clocks and chance are used.
    pub ground: Ground,
    /// The network.
    pub network: Arc<dyn Network>,
    /// The proxies this computer is set to use.
    pub proxies: Arc<dyn ProxySource>,
    /// Where the control plane is.
    pub address: ControlPlaneAddress,
    /// Which process this is.
    pub instance: InstanceId,
}

struct Entry {
    settings: ConnectionSettings,
    key: Secret,
    connection: Arc<Connection>,
}

/// The connections. Each starts, stops and changes without disturbing the others.
pub struct Connections {
    surroundings: Surroundings,
    entries: Mutex<BTreeMap<ConnectionId, Entry>>,
}

impl Connections {
    /// The connections as they were saved, all off.
    pub fn new(surroundings: Surroundings, saved: Vec<(ConnectionSettings, Secret)>) -> Self {
        let entries = saved.into_iter().map(|(settings, key)| {
            let connection = connection(&surroundings, &settings, &key);
            (settings.id.clone(), Entry { settings, key, connection })
        });
        let entries = Mutex::new(entries.collect());
        Self { surroundings, entries }
    }

    /// Adds a connection, which is off; gives back what is to be saved.
    ///
    /// # Errors
    /// [`EditError`] where the draft is not usable or its tunnel has a connection already.
    pub fn add(&self, draft: Draft) -> Result<(ConnectionSettings, Secret), EditError> {
        let mut entries = self.entries.lock();
        let id = ConnectionId(format!("wcn_{:016x}", self.surroundings.ground.random.next()));
        let others = entries.values().map(|entry| &entry.settings);
        let (settings, key) = draft.check(id.clone(), None, others)?;
        let connection = connection(&self.surroundings, &settings, &key);
        entries.insert(id, Entry { settings: settings.clone(), key: key.clone(), connection });
        Ok((settings, key))
    }

    /// Takes over a connection that was saved, which is off; `false` where it is here already.
    pub fn restore(&self, settings: ConnectionSettings, key: Secret) -> bool {
        let mut entries = self.entries.lock();
        if entries.contains_key(&settings.id) {
            return false;
        }
        let connection = connection(&self.surroundings, &settings, &key);
        entries.insert(settings.id.clone(), Entry { settings, key, connection });
        true
    }

    /// Changes a connection last seen at `revision`; gives back what is to be saved. It is switched off and on only
    /// where a key was entered, be it the same, or something other than its name or its start changed.
    ///
    /// # Errors
    /// [`EditError`] where it is unknown, was changed meanwhile, or the draft is not usable.
    pub async fn edit(
        &self,
        id: &ConnectionId,
        revision: u64,
        draft: Draft,
    ) -> Result<(ConnectionSettings, Secret), EditError> {
        let (settings, key, moved) = {
            let mut entries = self.entries.lock();
            let entry = at_revision(&entries, id, revision)?;
            let others = entries.values().map(|entry| &entry.settings).filter(|other| other.id != *id);
            // The key may be right by now although it was refused.
            let key_entered = draft.key.as_ref().is_some_and(|key| !key.expose().trim().is_empty());
            let (settings, key) = draft.check(id.clone(), Some((&entry.settings, &entry.key)), others)?;
            let stays = same_way(&entry.settings, &settings) && !key_entered;
            let moved = (!stays).then(|| Arc::clone(&entry.connection));
            if let Some(entry) = entries.get_mut(id) {
                (entry.settings, entry.key) = (settings.clone(), key.clone());
            }
            (settings, key, moved)
        };
        if let Some(connection) = moved {
            connection.replace(approach(&self.surroundings, &settings, &key)).await;
        }
        Ok((settings, key))
    }

    /// Switches a connection last seen at `revision` off and forgets it.
    ///
    /// # Errors
    /// [`EditError`] where it is unknown or was changed meanwhile.
    pub async fn delete(&self, id: &ConnectionId, revision: u64) -> Result<(), EditError> {
        let removed = {
            let mut entries = self.entries.lock();
            at_revision(&entries, id, revision)?;
            entries.remove(id)
        };
        if let Some(entry) = removed {
            entry.connection.stop().await;
        }
        Ok(())
    }

    /// The connection itself, to start, stop, restart and watch it.
    ///
    /// # Errors
    /// [`EditError::Unknown`] where there is none.
    pub fn connection(&self, id: &ConnectionId) -> Result<Arc<Connection>, EditError> {
        let entries = self.entries.lock();
        entries.get(id).map(|entry| Arc::clone(&entry.connection)).ok_or(EditError::Unknown)
    }

    /// The status of a connection; the first value is the whole present one.
    ///
    /// # Errors
    /// [`EditError::Unknown`] where there is none.
    pub fn status(&self, id: &ConnectionId) -> Result<watch::Receiver<Status>, EditError> {
        self.connection(id).map(|connection| connection.status())
    }

    /// All connections as everyone may see them, in a fixed order.
    pub fn views(&self) -> Vec<ConnectionView> {
        let view = |entry: &Entry| {
            let key = entry.key.expose();
            ConnectionView {
                settings: entry.settings.clone(),
                key_ends_with: key.get(key.len().saturating_sub(4)..).unwrap_or_default().to_owned(),
                status: entry.connection.status().borrow().clone(),
            }
        };
        self.entries.lock().values().map(view).collect()
    }

    /// Switches on what is to be on when the app starts.
    pub async fn autostart(&self) {
        let list = self.select(|settings| settings.autostart);
        join_all(list.iter().map(|connection| connection.start())).await;
    }

    /// Switches all off, side by side.
    pub async fn stop_all(&self) {
        let list = self.select(|_| true);
        join_all(list.iter().map(|connection| connection.stop())).await;
    }

    /// What [`ProxySource::preferred`] says has changed: connections that are on and follow it begin anew, all at once.
    pub async fn preferred_route_changed(&self) {
        let list = self.select(|settings| settings.route == RouteSetting::Auto);
        join_all(list.iter().map(|connection| connection.restart_if_on())).await;
    }

    /// Tries all again now, because the network changed.
    pub fn network_changed(&self) {
        self.select(|_| true).iter().for_each(|connection| connection.try_again());
    }

    fn select(&self, wanted: impl Fn(&ConnectionSettings) -> bool) -> Vec<Arc<Connection>> {
        let entries = self.entries.lock();
        let list = entries.values().filter(|entry| wanted(&entry.settings));
        list.map(|entry| Arc::clone(&entry.connection)).collect()
    }
}

fn at_revision<'a>(
    entries: &'a BTreeMap<ConnectionId, Entry>,
    id: &ConnectionId,
    revision: u64,
) -> Result<&'a Entry, EditError> {
    let entry = entries.get(id).ok_or(EditError::Unknown)?;
    let current = entry.settings.revision;
    if current == revision { Ok(entry) } else { Err(EditError::Stale { current }) }
}

fn same_way(one: &ConnectionSettings, other: &ConnectionSettings) -> bool {
    one.tunnel == other.tunnel
        && one.organization == other.organization
        && one.route == other.route
        && one.ca_file == other.ca_file
}

fn connection(surroundings: &Surroundings, settings: &ConnectionSettings, key: &Secret) -> Arc<Connection> {
    let approach = approach(surroundings, settings, key);
    Arc::new(Connection::new(approach, surroundings.ground.clone()))
}

fn approach(surroundings: &Surroundings, settings: &ConnectionSettings, key: &Secret) -> Arc<dyn Approach> {
    Arc::new(HttpApproach {
        access: Access {
            tunnel: settings.tunnel.clone(),
            key: key.clone(),
            organization: settings.organization.clone(),
            address: surroundings.address.clone(),
            instance: surroundings.instance.clone(),
        },
        route: settings.route.clone(),
        ca_file: settings.ca_file.clone(),
        network: Arc::clone(&surroundings.network),
        proxies: Arc::clone(&surroundings.proxies),
        clock: Arc::clone(&surroundings.ground.clock),
        v6: V6Trust::default(),
    })
}

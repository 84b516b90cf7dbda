//! The connections to OpenAI that run in this process: kept, shown, changed.
//!
//! The tunnel client runs them; here stands what the Server adds: the hops that only it knows, what happened lately, and
//! the words of the desktop app.

mod history;
mod network;
mod tool_lists;
mod view;
mod way_out;
mod words;

use std::sync::{Arc, Weak};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::control::{
    ConnectionDraft, ConnectionSecrets, SavedConnection, SavedConnections, TunnelConnection, TunnelEventKind,
};
use webcodex_settings::Secret;
use webcodex_tunnel::status::{Moment, Status};
use webcodex_tunnel::{
    ConnectionId, ConnectionSettings, ConnectionView, Connections, EditError, Surroundings,
};

use crate::app::App;
use history::History;
use network::Place;
use tool_lists::{NewList, ToolLists};
use way_out::WayOut;
pub(crate) use words::Refusal;

/// The connections of this process.
pub(crate) struct Tunnels {
    connections: Connections,
    history: History,
    tool_lists: ToolLists,
    /// Cancelled when the Server ends.
    closing: CancellationToken,
}

impl Tunnels {
    /// None yet.
    pub(crate) fn new(app: &Arc<App>, mut surroundings: Surroundings) -> Arc<Self> {
        surroundings.proxies =
            Arc::new(WayOut { app: Arc::downgrade(app), system: Arc::clone(&surroundings.proxies) });
        let tunnels = Arc::new(Self {
            connections: Connections::new(surroundings, Vec::new()),
            history: History::default(),
            tool_lists: ToolLists::new(app.store.clone(), app.control.tools.clone()),
            closing: app.control.closing.clone(),
        });
        tokio::spawn(watch_network(Arc::downgrade(&tunnels), tunnels.closing.clone()));
        let (app, loading) = (Arc::downgrade(app), Arc::clone(&tunnels));
        tokio::spawn(async move {
            loading.tool_lists.load().await;
            app.upgrade().inspect(|app| app.control.changed());
        });
        tunnels
    }

    /// Switches all off; calls that run are finished.
    pub(crate) async fn end(&self) {
        self.connections.stop_all().await;
    }

    /// Tries all again now, because the network changed or the person wants it.
    pub(crate) fn network_changed(&self) {
        self.connections.network_changed();
    }

    /// The person chose another way for the whole app: connections that are on and have none of their own take it now.
    pub(crate) async fn way_changed(&self) {
        self.connections.preferred_route_changed().await;
    }

    /// All connections as the app shows them.
    pub(crate) fn list(&self, app: &App) -> Vec<TunnelConnection> {
        let runner_linked = app.runners.status().iter().any(|runner| runner.online);
        let shown = |view: ConnectionView| {
            let fetched = self.tool_lists.of(view.settings.tunnel.as_str());
            view::shown(&view, self.history.of(&view.settings.id), runner_linked, fetched)
        };
        self.connections.views().into_iter().map(shown).collect()
    }

    /// How a connection stands, now and from now on.
    pub(crate) fn status(&self, id: &str) -> Result<watch::Receiver<Status>, Refusal> {
        Ok(self.connections.status(&ConnectionId::from(id))?)
    }

    /// Takes over what was saved, and switches on what is to be on.
    pub(crate) async fn restore(&self, app: &Arc<App>, saved: SavedConnections) {
        let SavedConnections { connections, on } = saved;
        let mut start = Vec::new();
        for (settings, key) in kept(connections) {
            let id = settings.id.clone();
            if self.connections.restore(settings, key) {
                self.follow(app, &id);
                start.extend(on.iter().any(|on| on == id.as_str()).then_some(id));
            }
        }
        app.control.changed();
        for id in start {
            if let Ok(connection) = self.connections.connection(&id) {
                connection.start().await;
            }
        }
    }

    /// Adds a connection, which is off.
    pub(crate) fn add(&self, app: &Arc<App>, draft: ConnectionDraft) -> Result<SavedConnection, Refusal> {
        let (settings, key) = self.connections.add(words::draft(draft)?)?;
        self.follow(app, &settings.id);
        app.control.changed();
        Ok(saved(&settings, &key))
    }

    /// Changes a connection last seen at `revision`.
    pub(crate) async fn edit(
        &self,
        app: &App,
        id: &str,
        revision: u64,
        draft: ConnectionDraft,
    ) -> Result<SavedConnection, Refusal> {
        let id = ConnectionId::from(id);
        let (settings, key) = self.connections.edit(&id, revision, words::draft(draft)?).await?;
        self.history.note(&id, TunnelEventKind::Edited);
        app.control.changed();
        Ok(saved(&settings, &key))
    }

    /// Switches a connection last seen at `revision` off and forgets it.
    pub(crate) async fn delete(&self, app: &App, id: &str, revision: u64) -> Result<(), Refusal> {
        let id = ConnectionId::from(id);
        self.connections.delete(&id, revision).await?;
        self.history.forget(&id);
        app.control.changed();
        Ok(())
    }

    /// Switches a connection on or off.
    pub(crate) async fn switch(&self, id: &str, on: bool) -> Result<(), Refusal> {
        let id = ConnectionId::from(id);
        let connection = self.connections.connection(&id)?;
        if on {
            self.history.note(&id, TunnelEventKind::SwitchedOn);
            connection.start().await;
        } else {
            self.history.note(&id, TunnelEventKind::SwitchedOff);
            connection.stop().await;
        }
        Ok(())
    }

    /// Switches a connection off and on.
    pub(crate) async fn restart(&self, id: &str) -> Result<(), Refusal> {
        self.connections.connection(&ConnectionId::from(id))?.restart().await;
        Ok(())
    }

    /// Writes down what happens to a connection, until it is deleted or the Server ends.
    fn follow(&self, app: &Arc<App>, id: &ConnectionId) {
        let Ok(mut status) = self.connections.status(id) else { return };
        let (mut teller, mut new_list) = (self.history.teller(id), NewList::default());
        let id = id.clone();
        let (app, closing) = (Arc::downgrade(app), self.closing.clone());
        tokio::spawn(async move {
            while let Some(Ok(())) = closing.run_until_cancelled(status.changed()).await {
                let fetched = {
                    let status = status.borrow_and_update();
                    teller.saw(&status);
                    new_list.saw(&status)
                };
                let Some(app) = app.upgrade() else { return };
                if let (Some(at), Some(tunnels)) = (fetched, app.tunnels.get()) {
                    tunnels.list_fetched(&id, at).await;
                }
                app.control.changed();
            }
        });
    }

    /// ChatGPT has fetched the list of tools through a connection.
    async fn list_fetched(&self, id: &ConnectionId, at: Moment) {
        let view = self.connections.views().into_iter().find(|view| view.settings.id == *id);
        if let Some(view) = view {
            self.tool_lists.fetched(view.settings.tunnel.as_str(), at).await;
        }
    }
}

/// Tries all connections again whenever this computer stands in another network, until the Server ends.
async fn watch_network(tunnels: Weak<Tunnels>, closing: CancellationToken) {
    let mut before = Place::now();
    while closing.run_until_cancelled(tokio::time::sleep(network::LOOK_EVERY)).await.is_some() {
        let now = Place::now();
        if now != before {
            tracing::info!("the network is another one; the connections to OpenAI are tried again");
            let Some(tunnels) = tunnels.upgrade() else { return };
            tunnels.network_changed();
        }
        before = now;
    }
}

/// What is to be kept of a connection.
fn saved(settings: &ConnectionSettings, key: &Secret) -> SavedConnection {
    SavedConnection {
        id: settings.id.to_string(),
        settings: serde_json::to_value(settings).unwrap_or_default(),
        secrets: ConnectionSecrets {
            key: key.expose().to_owned(),
            proxy_password: words::proxy_password(settings),
        },
    }
}

/// What was kept of connections. One that cannot be read is left out and named in the log.
fn kept(saved: Vec<SavedConnection>) -> Vec<(ConnectionSettings, Secret)> {
    let one = |saved: SavedConnection| match serde_json::from_value::<ConnectionSettings>(saved.settings) {
        Ok(settings) => {
            let settings = words::with_proxy_password(settings, saved.secrets.proxy_password);
            Some((settings, Secret::new(saved.secrets.key)))
        }
        Err(error) => {
            tracing::error!(id = saved.id, %error, "a saved connection cannot be read and is left out");
            None
        }
    };
    saved.into_iter().filter_map(one).collect()
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        let code = match &error {
            EditError::Unknown => "not_found",
            EditError::Stale { .. } => "stale",
            EditError::TunnelInUse { .. } => "tunnel_in_use",
            EditError::Tunnel(_) => "tunnel_invalid",
            EditError::Key => "key_invalid",
            EditError::Name => "name_invalid",
            EditError::Organization => "organization_invalid",
            EditError::TooMany => "too_many",
        };
        Refusal::new(code, error.to_string())
    }
}

//! The way in for tunnels of this process, and the connections that use it.

use std::sync::Arc;

use axum::Router;
use tokio::sync::watch;
use webcodex_contracts::control::{ConnectionDraft, Failure, SavedConnection};
use webcodex_settings::Secret;
use webcodex_tunnel::status::Status;
use webcodex_tunnel::{CredentialError, Surroundings, Target};

use crate::app::App;
use crate::tunnels::{Refusal, Tunnels};

/// The way in for tunnels: the same router, guard and authentication as for everybody else, without a socket in
/// between. Clones are the same door.
#[derive(Clone)]
pub struct TunnelDoor {
    pub(crate) router: Router,
    pub(crate) app: Arc<App>,
}

impl TunnelDoor {
    /// The target of tunnels whose commands come in with `credential`.
    ///
    /// # Errors
    /// The credential has characters no header can carry.
    pub fn target(&self, credential: &Secret) -> Result<Target, CredentialError> {
        Target::new(self.router.clone(), credential)
    }

    /// Keeps connections from now on; there are none yet. Only the first call has an effect.
    pub fn open(&self, surroundings: Surroundings) {
        self.app.tunnels.get_or_init(|| Tunnels::new(&self.app, surroundings));
    }

    /// Adds a connection, which is off.
    ///
    /// # Errors
    /// What was entered is not usable; nothing was added.
    pub fn add(&self, draft: ConnectionDraft) -> Result<SavedConnection, Failure> {
        self.tunnels()?.add(&self.app, draft).map_err(Refusal::into_failure)
    }

    /// Switches a connection on or off.
    ///
    /// # Errors
    /// There is no such connection.
    pub async fn switch(&self, id: &str, on: bool) -> Result<(), Failure> {
        self.tunnels()?.switch(id, on).await.map_err(Refusal::into_failure)
    }

    /// How a connection stands, now and from now on.
    ///
    /// # Errors
    /// There is no such connection.
    pub fn status(&self, id: &str) -> Result<watch::Receiver<Status>, Failure> {
        self.tunnels()?.status(id).map_err(Refusal::into_failure)
    }

    /// Switches all connections off; calls that run are finished.
    pub async fn close(&self) {
        if let Some(tunnels) = self.app.tunnels.get() {
            tunnels.end().await;
        }
    }

    fn tunnels(&self) -> Result<&Arc<Tunnels>, Failure> {
        self.app.tunnels.get().ok_or_else(|| Failure {
            code: "not_found".to_owned(),
            message: "this Server keeps no connections".to_owned(),
            hint: None,
        })
    }
}

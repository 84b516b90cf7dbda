//! Finding a way to the control plane.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use webcodex_settings::Secret;

use super::HttpControlPlane;
use crate::clock::Clock;
use crate::control_plane::{Approach, ControlPlane, Reached};
use crate::fault::Fault;
use crate::route::{
    Candidate, ControlPlaneAddress, Dial, Network, NoProxies, ProxySource, RouteDial, RouteSetting, Tls,
    V6Trust, candidates,
};
use crate::status::Reason;
use crate::wire::{InstanceId, TunnelId, is_well_formed_key};

/// A better route is this far ahead of the next.
const HEAD_START: Duration = Duration::from_millis(150);

/// Which tunnel, and what opens it.
#[derive(Debug, Clone)]
pub struct Access {
    /// The tunnel.
    pub tunnel: TunnelId,
    /// The runtime API key.
    pub key: Secret,
    /// The organization that owns the tunnel, where it has to be said.
    pub organization: Option<String>,
    /// Where the control plane is.
    pub address: ControlPlaneAddress,
    /// Which process this is.
    pub instance: InstanceId,
}

/// Races the routes of a setting against the control plane itself.
pub struct HttpApproach {
    /// Which tunnel, and what opens it.
    pub access: Access,
    /// Which routes are allowed.
    pub route: RouteSetting,
    /// Certificates trusted in addition to the operating system's.
    pub ca_file: Option<PathBuf>,
    /// The network.
    pub network: Arc<dyn Network>,
    /// The proxies this computer is set to use.
    pub proxies: Arc<dyn ProxySource>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Whether IPv6 is tried first.
    pub v6: V6Trust,
}

impl HttpApproach {
    async fn race(&self) -> Result<Reached, Fault> {
        if !is_well_formed_key(self.access.key.expose()) {
            return Err(Fault::new(Reason::KeyMalformed));
        }
        let tls = self.tls().await.map_err(Fault::new)?;
        let list = self.candidates().await;
        let mut attempts: FuturesUnordered<_> = list
            .iter()
            .zip(0_u32..)
            .map(|(candidate, place)| {
                let tls = tls.clone();
                async move {
                    tokio::time::sleep(HEAD_START * place).await;
                    (place, self.attempt(candidate, tls).await)
                }
            })
            .collect();
        let mut worst: Option<(u32, Fault)> = None;
        while let Some((place, attempt)) = attempts.next().await {
            match attempt {
                Ok(reached) => return Ok(reached),
                // The best route's fault is the one worth telling.
                Err(fault) if worst.as_ref().is_none_or(|(first, _)| place < *first) => {
                    worst = Some((place, fault))
                }
                Err(_) => {}
            }
        }
        Err(worst.map_or_else(|| Fault::new(Reason::NetworkBlocked), |(_, fault)| fault))
    }

    /// A route is found when the control plane itself has spoken on it, be it a refusal.
    async fn attempt(&self, candidate: &Candidate, tls: Option<Tls>) -> Result<Reached, Fault> {
        let proxy = candidate.proxy.clone().map_err(Fault::new)?;
        let through_proxy = proxy.is_some();
        let dial = RouteDial::new(
            Arc::clone(&self.network),
            proxy,
            self.access.address.clone(),
            tls,
            self.v6.clone(),
        );
        let dial: Arc<dyn Dial> = Arc::new(dial);
        let control_plane = HttpControlPlane::new(&self.access, &dial, Arc::clone(&self.clock))
            .map_err(|_| Fault::new(Reason::AddressInvalid))?;
        let tunnel = control_plane.tunnel().await;
        match tunnel {
            Err(fault) if fault.is_on_the_way() => Err(fault),
            tunnel => {
                let route = candidate.shown.clone();
                Ok(Reached { control_plane: Arc::new(control_plane), route, through_proxy, tunnel })
            }
        }
    }

    /// The system may take a moment to tell its proxies.
    async fn candidates(&self) -> Vec<Candidate> {
        let (route, address) = (self.route.clone(), self.access.address.clone());
        let proxies = Arc::clone(&self.proxies);
        let list = tokio::task::spawn_blocking(move || candidates(&route, &address, &*proxies)).await;
        // Without any the direct way is still there.
        list.unwrap_or_else(|_| candidates(&self.route, &self.access.address, &NoProxies))
    }

    async fn tls(&self) -> Result<Option<Tls>, Reason> {
        if !self.access.address.is_secure() {
            return Ok(None);
        }
        let ca_file = self.ca_file.clone();
        let tls = tokio::task::spawn_blocking(move || Tls::new(ca_file.as_deref())).await;
        tls.unwrap_or(Err(Reason::TlsFailed)).map(Some)
    }
}

impl Approach for HttpApproach {
    fn reach(&self) -> BoxFuture<'_, Result<Reached, Fault>> {
        Box::pin(self.race())
    }
}

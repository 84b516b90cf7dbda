//! A connection to the control plane over one route.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::timeout;

use super::connect::{ConnectError, Family, connect};
use super::{BoxIo, ControlPlaneAddress, Network, ProxyAddress, ProxyKind, Tls, http_proxy, socks};
use crate::status::Reason;

/// A proxy's greeting and a handshake take at most this long each.
const STEP_LIMIT: Duration = Duration::from_secs(10);

/// Makes connections over one route, or says which part of the way is broken.
pub trait Dial: Send + Sync + 'static {
    /// A new connection, ready for HTTP.
    fn dial(&self) -> BoxFuture<'_, Result<BoxIo, Reason>>;
}

/// Whether connections over IPv6 are tried first. Clones share what was learned.
#[derive(Debug, Clone, Default)]
pub struct V6Trust {
    /// Set once a connection over IPv6 was made that then carried nothing.
    lost: Arc<AtomicBool>,
}

/// A route over the network: name, connection, proxy, encryption.
pub struct RouteDial {
    network: Arc<dyn Network>,
    proxy: Option<ProxyAddress>,
    address: ControlPlaneAddress,
    tls: Option<Tls>,
    v6: V6Trust,
}

impl RouteDial {
    /// A route to `address`. Without `tls` nothing is encrypted, which only an address on this computer allows.
    pub fn new(
        network: Arc<dyn Network>,
        proxy: Option<ProxyAddress>,
        address: ControlPlaneAddress,
        tls: Option<Tls>,
        v6: V6Trust,
    ) -> Self {
        Self { network, proxy, address, tls, v6 }
    }

    async fn connect(&self) -> Result<BoxIo, Reason> {
        let first = if self.v6.lost.load(Ordering::Relaxed) { Family::V4 } else { Family::V6 };
        let (host, port) = match &self.proxy {
            Some(proxy) => (proxy.host.as_str(), proxy.port),
            None => (self.address.host(), self.address.port()),
        };
        let (stream, family) =
            connect(&*self.network, host, port, first).await.map_err(|error| self.reason(error))?;
        let stream = match &self.proxy {
            Some(proxy) => {
                timeout(STEP_LIMIT, self.through(proxy, stream)).await.unwrap_or(Err(Reason::ProxyFailed))?
            }
            None => stream,
        };
        let Some(tls) = &self.tls else { return Ok(stream) };
        let secured = timeout(STEP_LIMIT, tls.secure(stream, self.address.host())).await;
        if family == Family::V6 && matches!(secured, Err(_) | Ok(Err(Reason::NetworkBlocked))) {
            self.v6.lost.store(true, Ordering::Relaxed);
        }
        secured.unwrap_or(Err(Reason::ConnectTimedOut))
    }

    async fn through(&self, proxy: &ProxyAddress, stream: BoxIo) -> Result<BoxIo, Reason> {
        let (host, port) = (self.address.host(), self.address.port());
        match proxy.kind {
            ProxyKind::Http => http_proxy::connect(stream, proxy, host, port).await,
            ProxyKind::Socks5 => socks::connect(stream, proxy, host, port).await,
        }
    }

    fn reason(&self, error: ConnectError) -> Reason {
        match (error, &self.proxy) {
            (_, Some(_)) => Reason::ProxyFailed,
            (ConnectError::NameNotFound, None) => Reason::DnsFailed,
            (ConnectError::Refused, None) => Reason::NetworkBlocked,
            (ConnectError::TimedOut, None) => Reason::ConnectTimedOut,
        }
    }
}

impl Dial for RouteDial {
    fn dial(&self) -> BoxFuture<'_, Result<BoxIo, Reason>> {
        Box::pin(self.connect())
    }
}

//! What a control plane does for us.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use tokio::time::Instant;

use crate::fault::Fault;
use crate::wire::{Received, ShardToken};

/// What the control plane says about a tunnel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TunnelInfo {
    /// The name the user gave it.
    pub name: Option<String>,
    /// The control plane's own time.
    pub date: Option<SystemTime>,
}

/// The answer of a poll.
#[derive(Debug)]
pub struct Polled {
    /// When its headers arrived; deadlines count from here.
    pub received: Instant,
    /// What it handed out.
    pub commands: Vec<Received>,
    /// The id of the answer, for support.
    pub request_id: Option<String>,
}

/// How the delivery of an answer ended, where the control plane spoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    /// Taken.
    Accepted,
    /// The caller is gone, or was answered already. Ends the matter.
    NobodyWaits,
    /// Refused because it is too big.
    TooBig,
    /// Refused; sending it again would not help.
    Refused,
}

/// The far end of a tunnel. No method tries anything twice.
pub trait ControlPlane: Send + Sync + 'static {
    /// Asks about the tunnel.
    fn tunnel(&self) -> BoxFuture<'_, Result<TunnelInfo, Fault>>;

    /// Asks for at most `limit` commands and waits for up to `wait`.
    fn poll(&self, limit: usize, wait: Duration) -> BoxFuture<'_, Result<Polled, Fault>>;

    /// Gives one answer back. A [`Fault`] may be tried again with the same bytes.
    fn respond<'a>(&'a self, token: &'a ShardToken, body: Bytes) -> BoxFuture<'a, Result<Delivered, Fault>>;
}

/// A control plane that was reached.
#[derive(Clone)]
pub struct Reached {
    /// The control plane.
    pub control_plane: std::sync::Arc<dyn ControlPlane>,
    /// The route, in words without credentials.
    pub route: String,
    /// Whether a proxy is on the way.
    pub through_proxy: bool,
    /// What it said about the tunnel.
    pub tunnel: Result<TunnelInfo, Fault>,
}

/// A way to the control plane, looked for anew each time.
pub trait Approach: Send + Sync + 'static {
    /// Finds a way with fresh connections and names, and asks about the tunnel on it.
    fn reach(&self) -> BoxFuture<'_, Result<Reached, Fault>>;
}

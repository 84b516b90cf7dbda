//! Bringing answers back.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

use crate::backoff::Backoff;
use crate::control_plane::{ControlPlane, Delivered};
use crate::fault::Fault;
use crate::random::Randomness;
use crate::wire::ShardToken;

/// An answer is sent at most this often, with the same bytes.
const TRIES: usize = 3;

/// The control plane as it is reached at the moment; it changes when the way is found anew.
pub(crate) type Line = watch::Receiver<Option<Arc<dyn ControlPlane>>>;

/// How the delivery of an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Accepted,
    NobodyWaits,
    TooBig,
    /// Refused, or still unsure after the last try.
    Undelivered,
}

/// Delivers over the line of the moment.
#[derive(Clone)]
pub(crate) struct Delivery {
    line: Line,
    random: Arc<dyn Randomness>,
}

/// Which faults are tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    /// Whatever may pass: the control plane takes one result and refuses its copies.
    Always,
    /// Only where the first surely was not taken: a copy would be a second notification.
    IfNotTaken,
}

impl Delivery {
    /// Delivers over `line`.
    pub(crate) fn new(line: Line, random: Arc<dyn Randomness>) -> Self {
        Self { line, random }
    }

    /// Delivers the end of a command.
    pub(crate) async fn deliver(&self, token: &ShardToken, body: &Bytes) -> Fate {
        self.send(token, body, Again::Always).await
    }

    /// Delivers a notification on the way.
    pub(crate) async fn notify(&self, token: &ShardToken, body: &Bytes) -> Fate {
        self.send(token, body, Again::IfNotTaken).await
    }

    async fn send(&self, token: &ShardToken, body: &Bytes, again: Again) -> Fate {
        let mut backoff = Backoff::default();
        for left in (0..TRIES).rev() {
            let Some(control_plane) = self.line.borrow().clone() else { return Fate::Undelivered };
            let fault = match control_plane.respond(token, body.clone()).await {
                Ok(Delivered::Accepted) => return Fate::Accepted,
                Ok(Delivered::NobodyWaits) => return Fate::NobodyWaits,
                Ok(Delivered::TooBig) => return Fate::TooBig,
                Ok(Delivered::Refused) => return Fate::Undelivered,
                Err(fault) => fault,
            };
            if left == 0 || (again == Again::IfNotTaken && !surely_not_taken(&fault)) {
                break;
            }
            let wait = backoff.next(&*self.random).max(fault.wait_at_least.unwrap_or_default());
            tokio::time::sleep(wait).await;
        }
        Fate::Undelivered
    }
}

fn surely_not_taken(fault: &Fault) -> bool {
    fault.unsent || fault.status == Some(429)
}

//! What happened to each connection lately.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use webcodex_contracts::control::{TunnelEvent, TunnelEventKind};
use webcodex_store::now_ms;
use webcodex_tunnel::ConnectionId;
use webcodex_tunnel::status::{CallOutcome, Reason, State, Status};

use super::view::code;

/// Events kept for each connection.
const KEPT: usize = 50;

type Events = Arc<Mutex<BTreeMap<ConnectionId, VecDeque<TunnelEvent>>>>;

/// The events of all connections, in memory.
#[derive(Default)]
pub(super) struct History(Events);

impl History {
    /// The events of one connection, newest first.
    pub(super) fn of(&self, id: &ConnectionId) -> Vec<TunnelEvent> {
        self.0.lock().get(id).map(|events| events.iter().cloned().collect()).unwrap_or_default()
    }

    /// Something was done to a connection.
    pub(super) fn note(&self, id: &ConnectionId, kind: TunnelEventKind) {
        push(&self.0, id, TunnelEvent { at: now_ms(), kind, reason: None, method: None });
    }

    /// Forgets the events of a connection that is gone.
    pub(super) fn forget(&self, id: &ConnectionId) {
        self.0.lock().remove(id);
    }

    /// Turns the states of one connection into events.
    pub(super) fn teller(&self, id: &ConnectionId) -> Teller {
        Teller { events: Arc::clone(&self.0), id: id.clone(), online: false, calls: 0 }
    }
}

/// Follows one connection.
pub(super) struct Teller {
    events: Events,
    id: ConnectionId,
    online: bool,
    /// Calls that have ended so far; more than one may end between two looks.
    calls: u64,
}

impl Teller {
    /// Compares a status with the one before.
    pub(super) fn saw(&mut self, status: &Status) {
        let online = matches!(status.state, State::Online | State::Degraded { .. });
        if online != self.online {
            self.online = online;
            let kind = if online { TunnelEventKind::Online } else { TunnelEventKind::Offline };
            let reason = reason(&status.state).filter(|_| !online).map(|reason| code(&reason));
            self.push(TunnelEvent { at: now_ms(), kind, reason, method: None });
        }
        let counters = status.counters;
        let ended = counters.answered + counters.expired + counters.undelivered;
        if let Some(call) = status.last_call.as_ref().filter(|_| ended != self.calls) {
            let kind = match call.outcome {
                CallOutcome::Answered => TunnelEventKind::CallFinished,
                CallOutcome::Failed | CallOutcome::Expired | CallOutcome::NotDelivered => {
                    TunnelEventKind::CallFailed
                }
            };
            self.push(TunnelEvent { at: call.at.0, kind, reason: None, method: Some(call.method.clone()) });
        }
        self.calls = ended;
    }

    fn push(&self, event: TunnelEvent) {
        push(&self.events, &self.id, event);
    }
}

/// Why it is as it is, where there is a reason.
pub(super) fn reason(state: &State) -> Option<Reason> {
    match state {
        State::Degraded { reason } | State::Waiting { reason, .. } | State::NeedsYou { reason } => {
            Some(*reason)
        }
        State::Off | State::Starting | State::Checking | State::Online | State::Stopping => None,
    }
}

fn push(events: &Events, id: &ConnectionId, event: TunnelEvent) {
    let mut events = events.lock();
    let events = events.entry(id.clone()).or_default();
    events.push_front(event);
    events.truncate(KEPT);
}

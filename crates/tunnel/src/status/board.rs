//! Turns what happens into the status.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Call, CallOutcome, Counters, HopState, Moment, Reason, State, Status, chain};
use crate::clock::Clock;

/// A success older than this proves nothing: two waits and the time a poll may take beyond its wait.
const FRESH: Duration = Duration::from_secs(35);
/// One failed poll may be chance.
const TROUBLE_FROM: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Off,
    Starting,
    Running,
    NeedsYou(Reason),
    Stopping,
}

/// What is known of our own Server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalServer {
    /// Not asked yet.
    Unknown,
    /// It answered.
    Works,
    /// It did not.
    Broken(Reason),
}

/// Everything observed; the status is derived from it and from nothing else.
#[derive(Debug)]
pub(crate) struct Facts {
    phase: Phase,
    succeeded: Option<Instant>,
    failures: u32,
    trouble: Option<Reason>,
    next_try: Option<Moment>,
    local: LocalServer,
    /// Nothing is polled because all places are taken.
    busy: bool,
    status: Status,
}

/// Keeps the facts and publishes the status.
#[derive(Clone)]
pub(crate) struct Board {
    facts: Arc<Mutex<Facts>>,
    status: watch::Sender<Status>,
    clock: Arc<dyn Clock>,
}

impl Board {
    /// A board of a connection that is off.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        let status = Status {
            state: State::Off,
            hops: chain(HopState::Unknown, None, HopState::Unknown),
            route: None,
            tunnel_name: None,
            last_success: None,
            last_call: None,
            last_discover: None,
            last_tool_list: None,
            running: 0,
            poll_wait_ms: 0,
            notices: Vec::new(),
            clock_ahead_s: None,
            last_request_id: None,
            counters: Counters::default(),
        };
        let facts = Facts {
            phase: Phase::Off,
            succeeded: None,
            failures: 0,
            trouble: None,
            next_try: None,
            local: LocalServer::Unknown,
            busy: false,
            status: status.clone(),
        };
        Self { facts: Arc::new(Mutex::new(facts)), status: watch::Sender::new(status), clock }
    }

    /// A receiver whose first value is the whole present status.
    pub(crate) fn watch(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }

    /// The connection was switched on.
    pub(crate) fn starting(&self) {
        self.change(|facts, _| {
            facts.phase = Phase::Starting;
            (facts.succeeded, facts.failures, facts.trouble, facts.next_try) = (None, 0, None, None);
            facts.local = LocalServer::Unknown;
            facts.status.notices.clear();
            facts.status.route = None;
        });
    }

    /// The control plane is being looked for or asked.
    pub(crate) fn checking(&self) {
        self.change(|facts, _| facts.phase = Phase::Running);
    }

    /// The computer slept, or the network is another one: what was seen before proves nothing any more.
    pub(crate) fn checking_anew(&self) {
        self.change(|facts, _| {
            facts.phase = Phase::Running;
            (facts.succeeded, facts.failures, facts.trouble, facts.next_try) = (None, 0, None, None);
        });
    }

    /// A route was found.
    pub(crate) fn route(&self, route: &str) {
        self.change(|facts, _| facts.status.route = Some(route.to_owned()));
    }

    /// The control plane told the tunnel's name and its own time.
    pub(crate) fn tunnel(&self, name: Option<String>, clock_ahead_s: Option<i64>) {
        self.change(|facts, _| {
            facts.status.tunnel_name = name;
            facts.status.clock_ahead_s = clock_ahead_s;
        });
    }

    /// A poll succeeded.
    pub(crate) fn succeeded(&self, request_id: Option<String>) {
        self.change(|facts, now| {
            (facts.succeeded, facts.failures, facts.trouble, facts.next_try) = (Some(now), 0, None, None);
            facts.busy = false;
            facts.status.counters.polls += 1;
            facts.status.last_request_id = request_id.or(facts.status.last_request_id.take());
        });
        let wall = Moment::from(self.clock.wall());
        self.change(|facts, _| facts.status.last_success = Some(wall));
    }

    /// A poll failed and is tried again in `wait`.
    pub(crate) fn failed(&self, reason: Reason, wait: Duration, request_id: Option<String>) {
        let next_try = Moment::from(self.clock.wall() + wait);
        self.change(|facts, _| {
            facts.failures += 1;
            facts.trouble = Some(reason);
            facts.next_try = Some(next_try);
            facts.status.counters.failed_polls += 1;
            facts.status.last_request_id = request_id.or(facts.status.last_request_id.take());
        });
    }

    /// Only the user can help.
    pub(crate) fn needs_you(&self, reason: Reason, request_id: Option<String>) {
        self.change(|facts, _| {
            facts.phase = Phase::NeedsYou(reason);
            (facts.succeeded, facts.trouble, facts.next_try) = (None, Some(reason), None);
            facts.status.counters.failed_polls += 1;
            facts.status.last_request_id = request_id.or(facts.status.last_request_id.take());
        });
    }

    /// The connection was switched off and finishes what runs.
    pub(crate) fn stopping(&self) {
        self.change(|facts, _| facts.phase = Phase::Stopping);
    }

    /// The connection is off.
    pub(crate) fn off(&self) {
        self.change(|facts, _| {
            facts.phase = Phase::Off;
            (facts.succeeded, facts.trouble, facts.next_try) = (None, None, None);
            facts.status.running = 0;
        });
    }

    /// No poll is made because all places are taken.
    pub(crate) fn busy(&self) {
        self.change(|facts, _| facts.busy = true);
    }

    /// A poll waits this long.
    pub(crate) fn poll_wait(&self, wait: Duration) {
        self.change(|facts, _| {
            facts.status.poll_wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
        });
    }

    /// Something the user should know.
    pub(crate) fn notice(&self, reason: Reason) {
        self.change(|facts, _| {
            if !facts.status.notices.contains(&reason) {
                facts.status.notices.push(reason);
            }
        });
    }

    /// What our own Server was seen doing.
    pub(crate) fn local_server(&self, local: LocalServer) {
        self.change(|facts, _| facts.local = local);
    }

    /// A command ended.
    pub(crate) fn call(&self, call: Call) {
        self.change(|facts, _| {
            // Only what arrived can be known at the other end.
            match call.method.as_str() {
                _ if call.outcome != CallOutcome::Answered => {}
                "server/discover" | "initialize" => facts.status.last_discover = Some(call.at),
                "tools/list" => facts.status.last_tool_list = Some(call.at),
                _ => {}
            }
            facts.status.last_call = Some(call);
        });
    }

    /// Counts something.
    pub(crate) fn count(&self, count: impl FnOnce(&mut Counters)) {
        self.change(|facts, _| count(&mut facts.status.counters));
    }

    /// So many commands are running or queued.
    pub(crate) fn running(&self, running: usize) {
        self.change(|facts, _| facts.status.running = running);
    }

    /// Looks again, because time went by.
    pub(crate) fn refresh(&self) {
        self.change(|_, _| {});
    }

    /// When the last success stops proving anything; `None` where there is none.
    pub(crate) fn fresh_until(&self) -> Option<Instant> {
        self.facts.lock().succeeded.map(|at| at + FRESH)
    }

    fn change(&self, change: impl FnOnce(&mut Facts, Instant)) {
        let now = self.clock.now();
        let mut facts = self.facts.lock();
        change(&mut facts, now);
        facts.derive(now);
        // Published under the lock, so that no older status can overtake a newer one.
        self.status.send_if_modified(|status| {
            let changed = *status != facts.status;
            if changed {
                status.clone_from(&facts.status);
            }
            changed
        });
    }
}

impl Facts {
    fn derive(&mut self, now: Instant) {
        let fresh = self.succeeded.is_some_and(|at| now.saturating_duration_since(at) < FRESH);
        self.status.state = self.state(fresh);
        if matches!(self.phase, Phase::Off | Phase::Starting) {
            self.status.hops = chain(HopState::Unknown, None, HopState::Unknown);
            return;
        }
        let local = match self.local {
            LocalServer::Unknown => HopState::Unknown,
            LocalServer::Works => HopState::Works,
            LocalServer::Broken(reason) => HopState::Broken(reason),
        };
        let outcome = match self.trouble {
            Some(reason) => Some(Err(reason)),
            None => fresh.then_some(Ok(())),
        };
        let last_call = if self.status.notices.contains(&Reason::ConnectorSendsCredentials) {
            HopState::Attention(Reason::ConnectorSendsCredentials)
        } else if self.status.last_call.is_some() {
            HopState::Works
        } else if fresh {
            HopState::Attention(Reason::WaitingForChatGpt)
        } else {
            HopState::Unknown
        };
        self.status.hops = chain(local, outcome, last_call);
    }

    fn state(&self, fresh: bool) -> State {
        match self.phase {
            Phase::Off => return State::Off,
            Phase::Starting => return State::Starting,
            Phase::Stopping => return State::Stopping,
            Phase::NeedsYou(reason) => return State::NeedsYou { reason },
            Phase::Running => {}
        }
        match (fresh, self.trouble, self.next_try, self.local) {
            (true, Some(reason), ..) if self.failures >= TROUBLE_FROM => State::Degraded { reason },
            (true, _, _, LocalServer::Broken(reason)) => State::Degraded { reason },
            (true, ..) => State::Online,
            (false, Some(reason), Some(next_try), _) => State::Waiting { reason, next_try },
            (false, None, ..) if self.busy => State::Degraded { reason: Reason::Busy },
            // The success is too old and the poll that should bring the next one is still open.
            (false, None, _, _) if self.succeeded.is_some() => State::Degraded { reason: Reason::NoAnswer },
            (false, ..) => State::Checking,
        }
    }
}

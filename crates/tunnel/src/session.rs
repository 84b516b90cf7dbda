//! One connection from switching on to switching off: one poll at a time, and the commands it brings.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
use crate::clock::{Clock, Deadline, Sleep, Slept};
use crate::control_plane::{Approach, ControlPlane, Polled, Reached};
use crate::fault::{Fault, Retry};
use crate::poll_wait::PollWait;
use crate::random::{Randomness, between};
use crate::seen::Seen;
use crate::status::{Board, Reason};
use crate::wire::Received;
use crate::worker::{AT_ONCE, Worker};

/// So many commands may wait for a place; more are not asked for.
const QUEUE: usize = 64;
/// The most a poll may ask for.
const MOST_PER_POLL: usize = 25;
/// An open poll is given this long when the connection is switched off.
const LAST_POLL: Duration = Duration::from_secs(1);
/// Running commands are given this long when the connection is switched off. With the last poll it is less than the
/// program has for its whole end.
const DRAIN: Duration = Duration::from_secs(4);
/// How long to leave alone what gets better by itself, but slowly.
const SLOWLY: Duration = Duration::from_secs(60);
/// So many failures in a row on one way are a reason to look for another.
const LOST_AFTER: u32 = 2;
/// A clock that is off by more than this is worth telling.
const CLOCK_OFF: i64 = 300;

/// A connection that is switched on.
pub(crate) struct Session {
    pub(crate) approach: Arc<dyn Approach>,
    pub(crate) worker: Arc<Worker>,
    pub(crate) board: Board,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Randomness>,
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) line: watch::Sender<Option<Arc<dyn ControlPlane>>>,
    pub(crate) stop: CancellationToken,
    /// It is to be tried now: the user wants it, or the network changed.
    pub(crate) nudge: Arc<Notify>,
}

/// What keeps changing while a session runs.
struct Run {
    session: Session,
    sleep: Sleep,
    tasks: JoinSet<()>,
    backoff: Backoff,
    wait: PollWait,
}

/// How a poll ended.
enum PollEnd {
    Polled(Polled),
    Failed(Fault),
    /// The computer slept or the network changed: what was open is dead.
    Woken,
    Stopped(Option<Polled>),
}

/// Why a pause ended.
#[derive(PartialEq, Eq)]
enum PauseEnd {
    Waited,
    /// Something changed: look for the way anew.
    Changed,
}

impl Session {
    /// Runs until stopped, then finishes what runs.
    pub(crate) async fn run(self) {
        let sleep = Sleep::watch(Arc::clone(&self.clock), self.stop.clone());
        self.board.starting();
        let (tasks, backoff, wait) = (JoinSet::new(), Backoff::default(), PollWait::default());
        let mut run = Run { session: self, sleep, tasks, backoff, wait };
        run.session.board.poll_wait(run.wait.usual());
        run.session.board.checking();
        while !run.session.stop.is_cancelled() {
            run.reach_and_serve().await;
        }
        run.drain().await;
    }
}

impl Run {
    /// Finds a way and serves on it until it is lost.
    async fn reach_and_serve(&mut self) {
        let asleep = self.sleep.so_far();
        let Some(reached) = self.reach(asleep).await else { return };
        let served = match reached {
            Ok(reached) => self.greet(reached, asleep).await,
            Err(fault) => Err(fault),
        };
        if let Err(fault) = served {
            self.pause(&fault).await;
        }
    }

    /// Looks for a way; nothing where that has to begin anew or is not wanted any more.
    async fn reach(&mut self, asleep: Slept) -> Option<Result<Reached, Fault>> {
        let nudge = Arc::clone(&self.session.nudge);
        let mut nudged = std::pin::pin!(nudge.notified());
        let mut reach = self.session.approach.reach();
        let mut fresh_until = self.session.board.fresh_until();
        loop {
            tokio::select! {
                reached = &mut reach => return Some(reached),
                () = self.session.stop.cancelled() => return None,
                () = self.sleep.wakes(asleep) => break,
                () = &mut nudged => break,
                Some(_) = self.tasks.join_next() => self.session.board.running(self.tasks.len()),
                () = moment(fresh_until) => {
                    fresh_until = None;
                    self.session.board.refresh();
                }
            }
        }
        drop(reach);
        self.begin_anew();
        None
    }

    /// What was seen before proves nothing any more, and no failure of before is a reason to wait.
    fn begin_anew(&mut self) {
        self.backoff.reset();
        self.session.board.checking_anew();
    }

    /// Takes note of what the control plane said first, and serves unless that forbids it.
    async fn greet(&mut self, reached: Reached, asleep: Slept) -> Result<(), Fault> {
        self.session.board.route(&reached.route);
        match &reached.tunnel {
            Ok(info) => {
                let ahead = info.date.map(|date| seconds_ahead(self.session.clock.wall(), date));
                let ahead = ahead.filter(|seconds| seconds.abs() > CLOCK_OFF);
                self.session.board.tunnel(info.name.clone(), ahead);
            }
            Err(fault) if fault.retry() == Retry::Never || fault.reason == Reason::RateLimited => {
                return Err(fault.clone());
            }
            // A key may be allowed to use what it cannot read: only a poll proves anything.
            Err(_) => self.session.board.tunnel(None, None),
        }
        self.session.line.send_replace(Some(Arc::clone(&reached.control_plane)));
        self.serve(&reached, asleep).await;
        Ok(())
    }

    /// Polls until the way is lost, or was before `asleep` grew: what was open then is dead.
    async fn serve(&mut self, reached: &Reached, asleep: Slept) {
        let (mut first, mut failures) = (true, 0);
        loop {
            if self.room(asleep).await.is_break() {
                return;
            }
            let wait = if first { self.wait.first() } else { self.wait.usual() };
            match self.poll(&*reached.control_plane, wait, asleep).await {
                PollEnd::Polled(polled) => {
                    (first, failures) = (false, 0);
                    self.backoff.reset();
                    self.session.board.succeeded(polled.request_id.clone());
                    self.take(polled);
                }
                // Nothing says how short a wait may be: one that is refused is not asked for again.
                PollEnd::Failed(fault) if first && is_vague(&fault) => first = false,
                PollEnd::Failed(fault) => {
                    let fault = self.learn(fault, reached);
                    failures += 1;
                    let lost = fault.is_on_the_way() && failures >= LOST_AFTER;
                    if self.pause(&fault).await == PauseEnd::Changed || lost {
                        return;
                    }
                }
                PollEnd::Woken => return self.begin_anew(),
                PollEnd::Stopped(polled) => {
                    polled.into_iter().for_each(|polled| self.take(polled));
                    return;
                }
            }
        }
    }

    /// Waits until there is room for more commands, unless the computer sleeps meanwhile.
    async fn room(&mut self, asleep: Slept) -> ControlFlow<()> {
        let mut fresh_until = self.session.board.fresh_until();
        while self.tasks.len() >= AT_ONCE + QUEUE {
            self.session.board.busy();
            tokio::select! {
                () = moment(fresh_until) => {
                    fresh_until = None;
                    self.session.board.refresh();
                }
                _ = self.tasks.join_next() => self.session.board.running(self.tasks.len()),
                () = self.session.stop.cancelled() => return ControlFlow::Break(()),
                () = self.sleep.wakes(asleep) => {
                    self.begin_anew();
                    return ControlFlow::Break(());
                }
            }
        }
        if self.session.stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    async fn poll(&mut self, control_plane: &dyn ControlPlane, wait: Duration, asleep: Slept) -> PollEnd {
        let limit = MOST_PER_POLL.min(AT_ONCE + QUEUE - self.tasks.len());
        let nudge = Arc::clone(&self.session.nudge);
        let mut nudged = std::pin::pin!(nudge.notified());
        let mut poll = control_plane.poll(limit, wait);
        let mut fresh_until = self.session.board.fresh_until();
        loop {
            tokio::select! {
                biased;
                polled = &mut poll => return polled.map_or_else(PollEnd::Failed, PollEnd::Polled),
                () = self.session.stop.cancelled() => {
                    self.session.board.stopping();
                    let last = timeout(LAST_POLL, poll).await;
                    return PollEnd::Stopped(last.ok().and_then(Result::ok));
                }
                () = self.sleep.wakes(asleep) => return PollEnd::Woken,
                () = &mut nudged => return PollEnd::Woken,
                Some(_) = self.tasks.join_next() => self.session.board.running(self.tasks.len()),
                () = moment(fresh_until) => {
                    fresh_until = None;
                    self.session.board.refresh();
                }
            }
        }
    }

    /// What a failed poll says about the way and about the key.
    fn learn(&mut self, mut fault: Fault, reached: &Reached) -> Fault {
        if let Some(after) = fault.cut_after
            && self.wait.cut(after)
        {
            self.session.board.poll_wait(self.wait.usual());
            if reached.through_proxy {
                fault.reason = Reason::ProxyCutsLongPoll;
                self.session.board.notice(fault.reason);
            }
        }
        // A key that may neither see nor use the tunnel most likely belongs to somebody else.
        if let (Reason::KeyCannotUseTunnel, Err(first)) = (fault.reason, &reached.tunnel)
            && first.reason == Reason::TunnelNotVisible
        {
            fault.reason = Reason::TunnelNotVisible;
        }
        fault
    }

    /// Starts what a poll brought, each command once.
    fn take(&mut self, polled: Polled) {
        let asleep = self.sleep.so_far();
        for received in polled.commands {
            let (request_id, timeout) = match &received {
                Received::Command(command) => (&command.request_id, command.timeout),
                Received::Rejected(rejected) => (&rejected.request_id, rejected.timeout),
                Received::UnknownKind | Received::Unreadable => {
                    tracing::info!("a command could not be used");
                    self.session.board.count(|counters| counters.unusable += 1);
                    continue;
                }
            };
            if !self.session.seen.lock().first_time(request_id, self.session.clock.now()) {
                self.session.board.count(|counters| counters.duplicates += 1);
                continue;
            }
            self.session.board.count(|counters| counters.commands += 1);
            let deadline = self.deadline(polled.received, timeout, asleep);
            let worker = Arc::clone(&self.session.worker);
            match received {
                Received::Command(command) => {
                    self.tasks.spawn(async move { worker.run(command, deadline).await });
                }
                Received::Rejected(rejected) => {
                    self.session.board.count(|counters| counters.unusable += 1);
                    self.tasks.spawn(async move { worker.reject(rejected, deadline).await });
                }
                Received::UnknownKind | Received::Unreadable => {}
            }
        }
        self.session.board.running(self.tasks.len());
    }

    fn deadline(&self, received: Instant, timeout: Option<Duration>, asleep: Slept) -> Deadline {
        Deadline::new(received, timeout, asleep, self.sleep.clone())
    }

    /// Leaves the control plane alone for as long as `fault` demands.
    async fn pause(&mut self, fault: &Fault) -> PauseEnd {
        let least = fault.wait_at_least.unwrap_or_default();
        let wait = match fault.retry() {
            Retry::Soon => Some(self.backoff.next(&*self.session.random).max(least)),
            Retry::Slowly => Some(between(&*self.session.random, SLOWLY, SLOWLY + SLOWLY / 12).max(least)),
            Retry::Never => None,
        };
        tracing::info!(reason = ?fault.reason, status = fault.status, "the control plane was not reached");
        match wait {
            Some(wait) => self.session.board.failed(fault.reason, wait, fault.request_id.clone()),
            None => self.session.board.needs_you(fault.reason, fault.request_id.clone()),
        }
        let asleep = self.sleep.so_far();
        let start = Instant::now();
        let mut fresh_until = self.session.board.fresh_until();
        let nudged = nudged(Arc::clone(&self.session.nudge), start + least);
        let mut nudged = std::pin::pin!(nudged);
        loop {
            tokio::select! {
                () = moment(wait.map(|wait| start + wait)) => return PauseEnd::Waited,
                () = self.session.stop.cancelled() => return PauseEnd::Changed,
                () = self.sleep.wakes(asleep) => break,
                // Being asked to wait is respected even when the user is in a hurry.
                () = &mut nudged => break,
                Some(_) = self.tasks.join_next() => self.session.board.running(self.tasks.len()),
                () = moment(fresh_until) => {
                    fresh_until = None;
                    self.session.board.refresh();
                }
            }
        }
        self.begin_anew();
        PauseEnd::Changed
    }

    /// Finishes what runs, as long as that is bearable.
    async fn drain(&mut self) {
        self.session.board.stopping();
        let end = Instant::now() + DRAIN;
        while let Ok(Some(_)) = timeout_at(end, self.tasks.join_next()).await {
            self.session.board.running(self.tasks.len());
        }
        let left = self.tasks.len() as u64;
        self.tasks.shutdown().await;
        self.session.board.count(|counters| counters.undelivered += left);
        self.session.line.send_replace(None);
        self.session.board.off();
    }
}

async fn nudged(nudge: Arc<Notify>, not_before: Instant) {
    nudge.notified().await;
    sleep_until(not_before).await;
}

/// A refusal that says nothing but that something was wrong with the request.
fn is_vague(fault: &Fault) -> bool {
    fault.status == Some(400) && fault.reason == Reason::ServiceRefuses
}

/// Returns at `at`; never without a moment.
async fn moment(at: Option<Instant>) {
    match at {
        Some(at) => sleep(at.saturating_duration_since(Instant::now())).await,
        None => std::future::pending().await,
    }
}

fn seconds_ahead(here: std::time::SystemTime, there: std::time::SystemTime) -> i64 {
    let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
    match here.duration_since(there) {
        Ok(ahead) => seconds(ahead),
        Err(behind) => -seconds(behind.duration()),
    }
}

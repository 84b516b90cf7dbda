//! What time it is, and whether the computer slept.

use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How often the two clocks are compared.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The clocks drift apart by this much only when the computer slept or somebody set the clock.
const SLEPT: Duration = Duration::from_secs(5);

/// The two clocks: one that only runs forward and may stop while the computer sleeps, and the one on the wall.
pub trait Clock: Send + Sync + 'static {
    /// The monotonic time.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// The time on the wall.
    fn wall(&self) -> SystemTime;
}

/// The clocks of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// How long the computer slept since the client started, in total; every change is a waking up.
///
/// Some systems stop the monotonic clock during sleep and some do not. A timer that fires much later than it should,
/// and a wall that ran ahead of the monotonic clock, both mean sleep; only the latter has to be added to deadlines.
/// A wall clock set by hand looks the same and costs one early reconnect.
#[derive(Debug, Clone)]
pub(crate) struct Sleep {
    total: watch::Receiver<Slept>,
}

/// The sum of all sleep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Slept {
    /// How often.
    times: u64,
    /// Time the monotonic clock did not see.
    unseen: Duration,
}

impl Sleep {
    /// Watches until `stop`.
    pub(crate) fn watch(clock: std::sync::Arc<dyn Clock>, stop: CancellationToken) -> Self {
        let (sender, total) = watch::channel(Slept::default());
        tokio::spawn(async move {
            let (mut monotonic, mut wall) = (clock.now(), clock.wall());
            while stop.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_some() {
                let (later, wall_later) = (clock.now(), clock.wall());
                let ran = later.saturating_duration_since(monotonic);
                let unseen = wall_later.duration_since(wall).unwrap_or_default().saturating_sub(ran);
                if unseen > SLEPT || ran > LOOK_EVERY + SLEPT {
                    let unseen = if unseen > SLEPT { unseen } else { Duration::ZERO };
                    sender.send_modify(|slept| {
                        slept.times += 1;
                        slept.unseen += unseen;
                    });
                }
                (monotonic, wall) = (later, wall_later);
            }
        });
        Self { total }
    }

    /// What was slept until now.
    pub(crate) fn so_far(&self) -> Slept {
        *self.total.borrow()
    }

    /// Returns when the computer wakes up from sleep that began after `since`.
    pub(crate) async fn wakes(&self, since: Slept) {
        let mut total = self.total.clone();
        if total.wait_for(|slept| slept.times != since.times).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// A moment after which an answer is of no use, counted over sleep.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    asleep: Slept,
    sleep: Sleep,
}

impl Deadline {
    /// `timeout` after `received`, when `asleep` had been slept; never without a timeout.
    pub(crate) fn new(received: Instant, timeout: Option<Duration>, asleep: Slept, sleep: Sleep) -> Self {
        Self { at: timeout.and_then(|timeout| received.checked_add(timeout)), asleep, sleep }
    }

    /// Returns when the moment has come.
    pub(crate) async fn passed(&self) {
        let Some(at) = self.at else { return std::future::pending().await };
        loop {
            let slept = self.sleep.so_far();
            let unseen = slept.unseen.saturating_sub(self.asleep.unseen);
            let Some(at) = at.checked_sub(unseen) else { return };
            tokio::select! {
                biased;
                () = tokio::time::sleep_until(at) => return,
                () = self.sleep.wakes(slept) => {}
            }
        }
    }
}

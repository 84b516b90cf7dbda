//! Whether the other side still shows signs of life.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::frame::Frame;
use crate::socket::Outbox;

/// With calls in flight, silence of this length is questioned by a ping.
pub(crate) const QUESTION_AFTER: Duration = Duration::from_secs(2);
/// A question unanswered for this long means that the other side hangs.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(3);
/// Whoever wakes later than this after the time it set itself was not allowed to run.
const LATE: Duration = Duration::from_secs(1);
/// With nothing in flight, the other side is asked this often.
pub(crate) const IDLE_PING: Duration = Duration::from_secs(10);

/// When something was last heard, readable from everywhere.
#[derive(Debug)]
pub(crate) struct Heard {
    start: Instant,
    last_ms: AtomicU64,
}

impl Heard {
    /// Something was heard now.
    pub(crate) fn now() -> Self {
        Self { start: Instant::now(), last_ms: AtomicU64::new(0) }
    }

    /// Notes that something was heard.
    pub(crate) fn note(&self) {
        let elapsed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_ms.store(elapsed, Ordering::Relaxed);
    }

    /// When something was last heard.
    pub(crate) fn last(&self) -> Instant {
        self.start + Duration::from_millis(self.last_ms.load(Ordering::Relaxed))
    }

    /// Returns once the other side has been silent for `quiet` and then left a ping unanswered.
    pub(crate) async fn until_silent(&self, outbox: &Outbox, quiet: Duration) {
        loop {
            tokio::time::sleep_until(self.last() + quiet).await;
            let asked = self.last();
            if asked.elapsed() < quiet {
                continue;
            }
            // A full outbox is no excuse: nothing leaves, so nothing will be heard.
            outbox.try_send(&Frame::Ping);
            let until = Instant::now() + ANSWER_WITHIN;
            tokio::time::sleep_until(until).await;
            // Who wakes too late has slept, and with it perhaps the whole computer: it asks anew.
            let slept = until.elapsed() > LATE;
            if self.last() == asked && !slept {
                return;
            }
        }
    }
}

//! How long a search may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time kept back so that threads at work can hand over what they have.
const MAX_GRACE: Duration = Duration::from_millis(250);
/// How often it is looked whether the call was cancelled.
const LOOK: Duration = Duration::from_millis(25);

/// When a search must have answered.
#[derive(Debug, Clone)]
pub struct Deadline {
    at: Instant,
    grace: Duration,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// `time` from now.
    pub fn within(time: Duration) -> Self {
        Self { at: Instant::now() + time, grace: MAX_GRACE.min(time / 4), cancelled: Arc::default() }
    }

    /// The same, but over as soon as the flag is set.
    #[must_use]
    pub fn or_cancelled(self, cancelled: Arc<AtomicBool>) -> Self {
        Self { cancelled, ..self }
    }

    /// Whether the answer must be given now.
    pub(super) fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.at
    }

    /// Whether no more work should be begun.
    pub(super) fn is_soon(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() + self.grace >= self.at
    }

    /// How long to wait before asking again.
    pub(super) fn next_look(&self) -> Duration {
        let left = self.at.saturating_duration_since(Instant::now());
        let soon = left.saturating_sub(self.grace);
        let next = if soon.is_zero() { left } else { soon };
        next.clamp(Duration::from_millis(1), LOOK)
    }
}

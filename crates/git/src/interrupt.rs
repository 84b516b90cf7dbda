//! When to stop: at a deadline, or as soon as nobody waits any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::GitError;

/// A flag that long work looks at often. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Interrupt {
    /// Stops only when raised.
    pub fn never() -> Self {
        Self::default()
    }

    /// Stops after `time` at the latest.
    pub fn after(time: Duration) -> Self {
        Self { raised: Arc::default(), deadline: Instant::now().checked_add(time) }
    }

    /// Asks the work to stop.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop. Also raises the flag when the deadline is over, for those who see only the flag.
    pub fn is_raised(&self) -> bool {
        if self.raised.load(Ordering::Relaxed) {
            return true;
        }
        let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if over {
            self.raise();
        }
        over
    }

    /// An error where the work should stop.
    pub(crate) fn check(&self) -> Result<(), GitError> {
        if self.is_raised() { Err(GitError::Interrupted) } else { Ok(()) }
    }

    /// The flag alone, for code that cannot ask for the time.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.raised
    }

    /// The time left, at most `longest`.
    pub(crate) fn left(&self, longest: Duration) -> Duration {
        match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()).min(longest),
            None => longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_is_seen_by_every_clone() {
        let interrupt = Interrupt::never();
        let clone = interrupt.clone();
        assert!(clone.check().is_ok());
        interrupt.raise();
        assert!(clone.is_raised() && clone.check().is_err());
    }

    #[test]
    fn a_deadline_raises_the_flag() {
        let interrupt = Interrupt::after(Duration::ZERO);
        assert!(!interrupt.flag().load(Ordering::Relaxed), "nobody has looked yet");
        assert!(interrupt.is_raised());
        assert!(interrupt.flag().load(Ordering::Relaxed));
        assert_eq!(interrupt.left(Duration::from_secs(5)), Duration::ZERO);
    }
}

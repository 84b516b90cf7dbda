//! How long a poll waits for work.

use std::time::Duration;

use crate::openai::POLL_ALLOWANCE;

/// The first poll on a new way is short, so that success is seen quickly.
const FIRST: Duration = Duration::from_millis(200);
/// Short enough for most proxies.
const USUAL: Duration = Duration::from_secs(15);
/// Shorter waits would only make traffic.
const SHORTEST: Duration = Duration::from_secs(5);

/// The wait of polls; it gets shorter where something on the way ends waiting connections, and never longer again.
#[derive(Debug)]
pub(crate) struct PollWait(Duration);

impl Default for PollWait {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl PollWait {
    /// The wait of the first poll on a new way.
    pub(crate) fn first(&self) -> Duration {
        FIRST
    }

    /// The wait of every other poll.
    pub(crate) fn usual(&self) -> Duration {
        self.0
    }

    /// Learns that a poll was cut `after` this time; `true` where the wait is now shorter.
    pub(crate) fn cut(&mut self, after: Duration) -> bool {
        let shorter = after.saturating_sub(POLL_ALLOWANCE.min(after / 2)).max(SHORTEST);
        let lower = shorter < self.0;
        self.0 = self.0.min(shorter);
        lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_only_ever_gets_shorter() {
        let mut wait = PollWait::default();
        for (cut, expected) in [(30, 15), (18, 13), (16, 11), (12, 7), (14, 7), (6, 5), (5, 5)] {
            let before = wait.usual();
            assert_eq!(wait.cut(Duration::from_secs(cut)), Duration::from_secs(expected) < before);
            assert_eq!(wait.usual(), Duration::from_secs(expected), "cut after {cut}");
        }
    }
}

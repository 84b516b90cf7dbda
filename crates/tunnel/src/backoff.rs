//! How long to wait before the next try.

use std::time::Duration;

use crate::random::{Randomness, between};

const LEAST: Duration = Duration::from_millis(200);
const MOST: Duration = Duration::from_secs(10);

/// Waits that grow with every failure, drawn by chance so that many clients do not return together.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The wait after one more failure.
    pub(crate) fn next(&mut self, random: &dyn Randomness) -> Duration {
        let most = LEAST.saturating_mul(1 << self.failures.min(10)).min(MOST);
        self.failures = self.failures.saturating_add(1);
        between(random, LEAST, most)
    }

    /// Back to the start after a success.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SystemRandomness;

    #[test]
    fn waits_grow_to_a_limit_and_start_again() {
        let mut backoff = Backoff::default();
        for most in [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000] {
            let wait = backoff.next(&SystemRandomness);
            assert!((LEAST..=Duration::from_millis(most)).contains(&wait), "{wait:?} of {most}");
        }
        backoff.reset();
        assert_eq!(backoff.next(&SystemRandomness), LEAST);
    }
}

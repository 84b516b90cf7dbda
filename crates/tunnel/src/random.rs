//! Where chance comes from.

use std::time::Duration;

use rand::Rng;

/// A source of chance; tests replace it to know what comes.
pub trait Randomness: Send + Sync + 'static {
    /// 64 random bits.
    fn next(&self) -> u64;
}

/// Chance from the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn next(&self) -> u64 {
        rand::rng().next_u64()
    }
}

/// A duration drawn evenly from `least..=most`; `least` where `most` is smaller.
pub(crate) fn between(random: &dyn Randomness, least: Duration, most: Duration) -> Duration {
    let span = u64::try_from(most.saturating_sub(least).as_micros()).unwrap_or(u64::MAX);
    least + Duration::from_micros(random.next() % span.saturating_add(1).max(1))
}

//! The two clocks: one for people, one for pauses.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    of(SystemTime::now())
}

/// The moment `ahead` from now, in milliseconds since 1970.
pub(crate) fn in_future(ahead: Duration) -> u64 {
    now() + ahead.as_millis() as u64
}

fn of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Notices that the computer slept, or that this program was not allowed to run for a while.
pub(crate) struct Gaps {
    wall: SystemTime,
    steady: Instant,
}

/// More than this between the clocks is no mere adjustment of the time.
const SLEPT: Duration = Duration::from_secs(3);

impl Gaps {
    pub(crate) fn new() -> Self {
        Self { wall: SystemTime::now(), steady: Instant::now() }
    }

    /// Whether the computer slept since the last look: wall time went on and the steady clock did not.
    pub(crate) fn slept(&mut self) -> bool {
        let (wall, steady) = (SystemTime::now(), Instant::now());
        let passed = wall.duration_since(self.wall).unwrap_or_default();
        let slept = passed.saturating_sub(steady - self.steady) > SLEPT;
        (self.wall, self.steady) = (wall, steady);
        slept
    }
}

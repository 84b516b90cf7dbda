//! Which commands were already taken.

use std::collections::hash_map::RandomState;
use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;
use std::time::Duration;

use tokio::time::Instant;

/// A request cannot outlive its caller; this is far beyond any caller's patience.
const KEEP: Duration = Duration::from_secs(3600);
/// Bounds the memory; the oldest are forgotten first.
const MOST: usize = 1 << 17;

/// The ids of an hour, so that a command handed out twice runs once.
///
/// Kept as two keyed hashes each, so that long ids cost no more than short ones.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    keys: [RandomState; 2],
    known: HashSet<[u64; 2]>,
    order: VecDeque<(Instant, [u64; 2])>,
}

impl Seen {
    /// Notes `request_id`; `false` where it was there already.
    pub(crate) fn first_time(&mut self, request_id: &str, now: Instant) -> bool {
        while let Some((at, id)) = self.order.front().copied() {
            if self.order.len() < MOST && now.saturating_duration_since(at) < KEEP {
                break;
            }
            self.order.pop_front();
            self.known.remove(&id);
        }
        let id = [self.keys[0].hash_one(request_id), self.keys[1].hash_one(request_id)];
        let new = self.known.insert(id);
        if new {
            self.order.push_back((now, id));
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_new_once_an_hour() {
        let (mut seen, start) = (Seen::default(), Instant::now());
        assert!(seen.first_time("a", start) && seen.first_time("b", start));
        assert!(!seen.first_time("a", start + KEEP / 2));
        assert!(seen.first_time("a", start + KEEP));
        assert!(!seen.first_time("a", start + KEEP));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut seen, start) = (Seen::default(), Instant::now());
        for id in 0..=MOST {
            assert!(seen.first_time(&id.to_string(), start));
        }
        assert_eq!((seen.known.len(), seen.order.len()), (MOST, MOST));
    }
}

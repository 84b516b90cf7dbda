//! Bounds on what all searches together use.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of places that can be taken.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    taken: Arc<AtomicUsize>,
    max: usize,
}

/// One place, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Slot(Slots);

impl Slots {
    pub(super) fn new(max: usize) -> Self {
        Self { taken: Arc::default(), max }
    }

    /// Takes a place, if one is free.
    pub(super) fn take(&self) -> Option<Slot> {
        let slot = Slot(self.clone());
        (self.taken.fetch_add(1, Ordering::Relaxed) < self.max).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_places_and_no_more() {
        let slots = Slots::new(3);
        let mut taken: Vec<Slot> = std::iter::from_fn(|| slots.take()).collect();
        assert_eq!(taken.len(), 3);
        taken.pop();
        assert!(slots.take().is_some(), "one came back");
    }
}

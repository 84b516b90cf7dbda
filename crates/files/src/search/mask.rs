//! A set of queries of one batch.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use webcodex_contracts::limits::MAX_BATCH;

const _: () = assert!(MAX_BATCH <= u8::BITS as usize, "a query needs its bit");

/// Some of the queries of a batch, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mask(u8);

impl Mask {
    pub(super) const NONE: Mask = Mask(0);

    pub(super) fn one(query: usize) -> Self {
        Self(1 << query)
    }

    /// The queries for which `test` holds.
    pub(super) fn of<T>(queries: &[T], test: impl Fn(&T) -> bool) -> Self {
        queries
            .iter()
            .enumerate()
            .filter(|(_, query)| test(query))
            .fold(Self::NONE, |mask, (index, _)| mask | Self::one(index))
    }

    pub(super) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    pub(super) fn bits(self) -> u8 {
        self.0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn holds(self, query: usize) -> bool {
        self.0 & (1 << query) != 0
    }

    pub(super) fn without(self, other: Mask) -> Self {
        Self(self.0 & !other.0)
    }

    /// The queries, by number.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..u8::BITS as usize).filter(move |&query| self.holds(query))
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    fn bitor(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }
}

impl BitOrAssign for Mask {
    fn bitor_assign(&mut self, other: Mask) {
        self.0 |= other.0;
    }
}

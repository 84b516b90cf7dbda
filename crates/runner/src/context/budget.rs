//! The bytes that all bodies of one answer share.

use webcodex_contracts::limits::MAX_CONTEXT_BYTES;

/// A piece of a body smaller than this tells nobody anything; better to say that the body is left out.
const LEAST_PIECE: usize = 200;

/// What is left of the shared bytes.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new() -> Self {
        Self(MAX_CONTEXT_BYTES)
    }

    /// Keeps `bytes` aside for a body that must be whole.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.0 = self.0.saturating_sub(bytes);
    }

    /// As much of `text` as fits, ending at a line end where there is one; takes it from the budget. Nothing where no
    /// more than a scrap would fit.
    pub(super) fn take<'t>(&mut self, text: &'t str) -> &'t str {
        let taken = match self.0 {
            left if text.len() <= left => text,
            left if left < LEAST_PIECE => "",
            left => whole_lines(text, left),
        };
        self.0 -= taken.len();
        taken
    }
}

fn whole_lines(text: &str, most: usize) -> &str {
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = &text[..end];
    cut.rfind('\n').map_or(cut, |newline| &cut[..=newline])
}

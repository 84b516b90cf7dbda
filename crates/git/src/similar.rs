//! How much of one file's content is found in another, without regard to order.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A line without its end is taken apart after this many bytes.
const MAX_PIECE: usize = 256;

/// The pieces of a content and how many bytes of each kind there are.
pub(crate) struct Fingerprint {
    /// Sorted by piece.
    pieces: Vec<(u64, u64)>,
    size: u64,
}

impl Fingerprint {
    /// Takes the content apart at its line ends; a `\r` before them does not count.
    pub(crate) fn of(content: &[u8]) -> Self {
        let mut all: Vec<(u64, u64)> = content
            .split_inclusive(|byte| *byte == b'\n')
            .flat_map(|line| line.chunks(MAX_PIECE))
            .map(|piece| (hash(piece), piece.len() as u64))
            .collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self { pieces: all, size: content.len() as u64 }
    }

    /// Whether a content of `size` bytes can be half the same at all.
    pub(crate) fn may_be_like(&self, size: u64) -> bool {
        self.size.min(size) * 2 >= self.size.max(size)
    }
}

fn hash(piece: &[u8]) -> u64 {
    let text = piece.strip_suffix(b"\n").map_or(piece, |line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The part of the larger content that both share, in percent.
pub(crate) fn similarity(a: &Fingerprint, b: &Fingerprint) -> u32 {
    let larger = a.size.max(b.size);
    if larger == 0 || !a.may_be_like(b.size) {
        return 0;
    }
    let (mut left, mut right) = (a.pieces.iter().peekable(), b.pieces.iter().peekable());
    let mut shared = 0;
    while let (Some((x, in_a)), Some((y, in_b))) = (left.peek(), right.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => {
                shared += in_a.min(in_b);
                left.next();
                right.next();
            }
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
        }
    }
    (shared * 100 / larger) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(a: &str, b: &str) -> u32 {
        similarity(&Fingerprint::of(a.as_bytes()), &Fingerprint::of(b.as_bytes()))
    }

    #[test]
    fn likeness_counts_shared_bytes() {
        let text: String = (0..20).map(|line| format!("line {line:02}\n")).collect();
        assert_eq!(like(&text, &text), 100);
        assert_eq!(like(&text, &text.replace("line 07", "LINE 07")), 95);
        assert_eq!(like(&text, &text[..text.len() / 2]), 50);
        assert_eq!(like(&text, "something else entirely, of much the same length, ok\n"), 0);
        assert_eq!(like("a\nb\n", "b\na\n"), 100, "order does not count");
    }

    #[test]
    fn line_ends_do_not_count() {
        let text: String = (0..20).map(|line| format!("line {line:02}\n")).collect();
        assert!(like(&text, &text.replace('\n', "\r\n")) > 85);
    }

    #[test]
    fn repeated_lines_count_as_often_as_they_occur() {
        assert_eq!(like("a\na\na\na\n", "a\na\nb\nb\n"), 50);
    }
}

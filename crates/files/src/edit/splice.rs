//! Pieces of text put in the place of others, with the line ends of where they go.

use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::text::Lines;

use super::matching::flatten;

/// A piece of new text in the place of a piece of the old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    /// The place in the old text.
    pub(super) range: Range<usize>,
    /// What comes there.
    pub(super) text: String,
    /// The change that asks for it.
    pub(super) change: usize,
}

/// How the lines of one file end, where new lines need an end.
pub(super) struct LineEnds<'a> {
    text: &'a str,
    terminator: u8,
}

impl<'a> LineEnds<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, terminator: Lines::new(text).terminator() }
    }

    /// Whether lines end with `\r` alone.
    pub(super) fn is_cr(&self) -> bool {
        self.terminator == b'\r'
    }

    /// Whether the text up to a place ends with a line end.
    pub(super) fn closes(&self, place: usize) -> bool {
        self.closes_text(&self.text[..place])
    }

    /// Whether a piece of the text, or for it, ends with a line end.
    pub(super) fn closes_text(&self, piece: &str) -> bool {
        piece.as_bytes().last() == Some(&self.terminator)
    }

    /// How many lines a piece has.
    pub(super) fn count(&self, piece: &str) -> u64 {
        Lines::ending_with(piece, self.terminator).count() as u64
    }

    /// The line end that begins at or before `at`, as it is written in the text.
    fn end_at(&self, at: usize) -> &'a str {
        let crlf = self.terminator == b'\n' && at > 0 && self.text.as_bytes()[at - 1] == b'\r';
        &self.text[at - usize::from(crlf)..at + 1]
    }

    /// The line end of the line that holds `place`, or else of the line before it.
    fn near(&self, place: usize) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        memchr(self.terminator, &bytes[place..])
            .map(|at| place + at)
            .or_else(|| memrchr(self.terminator, &bytes[..place]))
            .map(|at| self.end_at(at))
    }

    /// The line ends inside a range, in order.
    fn within(&self, range: Range<usize>) -> impl Iterator<Item = &'a str> {
        let bytes = &self.text.as_bytes()[range.clone()];
        memchr::memchr_iter(self.terminator, bytes).map(move |at| self.end_at(range.start + at))
    }

    /// `flat`, whose lines end with `\n`, with the line ends of the lines in `range`; what is more ends like the last
    /// of them, or like the lines around. A file without line ends gets the `given` one.
    fn dress(&self, flat: &str, range: Range<usize>, given: &str) -> String {
        let mut ends = self.within(range.clone());
        let mut current = None;
        let mut dressed = String::with_capacity(flat.len() + 16);
        for line in flat.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(body) => {
                    current = ends.next().or(current).or_else(|| self.near(range.start));
                    dressed.push_str(body);
                    dressed.push_str(current.unwrap_or(given));
                }
                None => dressed.push_str(line),
            }
        }
        dressed
    }

    /// `new` for the text in `range`, as small as whole lines allow: lines that stay keep their bytes.
    pub(super) fn replace(&self, range: Range<usize>, new: &str, change: usize) -> Splice {
        let given = own_end(new);
        let old = flatten(&self.text[range.clone()], self.is_cr());
        let new = flatten(new, self.is_cr());
        let head = common_lines(old.split_inclusive('\n'), new.split_inclusive('\n'));
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let tail = common_lines(old_rest.split_inclusive('\n').rev(), new_rest.split_inclusive('\n').rev());
        let start = self.advance(range.start, &old[..head]);
        let end = self.advance(start, &old_rest[..old_rest.len() - tail]);
        let middle = &new_rest[..new_rest.len() - tail];
        Splice { text: self.dress(middle, start..end, given), range: start..end, change }
    }

    /// `new` as whole lines before the line that begins at `place`, or after the last line.
    pub(super) fn insert(&self, place: usize, new: &str, change: usize) -> Splice {
        let mut flat = flatten(new, self.is_cr()).into_owned();
        let at_end = place == self.text.len();
        let closed = self.text.is_empty() || self.text.as_bytes().last() == Some(&self.terminator);
        if at_end && !closed {
            // The last line has no end: it gets one, and the new last line ends as it was given.
            flat.insert(0, '\n');
        } else if !flat.ends_with('\n') && !self.text.is_empty() {
            flat.push('\n');
        }
        let text = if new.is_empty() { String::new() } else { self.dress(&flat, place..place, own_end(new)) };
        Splice { text, range: place..place, change }
    }

    /// The place after `flat`, which begins at `start` and is written there with the file's own line ends.
    fn advance(&self, start: usize, flat: &str) -> usize {
        let newlines = memchr::memchr_iter(b'\n', flat.as_bytes()).count();
        let mut place = start;
        let mut left = flat.len();
        for _ in 0..newlines {
            let body = memchr(self.terminator, &self.text.as_bytes()[place..]).unwrap_or(0);
            let end = self.end_at(place + body).len();
            left -= body + 1 - (end - 1);
            place += body + 1;
        }
        place + left
    }
}

/// The length of the lines that two texts have in common, from the side that the iterators begin at.
fn common_lines<'a>(one: impl Iterator<Item = &'a str>, two: impl Iterator<Item = &'a str>) -> usize {
    one.zip(two).take_while(|(one, two)| one == two).map(|(line, _)| line.len()).sum()
}

/// The line end that a text has itself.
fn own_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn replaced(text: &str, old: &str, new: &str) -> String {
        let start = text.find(old).unwrap();
        apply(text, LineEnds::of(text).replace(start..start + old.len(), new, 0))
    }

    fn inserted(text: &str, place: usize, new: &str) -> String {
        apply(text, LineEnds::of(text).insert(place, new, 0))
    }

    fn apply(text: &str, splice: Splice) -> String {
        format!("{}{}{}", &text[..splice.range.start], splice.text, &text[splice.range.end..])
    }

    #[test]
    fn new_lines_take_the_line_ends_of_the_lines_they_replace() {
        assert_eq!(replaced("a\r\nb\r\n", "a\r\nb", "x\ny\nz"), "x\r\ny\r\nz\r\n");
        assert_eq!(replaced("a\nb\n", "a", "x\r\ny"), "x\ny\nb\n");
        assert_eq!(replaced("a\rb\r", "a\r", "x\ny\n"), "x\ry\rb\r");
        assert_eq!(replaced("a\r\nb\nc\r\n", "a\r\nb\nc\r\n", "A\nB\nC\n"), "A\r\nB\nC\r\n", "mixed");
        assert_eq!(replaced("a", "a", "x\r\ny"), "x\r\ny", "a file without line ends takes the given ones");
    }

    #[test]
    fn lines_that_stay_keep_their_bytes() {
        let text = "a\r\nb\nc\r\nd";
        let splice = LineEnds::of(text).replace(0..text.len(), "a\nB\nc\nd", 0);
        assert_eq!((splice.range, splice.text.as_str()), (3..5, "B\n"));
    }

    #[test]
    fn an_insertion_is_whole_lines() {
        assert_eq!(inserted("a\nb\n", 2, "x"), "a\nx\nb\n");
        assert_eq!(inserted("a\r\nb\r\n", 3, "x\ny\n"), "a\r\nx\r\ny\r\nb\r\n");
        assert_eq!(inserted("a\n", 2, "x"), "a\nx\n", "the final newline stays");
        assert_eq!(inserted("a\r\nb", 4, "x"), "a\r\nb\r\nx", "none is added at the very end");
        assert_eq!(inserted("", 0, "x"), "x");
        assert_eq!(inserted("a", 1, ""), "a");
    }

    proptest! {
        /// Whatever the line ends of file and new text, the result reads as asked and keeps what is around.
        #[test]
        fn a_replacement_reads_as_asked(
            before in "([a]|\r\n|\n){0,8}", old in "([ab]|\r\n|\n){0,12}",
            after in "([a]|\r\n|\n){0,8}", new in "([abc]|\r\n|\n){0,12}",
        ) {
            let text = format!("{before}{old}{after}");
            let ends = LineEnds::of(&text);
            let splice = ends.replace(before.len()..before.len() + old.len(), &new, 0);
            prop_assert!(splice.range.start >= before.len() && splice.range.end <= before.len() + old.len());
            let result = apply(&text, splice);
            let expected = format!("{before}{new}{after}");
            prop_assert_eq!(flatten(&result, ends.is_cr()), flatten(&expected, ends.is_cr()));
            prop_assert!(result.starts_with(&before) && result.ends_with(&after));
        }
    }
}

//! Lines and their ends.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    Crlf,
    /// `\r` alone
    Cr,
    /// `\n` and `\r\n`
    Mixed,
    /// There is no line end.
    None,
}

impl LineEnding {
    /// Looks at a whole text.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let newlines = memchr_iter(b'\n', bytes).count();
        if newlines == 0 {
            return if memchr(b'\r', bytes).is_some() { LineEnding::Cr } else { LineEnding::None };
        }
        match memchr_iter(b'\n', bytes).filter(|&at| at > 0 && bytes[at - 1] == b'\r').count() {
            0 => LineEnding::Lf,
            pairs if pairs == newlines => LineEnding::Crlf,
            _ => LineEnding::Mixed,
        }
    }

    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf => "lf",
            LineEnding::Crlf => "crlf",
            LineEnding::Cr => "cr",
            LineEnding::Mixed => "mixed",
            LineEnding::None => "none",
        }
    }
}

/// Where the lines of a text begin.
///
/// A line ends with `\n`; only a text without any `\n` has lines that end with `\r`. A last line without an end
/// counts, an empty text has no lines.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
    /// Whether the last line has an end.
    is_closed: bool,
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let end = terminator(text.as_bytes());
        let mut starts: Vec<usize> = Vec::new();
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(memchr_iter(end, text.as_bytes()).map(|at| at + 1).filter(|&start| start < text.len()));
        let is_closed = text.as_bytes().last().is_none_or(|last| *last == end);
        Self { starts, len: text.len(), is_closed }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line, from 1, that holds a place of the text; for the very end the last line.
    pub fn line_of(&self, place: usize) -> usize {
        self.starts.partition_point(|&start| start <= place).max(1)
    }

    /// The place of a line, from 1, with its line end. `None` if there is no such line.
    pub fn range(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        Some(start..self.starts.get(line).copied().unwrap_or(self.len))
    }

    /// Where the line that holds a place begins; a place after the last line end begins a line.
    pub fn start_of_line(&self, place: usize) -> usize {
        if self.is_closed && place == self.len {
            return place;
        }
        self.starts.get(self.line_of(place) - 1).copied().unwrap_or(0)
    }

    /// Whether a line begins at this place, or the text ends there.
    pub fn is_boundary(&self, place: usize) -> bool {
        place == self.len || self.starts.binary_search(&place).is_ok()
    }
}

/// The lines of a text one after the other, each with its end, without an index.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a str,
    terminator: u8,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, by the same rule as [`LineIndex`].
    pub fn new(text: &'a str) -> Self {
        Self::ending_with(text, terminator(text.as_bytes()))
    }

    /// The lines of a part of a text whose lines end with `terminator`.
    pub(crate) fn ending_with(rest: &'a str, terminator: u8) -> Self {
        Self { rest, terminator }
    }

    /// The byte that ends the lines.
    pub(crate) fn terminator(&self) -> u8 {
        self.terminator
    }

    /// What has not been handed out yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Leaves out `count` lines; `false` if there are not so many.
    pub(crate) fn leave_out(&mut self, count: usize) -> bool {
        if count == 0 {
            return true;
        }
        match memchr_iter(self.terminator, self.rest.as_bytes()).nth(count - 1) {
            Some(at) => self.rest = &self.rest[at + 1..],
            None => self.rest = "",
        }
        !self.rest.is_empty()
    }

    /// How many lines a text has.
    pub fn count_in(text: &str) -> usize {
        let end = terminator(text.as_bytes());
        let ends = memchr_iter(end, text.as_bytes()).count();
        ends + usize::from(!text.is_empty() && text.as_bytes().last() != Some(&end))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr(self.terminator, self.rest.as_bytes()).map_or(self.rest.len(), |at| at + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(line)
    }
}

/// The last place at or before `at` between two characters.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// The byte that ends lines in a text.
fn terminator(bytes: &[u8]) -> u8 {
    if memchr(b'\n', bytes).is_none() && memchr(b'\r', bytes).is_some() { b'\r' } else { b'\n' }
}

//! A first look at a file while it is read: whether its bytes can be searched as they are, and where each query finds
//! something first.

use memchr::{memchr_iter, memrchr};

use super::mask::Mask;
use super::matchers::Matchers;
use super::pattern::Hit;

/// UTF-8's byte-order mark, which is no part of the text.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// How much of a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Beginning,
    Whole,
}

/// What is known about a file so far. Each look costs what is new, however long the file or a line of it is.
#[derive(Debug)]
pub(super) struct Glance {
    /// The queries that have found nothing yet.
    seeking: Mask,
    /// Whether text that is not UTF-8 matters to them.
    closely: bool,
    plain: bool,
    /// Whether a zero was seen at an even place, and at an odd one.
    zeros: [bool; 2],
    newline_seen: bool,
    /// The bytes of earlier looks.
    looked: usize,
    /// The bytes that are UTF-8.
    valid: usize,
    /// The lines of the text that were searched.
    searched: usize,
    first: Vec<(usize, Hit)>,
}

impl Glance {
    pub(super) fn new(queries: Mask, closely: bool) -> Self {
        Self {
            seeking: queries,
            closely,
            plain: true,
            zeros: [false; 2],
            newline_seen: false,
            looked: 0,
            valid: 0,
            searched: 0,
            first: Vec::new(),
        }
    }

    /// Looks at what has come since the last look.
    pub(super) fn look(&mut self, bytes: &[u8], part: Part, matchers: &mut Matchers) {
        let new = self.looked;
        self.looked = bytes.len();
        self.judge(bytes, new, part);
        if !self.plain {
            return;
        }
        let last_newline = memrchr(b'\n', &bytes[new..]).map(|at| new + at);
        self.newline_seen = self.newline_seen || last_newline.is_some();
        if !self.newline_seen {
            return;
        }
        let text = without_mark(bytes);
        let whole_lines = last_newline.map_or(self.searched, |at| at + 1 - (bytes.len() - text.len()));
        let linewise = self.seeking & matchers.linewise();
        match part {
            Part::Beginning => self.seek(&text[..whole_lines], self.searched, linewise, matchers),
            Part::Whole => {
                self.seek(text, self.searched, linewise, matchers);
                // What may span lines needs the whole text.
                self.seek(text, 0, self.seeking.without(linewise), matchers);
            }
        }
        self.searched = whole_lines;
    }

    fn seek(&mut self, text: &[u8], from: usize, queries: Mask, matchers: &mut Matchers) {
        if queries.is_empty() || from >= text.len() {
            return;
        }
        let found = matchers.first_hits(text, from, queries);
        let found_by = found.iter().fold(Mask::NONE, |found_by, (number, _)| found_by | Mask::one(*number));
        self.seeking = self.seeking.without(found_by);
        self.first.extend(found);
    }

    /// Whether the bytes can be searched as they are: UTF-8 or, where only ASCII matters, any extension of ASCII.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether nobody found where the lines end: there is no `\n`.
    pub(super) fn is_unsearched(&self) -> bool {
        !self.newline_seen
    }

    /// Whether bytes that begin like this are binary whatever follows: only one byte of a UTF-16 unit can be zero all
    /// the time.
    pub(super) fn is_surely_binary(&self, bytes: &[u8]) -> bool {
        self.zeros == [true, true] && !is_marked_utf16(bytes)
    }

    /// Where each query finds something first, in the text without a mark.
    pub(super) fn into_first_hits(self) -> Vec<(usize, Hit)> {
        self.first
    }

    /// Judges the bytes from `new` on.
    fn judge(&mut self, bytes: &[u8], new: usize, part: Part) {
        for zero in memchr_iter(0, &bytes[new..]) {
            self.plain = false;
            self.zeros[(new + zero) % 2] = true;
            if self.zeros == [true, true] {
                break;
            }
        }
        self.plain = self.plain && !(new == 0 && is_marked_utf16(bytes));
        if !self.closely || !self.plain {
            return;
        }
        match std::str::from_utf8(&bytes[self.valid..]) {
            Ok(_) => self.valid = bytes.len(),
            Err(error) => {
                self.valid += error.valid_up_to();
                // A character that is cut by the end of what was read is no fault.
                self.plain = part == Part::Beginning && error.error_len().is_none();
            }
        }
    }
}

/// The text of UTF-8 bytes.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

fn is_marked_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

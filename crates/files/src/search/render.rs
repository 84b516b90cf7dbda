//! From matches in a text to the lines that are shown.

use memchr::{memchr, memchr_iter, memrchr};
use webcodex_contracts::ProjectPath;
use webcodex_contracts::limits::{MAX_BATCH, MAX_MATCH_LINE_BYTES, MAX_SEARCH_BYTES};
use webcodex_contracts::tools::search_project_texts::{SearchMatch, SearchOutput};

use super::outcome::{FileHits, Shown};
use super::pattern::Hit;
use super::plan::Query;

/// Most bytes of one match in an answer, so that each query of a full batch can show at least one.
const MAX_SHOWN_BYTES: usize = MAX_SEARCH_BYTES / MAX_BATCH;
/// Bytes of a cut line that are shown before its match.
const LEAD_BYTES: usize = MAX_MATCH_LINE_BYTES / 5;
/// What an entry of an answer takes besides its texts, in bytes.
const ENTRY_BYTES: usize = 48;
/// Marks where a context line is cut.
const CUT: char = '…';

/// Collects what one query found in one file.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    query: &'a Query,
    path: &'a ProjectPath,
    /// Matches up to this line were shown before.
    behind: u64,
    hits: FileHits,
    bytes: usize,
    lines: LineCounter,
    /// The latest match, whose lines after are known only when the next one is.
    open: Option<Open>,
    /// The last line that is shown so far, with its context.
    shown_to: u64,
}

#[derive(Debug)]
struct Open {
    /// `None` if it was shown on an earlier page.
    found: Option<SearchMatch>,
    /// Its last line, and where that ends.
    last: u64,
    end: usize,
}

impl<'a> Collector<'a> {
    pub(super) fn new(query: &'a Query, path: &'a ProjectPath) -> Self {
        Self {
            query,
            path,
            behind: query.lines_behind(path.as_str()).unwrap_or(0),
            hits: FileHits::default(),
            bytes: 0,
            lines: LineCounter::default(),
            open: None,
            shown_to: 0,
        }
    }

    /// Takes the next match of the text. `false`: the query has enough from this file.
    pub(super) fn add(&mut self, text: &str, hit: Hit) -> bool {
        if self.query.output != SearchOutput::Matches {
            self.hits.lines += 1;
            return true;
        }
        let line = self.lines.at(text, hit.start);
        self.close(text, line - 1);
        if self.hits.stopped {
            return false;
        }
        let found = (line > self.behind).then(|| self.show(text, hit, line));
        self.hits.lines += u64::from(found.is_some());
        let last = line + newlines(&text[hit.start..hit.end]);
        self.open = Some(Open { found, last, end: hit.end });
        true
    }

    /// A match with the lines before it that are not shown yet.
    fn show(&self, text: &str, hit: Hit, line: u64) -> SearchMatch {
        let first = line.saturating_sub(self.query.context).max(self.shown_to + 1);
        let (shown, line_cut) = cut_line(text, hit);
        SearchMatch {
            path: self.path.clone(),
            line,
            column: column(text, hit),
            text: shown,
            before: lines_before(text, hit.start, line.saturating_sub(first)),
            after: Vec::new(),
            line_cut,
        }
    }

    /// What was found.
    pub(super) fn finish(mut self, text: &str) -> FileHits {
        self.close(text, u64::MAX);
        self.hits
    }

    /// Completes the latest match with the lines after it, up to `limit`.
    fn close(&mut self, text: &str, limit: u64) {
        let Some(Open { found, last, end }) = self.open.take() else { return };
        let wanted = self.query.context.min(limit.saturating_sub(last));
        self.shown_to = last + wanted;
        let Some(mut found) = found else { return };
        found.after = lines_after(text, end, wanted);
        let bytes = trim_context(&mut found);
        self.bytes += bytes;
        self.hits.shown.push(Shown { found, bytes });
        self.hits.stopped = self.hits.shown.len() > self.query.limit || self.bytes > MAX_SEARCH_BYTES;
    }
}

/// Counts lines on the way through a text.
#[derive(Debug, Default)]
struct LineCounter {
    place: usize,
    before: u64,
}

impl LineCounter {
    /// The line, from 1, that begins at `place`; places only grow.
    fn at(&mut self, text: &str, place: usize) -> u64 {
        self.before += newlines(&text[self.place..place]);
        self.place = place;
        self.before + 1
    }
}

fn newlines(text: &str) -> u64 {
    memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// The character of its line at which a match begins, from 1.
fn column(text: &str, hit: Hit) -> u64 {
    let line =
        memrchr(b'\n', &text.as_bytes()[hit.start..hit.matched]).map_or(hit.start, |at| hit.start + at + 1);
    text[line..hit.matched].chars().count() as u64 + 1
}

/// The lines of a match, cut around its start if they are long.
fn cut_line(text: &str, hit: Hit) -> (String, bool) {
    let line = without_return(&text[hit.start..hit.end]);
    if line.len() <= MAX_MATCH_LINE_BYTES {
        return (line.to_owned(), false);
    }
    let matched = (hit.matched - hit.start).min(line.len());
    let start = matched.saturating_sub(LEAD_BYTES).min(line.len() - MAX_MATCH_LINE_BYTES);
    let start = boundary_before(line, start);
    let end = boundary_before(line, start + MAX_MATCH_LINE_BYTES);
    (line[start..end].to_owned(), true)
}

/// The nearest place at or before `place` that is not inside a character.
fn boundary_before(text: &str, place: usize) -> usize {
    (0..=place.min(text.len())).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// Up to `count` lines that end before `place`, the beginning of a line.
fn lines_before(text: &str, place: usize, count: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut end = place;
    while end > 0 && (lines.len() as u64) < count {
        let start = memrchr(b'\n', &text.as_bytes()[..end - 1]).map_or(0, |at| at + 1);
        lines.push(context_line(&text[start..end - 1]));
        end = start;
    }
    lines.reverse();
    lines
}

/// Up to `count` lines that follow `place`, the end of a line.
fn lines_after(text: &str, place: usize, count: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = place + 1;
    while start < text.len() && (lines.len() as u64) < count {
        let end = memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |at| start + at);
        lines.push(context_line(&text[start..end]));
        start = end + 1;
    }
    lines
}

fn context_line(line: &str) -> String {
    let line = without_return(line);
    if line.len() <= MAX_MATCH_LINE_BYTES {
        return line.to_owned();
    }
    let mut cut = line[..boundary_before(line, MAX_MATCH_LINE_BYTES)].to_owned();
    cut.push(CUT);
    cut
}

fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Drops the context lines farthest from a match that takes too much of an answer; returns the bytes it then takes.
fn trim_context(found: &mut SearchMatch) -> usize {
    let line_bytes = |line: &String| json_bytes(line) + 3;
    let mut bytes = ENTRY_BYTES + json_bytes(found.path.as_str()) + json_bytes(&found.text);
    bytes += found.before.iter().chain(&found.after).map(line_bytes).sum::<usize>();
    while bytes > MAX_SHOWN_BYTES {
        let dropped = match found.before.len() > found.after.len() {
            true => Some(found.before.remove(0)),
            false => found.after.pop(),
        };
        match dropped {
            Some(line) => bytes -= line_bytes(&line),
            None => break,
        }
    }
    bytes
}

/// The bytes that a path takes in a list of files.
pub(super) fn file_bytes(path: &ProjectPath) -> usize {
    ENTRY_BYTES / 2 + json_bytes(path.as_str())
}

/// The length of a text inside a JSON string.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
        0..0x20 => 5,
        _ => 0,
    };
    text.len() + text.bytes().map(escaped).sum::<usize>()
}

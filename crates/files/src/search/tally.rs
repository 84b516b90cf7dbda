//! What a query has found so far, in order, and when it has enough.

use webcodex_contracts::ProjectPath;
use webcodex_contracts::limits::MAX_SEARCH_BYTES;
use webcodex_contracts::tools::search_project_texts::{SearchFile, SearchMatch, SearchOutput};

use super::cursor::Position;
use super::outcome::{FileHits, Shown};
use super::plan::Query;
use super::render::file_bytes;
use super::skips::Skips;

/// One query's results.
#[derive(Debug)]
pub(super) struct Tally {
    output: SearchOutput,
    limit: usize,
    entries: Vec<Entry>,
    bytes: usize,
    /// Matching lines seen; one more than shown where there was no room for the next.
    pub(super) lines: u64,
    /// Files with a match seen.
    pub(super) file_count: u64,
    /// Whether something was found that there is no room for.
    pub(super) full: bool,
    pub(super) skips: Skips,
}

/// One entry of an answer.
#[derive(Debug)]
struct Entry {
    shown: EntryKind,
    bytes: usize,
}

#[derive(Debug)]
enum EntryKind {
    Match(SearchMatch),
    File(SearchFile),
}

impl Tally {
    pub(super) fn new(query: &Query) -> Self {
        Self {
            output: query.output,
            limit: query.limit,
            entries: Vec::new(),
            bytes: 0,
            lines: 0,
            file_count: 0,
            full: false,
            skips: Skips::default(),
        }
    }

    /// Takes what was found in the next file.
    pub(super) fn add(&mut self, path: &str, hits: FileHits) {
        if self.full {
            return;
        }
        self.file_count += 1;
        if self.output != SearchOutput::Matches {
            self.lines += hits.lines;
            self.add_file(path, hits.lines);
            return;
        }
        for Shown { found, bytes } in hits.shown {
            self.lines += 1;
            if !self.push(Entry { shown: EntryKind::Match(found), bytes }) {
                return;
            }
        }
    }

    fn add_file(&mut self, path: &str, lines: u64) {
        let Ok(path) = ProjectPath::parse(path) else { return };
        let bytes = file_bytes(&path);
        let count = (self.output == SearchOutput::Count).then_some(lines);
        self.push(Entry { shown: EntryKind::File(SearchFile { path, count }), bytes });
    }

    fn push(&mut self, entry: Entry) -> bool {
        let too_much = self.bytes + entry.bytes > MAX_SEARCH_BYTES && !self.entries.is_empty();
        if too_much || self.entries.len() == self.limit {
            self.full = true;
            return false;
        }
        self.bytes += entry.bytes;
        self.entries.push(entry);
        true
    }

    /// What the entries take in an answer.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Drops entries from the end until the rest fits; one always stays.
    pub(super) fn cut_to(&mut self, bytes: usize) {
        while self.bytes > bytes && self.entries.len() > 1 {
            self.bytes -= self.entries.pop().map_or(0, |entry| entry.bytes);
            self.full = true;
        }
    }

    /// The place after the last entry.
    pub(super) fn end(&self) -> Option<Position> {
        self.entries.last().map(|entry| match &entry.shown {
            EntryKind::Match(found) => Position::after_line(found.path.as_str(), found.line),
            EntryKind::File(file) => Position::after_file(file.path.as_str()),
        })
    }

    /// The entries, for the answer.
    pub(super) fn into_entries(self) -> (Vec<SearchMatch>, Vec<SearchFile>, Skips) {
        let (mut matches, mut files) = (Vec::new(), Vec::new());
        for entry in self.entries {
            match entry.shown {
                EntryKind::Match(found) => matches.push(found),
                EntryKind::File(file) => files.push(file),
            }
        }
        (matches, files, self.skips)
    }
}

/// Cuts the results of several queries so that together they fit into `total` bytes: what one does not need goes to
/// the others.
pub(super) fn share(tallies: &mut [&mut Tally], total: usize) {
    tallies.sort_by_key(|tally| tally.bytes());
    let (mut left, mut count) = (total, tallies.len());
    for tally in tallies.iter_mut() {
        let fair = left / count.max(1);
        tally.cut_to(fair);
        left = left.saturating_sub(tally.bytes());
        count -= 1;
    }
}

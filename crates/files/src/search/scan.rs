//! Looks through one file for all queries at once.
//!
//! Most files are UTF-8 and hold nothing that is looked for, so their bytes are searched as they are. Where there is a
//! hit, or where it matters, a file is read as [`crate::text`] decides, so that what is found is what reading shows.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memchr;
use webcodex_contracts::ProjectPath;
use webcodex_projects::ReadAccess;

use super::buffer::{Buffer, Step};
use super::folder::is_gone;
use super::glance::{Glance, Part, without_mark};
use super::mask::Mask;
use super::matchers::Matchers;
use super::outcome::{Outcome, Skip, SkipReason};
use super::pattern::Hit;
use super::plan::Plan;
use super::walk::{ListedFile, Listing};
use crate::Files;
use crate::text::{self, Classified};

/// One thread's patterns and memory.
#[derive(Debug)]
pub(super) struct Scanner {
    files: Files,
    access: ReadAccess,
    plan: Arc<Plan>,
    matchers: Matchers,
    buffer: Buffer,
}

/// What came of reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loaded {
    /// The buffer holds all of it.
    Whole,
    /// It begins with so much that is not text that the rest does not matter.
    Binary,
    /// It is larger than what is read as text.
    TooLarge,
    /// The search was stopped.
    Stopped,
}

/// The outcome of one file.
#[derive(Debug)]
pub(super) enum Scanned {
    /// Nothing to say.
    Nothing,
    /// Something to say.
    Outcome(Outcome),
    /// The search was stopped before the file was read.
    Stopped,
}

impl Scanned {
    /// A file that keeps an earlier search waiting.
    pub(super) fn unanswered(listing: &Listing, file: &ListedFile) -> Self {
        skipped(listing, file, file.queries, SkipReason::NoAnswer)
    }
}

impl Scanner {
    pub(super) fn new(files: &Files, access: &ReadAccess, plan: &Arc<Plan>) -> Self {
        Self {
            files: files.clone(),
            access: access.clone(),
            plan: Arc::clone(plan),
            matchers: Matchers::new(plan),
            buffer: Buffer::default(),
        }
    }

    /// Searches a file for the `live` queries that want it.
    pub(super) fn scan(
        &mut self,
        listing: &Listing,
        file: &ListedFile,
        live: Mask,
        stop: &AtomicBool,
    ) -> Scanned {
        let queries = file.queries & live;
        if queries.is_empty() {
            return Scanned::Nothing;
        }
        let closely = !(queries & self.plan.beyond_ascii).is_empty();
        let mut glance = Glance::new(queries, closely);
        let loaded =
            listing.folder.open_file(&file.name).and_then(|file| self.load(&file, &mut glance, stop));
        let reason = match loaded {
            Ok(Loaded::Whole) => return self.search(listing, file, queries, glance),
            Ok(Loaded::Stopped) => return Scanned::Stopped,
            Ok(Loaded::Binary) => SkipReason::Binary,
            Ok(Loaded::TooLarge) => SkipReason::TooLarge,
            Err(error) if is_gone(&error) => return Scanned::Nothing,
            Err(error) => SkipReason::FileUnreadable(error.kind().to_string()),
        };
        skipped(listing, file, queries, reason)
    }

    /// Reads a file and looks at each part of it while it is at hand.
    fn load(&mut self, file: &File, glance: &mut Glance, stop: &AtomicBool) -> io::Result<Loaded> {
        self.buffer.clear();
        loop {
            let step = self.buffer.read_step(file)?;
            let bytes = self.buffer.bytes();
            match step {
                Step::TooLarge => return Ok(Loaded::TooLarge),
                Step::End => {
                    glance.look(bytes, Part::Whole, &mut self.matchers);
                    return Ok(Loaded::Whole);
                }
                Step::More => glance.look(bytes, Part::Beginning, &mut self.matchers),
            }
            if glance.is_surely_binary(bytes) {
                return Ok(Loaded::Binary);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(Loaded::Stopped);
            }
        }
    }

    fn search(&mut self, listing: &Listing, file: &ListedFile, queries: Mask, glance: Glance) -> Scanned {
        let mut first = Vec::new();
        if glance.is_plain() {
            first = match glance.is_unsearched() {
                true => {
                    end_lines_with_newlines(self.buffer.bytes_mut());
                    self.matchers.first_hits(without_mark(self.buffer.bytes()), 0, queries)
                }
                false => glance.into_first_hits(),
            };
            if first.is_empty() {
                return Scanned::Nothing;
            }
        }
        let Ok(path) = ProjectPath::parse(&listing.path_of(file)) else {
            return skipped(listing, file, queries, SkipReason::Unnameable(1));
        };
        match self.as_read(&path) {
            None => skipped(listing, file, queries, SkipReason::Binary),
            Some(Cow::Borrowed(text)) if !first.is_empty() => self.collect(path, text, first),
            // Hits in bytes that are not UTF-8 prove nothing: a part of a character may look like a letter.
            Some(text) => {
                let mut text = text.into_owned().into_bytes();
                end_lines_with_newlines(&mut text);
                let first = self.matchers.first_hits(&text, 0, queries);
                self.collect(path, &String::from_utf8_lossy(&text), first)
            }
        }
    }

    /// The text of the file in the buffer, as reading shows it; `None` if it is binary.
    fn as_read(&self, path: &ProjectPath) -> Option<Cow<'_, str>> {
        let bytes = self.buffer.bytes();
        match self.files.classify(&self.access, path, bytes, None) {
            Classified::Binary(_) => None,
            Classified::Text(kind) => Some(text::decode(bytes, kind)),
        }
    }

    fn collect(&self, path: ProjectPath, text: &str, first: Vec<(usize, Hit)>) -> Scanned {
        let hits = self.matchers.collect(text, &path, first);
        match hits.is_empty() {
            true => Scanned::Nothing,
            false => Scanned::Outcome(Outcome::Found { path: path.into(), hits }),
        }
    }
}

fn skipped(listing: &Listing, file: &ListedFile, queries: Mask, reason: SkipReason) -> Scanned {
    Scanned::Outcome(Outcome::Skipped(Skip { path: listing.path_of(file), queries, reason }))
}

/// A text without `\n` has lines that end with `\r`; it is numbered by them, as in reading.
fn end_lines_with_newlines(text: &mut [u8]) {
    if memchr(b'\n', text).is_none() && memchr(b'\r', text).is_some() {
        text.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
    }
}

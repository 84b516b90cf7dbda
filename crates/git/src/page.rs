//! One answer's worth of changed files: as many as fit, and where the next answer begins.

use std::hash::{DefaultHasher, Hash, Hasher};

use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Mode;
use webcodex_contracts::limits::{MAX_CHANGED_FILES, MAX_DIFF_BYTES};
use webcodex_contracts::tools::read_workspace_changes::{ChangeStatus, DiffDetail, DiffHunk, FileChange};

use crate::content::{Contents, Loaded, Which};
use crate::lines::{self, Comparison, Counts};
use crate::names;
use crate::scope::Scope;
use crate::status::{Change, Content};
use crate::{GitError, Interrupt, text};

/// Largest file whose lines are compared, in bytes.
const MAX_FILE: u64 = 8 * 1024 * 1024;
/// Most bytes read for one answer.
const MAX_READ: u64 = 256 * 1024 * 1024;
/// What a file costs in an answer besides its names and its hunks, in bytes.
const ENTRY_COST: usize = 160;
/// What the entries of an answer without hunks may cost together, in bytes.
const MAX_LIST_BYTES: usize = 128 * 1024;

/// An answer under way.
pub(crate) struct Page<'a> {
    contents: Contents<'a>,
    scope: &'a Scope,
    detail: DiffDetail,
    interrupt: &'a Interrupt,
    read: u64,
    /// What the answer costs so far, and what it may cost.
    bytes: usize,
    limit: usize,
    /// The files so far.
    pub(crate) files: Vec<FileChange>,
    /// Lines added and removed in these files.
    pub(crate) counts: Counts,
    /// Things the reader should know about this page.
    pub(crate) notes: Vec<String>,
}

/// Where the next page begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub(crate) path: BString,
    pub(crate) hunk: usize,
    pub(crate) content: u64,
}

/// Where to begin inside the first file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Resume {
    pub(crate) hunk: usize,
    pub(crate) content: u64,
}

/// What comparing the two sides of a file gives.
#[derive(Default)]
struct Compared {
    counts: Option<Counts>,
    notes: Vec<String>,
    size: Option<u64>,
    hunks: Vec<DiffHunk>,
    /// Names the two contents.
    content: u64,
}

impl<'a> Page<'a> {
    pub(crate) fn new(
        contents: Contents<'a>,
        scope: &'a Scope,
        detail: DiffDetail,
        interrupt: &'a Interrupt,
    ) -> Self {
        let limit = if detail == DiffDetail::Hunks { MAX_DIFF_BYTES } else { MAX_LIST_BYTES };
        let (files, counts, notes) = (Vec::new(), Counts::default(), Vec::new());
        Self { contents, scope, detail, interrupt, read: 0, bytes: 0, limit, files, counts, notes }
    }

    /// Takes files from the list until the page is full. The first one may have been begun on the page before.
    pub(crate) fn fill(&mut self, list: &[Change], mut resume: Resume) -> Result<Option<Next>, GitError> {
        for change in list {
            let full = self.files.len() >= MAX_CHANGED_FILES || self.bytes + cost(change) > self.limit;
            // Counts may be left out when the time is over, lines may not.
            let late =
                self.detail == DiffDetail::Hunks && !self.files.is_empty() && self.interrupt.is_raised();
            if full && !self.files.is_empty() || late {
                let Resume { hunk, content } = resume;
                return Ok(Some(Next { path: change.path.clone(), hunk, content }));
            }
            if let Some(next) = self.add(change, std::mem::take(&mut resume))? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    fn add(&mut self, change: &Change, resume: Resume) -> Result<Option<Next>, GitError> {
        let compared = match self.detail {
            DiffDetail::None => Compared { notes: plain_notes(change), ..Compared::default() },
            DiffDetail::Stat | DiffDetail::Hunks => self.compare(change)?,
        };
        let Compared { counts, notes, size, hunks, content } = compared;
        let mut file = self.entry(change);
        file.note = (!notes.is_empty()).then(|| notes.join(", "));
        file.size_bytes = size;
        let begun = resume.hunk > 0 && resume.content == content && resume.hunk < hunks.len();
        if resume.hunk > 0 && !begun {
            self.notes
                .push(format!("`{}` has changed since the last answer; its lines begin anew", file.path));
        }
        let from = if begun { resume.hunk } else { 0 };
        let next = self.take_hunks(&mut file, hunks, from);
        let next = next.map(|hunk| Next { path: change.path.clone(), hunk, content });
        if next.as_ref().is_some_and(|next| next.hunk == from) {
            return Ok(next);
        }
        // A file that is continued was counted on the page before.
        if let Some(counts) = counts.filter(|_| !begun) {
            (file.added_lines, file.removed_lines) = (Some(counts.added), Some(counts.removed));
            self.counts.added += counts.added;
            self.counts.removed += counts.removed;
        }
        self.bytes += cost(change);
        self.files.push(file);
        Ok(next)
    }

    /// Moves hunks into the entry while there is room; at least one if the page has nothing yet.
    fn take_hunks(&mut self, file: &mut FileChange, hunks: Vec<DiffHunk>, from: usize) -> Option<usize> {
        for (at, hunk) in hunks.into_iter().enumerate().skip(from) {
            let cost = hunk.text.len() + ENTRY_COST / 2;
            if self.bytes + cost > self.limit && self.bytes > 0 {
                file.hunks_cut = true;
                return Some(at);
            }
            self.bytes += cost;
            file.hunks.push(hunk);
        }
        None
    }

    fn entry(&self, change: &Change) -> FileChange {
        let shown =
            |path: &BString| names::text(self.scope.in_project(path.as_bstr()).unwrap_or(path.as_bstr()));
        FileChange {
            path: shown(&change.path),
            status: change.status,
            old_path: change.old_path.as_ref().map(shown),
            untracked: change.untracked,
            staged: change.staged,
            added_lines: None,
            removed_lines: None,
            size_bytes: None,
            note: None,
            hunks: Vec::new(),
            hunks_cut: false,
        }
    }

    fn compare(&mut self, change: &Change) -> Result<Compared, GitError> {
        let mut compared = Compared { notes: plain_notes(change), ..Compared::default() };
        if self.detail == DiffDetail::Stat && (self.interrupt.is_raised() || self.read > MAX_READ) {
            compared.notes.push("not counted: the time for this answer was over".to_owned());
            return Ok(compared);
        }
        let old = self.contents.load(change, Which::Old, MAX_FILE)?;
        let new = self.contents.load(change, Which::New, MAX_FILE)?;
        let (old, new) = match (old, new) {
            (Loaded::Bytes(old), Loaded::Bytes(new)) => (old, new),
            (Loaded::Unknown(reason), _) | (_, Loaded::Unknown(reason)) => {
                compared.notes.push(reason.into_owned());
                return Ok(compared);
            }
            (Loaded::TooLarge, _) | (_, Loaded::TooLarge) => {
                return Ok(self.without_lines(change, compared, "too large"));
            }
        };
        self.read += (old.len() + new.len()) as u64;
        let marked_binary = change.new.as_ref().is_some_and(|new| new.is_file())
            && self.contents.cleaner()?.traits(change.path.as_ref()).is_ok_and(|traits| traits.no_text);
        let same = old == new;
        match (text::as_text(old), text::as_text(new)) {
            (Some(old), Some(new)) if !marked_binary => self.compare_texts(&old, &new, &mut compared),
            _ if same => {}
            _ => compared = self.without_lines(change, compared, "binary"),
        }
        Ok(compared)
    }

    fn without_lines(&self, change: &Change, mut compared: Compared, note: &str) -> Compared {
        compared.notes.push(note.to_owned());
        compared.size =
            self.contents.size(change, Which::New).or_else(|| self.contents.size(change, Which::Old));
        compared
    }

    fn compare_texts(&self, old: &[u8], new: &[u8], compared: &mut Compared) {
        if self.detail == DiffDetail::Stat {
            compared.counts = Some(lines::count(old, new));
            if text::only_line_ends_differ(old, new) {
                compared.notes.push("line ends only".to_owned());
            }
            return;
        }
        compared.content = name_contents(old, new);
        if text::only_line_ends_differ(old, new) {
            compared.counts = Some(lines::count(old, new));
            compared.notes.push("line ends only".to_owned());
            return;
        }
        if text::have_other_line_ends(old, new) {
            compared.notes.push("line ends differ too".to_owned());
            let (old, new) = (text::without_cr(old), text::without_cr(new));
            return show(&old, &new, compared);
        }
        show(old, new, compared);
    }
}

/// What the entry of a change costs without its hunks.
fn cost(change: &Change) -> usize {
    ENTRY_COST + change.path.len() + change.old_path.as_ref().map_or(0, |old| old.len())
}

fn show(old: &[u8], new: &[u8], compared: &mut Compared) {
    let comparison = Comparison::of(old, new);
    compared.counts = Some(comparison.counts());
    compared.hunks = comparison.hunks();
}

/// What is special about a change, as far as its mode and kind tell.
fn plain_notes(change: &Change) -> Vec<String> {
    let mut notes = Vec::new();
    let kind = match change.new.as_ref().or(change.old.as_ref()).map(|side| (side.content, side.mode)) {
        Some((Content::Submodule { .. }, _)) => Some("submodule"),
        Some((Content::NestedRepository, _)) => Some("nested repository"),
        Some((Content::Special, _)) => Some("neither a file nor a link"),
        Some((_, Mode::SYMLINK)) => Some("symlink"),
        _ => None,
    };
    notes.extend(kind.map(str::to_owned));
    if let (Some(old), Some(new)) = (&change.old, &change.new)
        && old.mode != new.mode
        && [old.mode, new.mode].iter().all(|mode| matches!(*mode, Mode::FILE | Mode::FILE_EXECUTABLE))
    {
        notes.push(format!("mode {:o} → {:o}", old.mode.bits() & 0o777, new.mode.bits() & 0o777));
    }
    match (change.status, change.untracked, &change.new) {
        (ChangeStatus::Deleted, true, _) => notes.push("still on disk".to_owned()),
        (ChangeStatus::Deleted, false, None) if change.old.is_none() => {
            notes.push("only in the index, gone from disk".to_owned())
        }
        _ => {}
    }
    notes
}

fn name_contents(old: &[u8], new: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (old, new).hash(&mut hasher);
    hasher.finish()
}

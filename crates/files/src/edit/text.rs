//! Editing the text of one file: find the places, cut the pieces, splice the bytes.

use std::ops::Range;

use webcodex_contracts::ProjectPath;
use webcodex_contracts::limits::MAX_TEXT_FILE_BYTES;

use crate::text::{Decoded, LineIndex, TextKind, Unrepresentable, encode_like};

use super::error::{EditError, EditProblem};
use super::matching::{Haystack, NoPlace, flatten};
use super::nearest::near_miss;
use super::request::{Find, Operation};
use super::snapshot::Before;
use super::splice::{LineEnds, Splice};

/// The new content of a file and what changed in it.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) bytes: Vec<u8>,
    pub(super) places: u64,
    pub(super) first_changed_line: Option<u64>,
    pub(super) added_lines: u64,
    pub(super) removed_lines: u64,
}

/// Carries out all changes of one file's text; each refers to the file as it was read.
pub(super) fn edit(
    file: &Before,
    kind: TextKind,
    changes: &[(usize, &Operation)],
) -> Result<Edited, EditError> {
    let decoded = Decoded::new(&file.bytes, kind);
    let page = Page::new(&file.path, &decoded);
    let mut splices = Vec::new();
    let mut places = 0;
    for &(change, operation) in changes {
        let found = page.splices(change, operation).map_err(|problem| problem.of(change))?;
        places += found.len() as u64;
        splices.extend(found);
    }
    // An insertion at the place where a replacement begins comes before it; otherwise the order of the request counts.
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    refuse_overlaps(&page, &splices)?;
    splices.retain(|splice| page.text[splice.range.clone()] != splice.text);
    let bytes = page.splice_bytes(&file.bytes, &splices, changes)?;
    let (added_lines, removed_lines) = page.count_lines(&splices);
    let first_changed_line = splices.first().map(|splice| page.line_at(splice.range.start) as u64);
    Ok(Edited { bytes, places, first_changed_line, added_lines, removed_lines })
}

/// One file's text with what is needed to find places in it.
struct Page<'a> {
    path: &'a ProjectPath,
    decoded: &'a Decoded<'a>,
    text: &'a str,
    index: LineIndex,
    ends: LineEnds<'a>,
}

impl<'a> Page<'a> {
    fn new(path: &'a ProjectPath, decoded: &'a Decoded<'a>) -> Self {
        let text = decoded.text();
        Self { path, decoded, text, index: LineIndex::new(text), ends: LineEnds::of(text) }
    }

    fn splices(&self, change: usize, operation: &Operation) -> Result<Vec<Splice>, EditProblem> {
        match operation {
            Operation::Replace { find, text } => {
                let found = self.find(find)?;
                Ok(found.into_iter().map(|range| self.ends.replace(range, text, change)).collect())
            }
            Operation::InsertAfter { find, text } => {
                let found = self.find(find)?;
                let place = found.first().map_or(0, |range| self.end_of_line(range.end));
                Ok(vec![self.ends.insert(place, text, change)])
            }
            Operation::InsertBefore { line, text } => {
                Ok(vec![self.ends.insert(self.before_line(*line)?, text, change)])
            }
            Operation::Write { text } => {
                // The mark of the file is kept as it is; one in the text would be a second one or a new one.
                let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
                Ok(vec![self.ends.replace(0..self.text.len(), text, change)])
            }
            Operation::Create { .. } | Operation::Delete | Operation::Rename { .. } => Ok(Vec::new()),
        }
    }

    fn find(&self, find: &Find) -> Result<Vec<Range<usize>>, EditProblem> {
        let haystack = Haystack::new(self.text);
        haystack.find(&self.index, find).map_err(|no_place| {
            let path = self.path.clone();
            match no_place {
                NoPlace::Nowhere => {
                    let text = flatten(self.text, self.ends.is_cr());
                    let nearest = near_miss(&text, &flatten(&find.text, self.ends.is_cr()));
                    EditProblem::NoMatch { path, nearest }
                }
                NoPlace::OutsideScope { lines } => EditProblem::OutsideScope { path, found: lines },
                NoPlace::TooFew { count, lines } => EditProblem::TooFew { path, count, found: lines },
                NoPlace::Ambiguous { count, lines } => EditProblem::Ambiguous { path, count, found: lines },
                NoPlace::Overlapping { lines } => EditProblem::Overlapping { path, found: lines },
                NoPlace::ScopePastEnd => self.past_end("line_scope", "`line_scope` begins"),
            }
        })
    }

    fn before_line(&self, line: u64) -> Result<usize, EditProblem> {
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        match self.index.range(line) {
            Some(range) => Ok(range.start),
            None if line == self.index.count() + 1 => Ok(self.text.len()),
            None => Err(self.past_end("line", "`line` is")),
        }
    }

    /// Where the line that ends at or holds a place ends.
    fn end_of_line(&self, place: usize) -> usize {
        if self.index.is_boundary(place) {
            return place;
        }
        self.index.range(self.index.line_of(place)).map_or(self.text.len(), |line| line.end)
    }

    fn past_end(&self, field: &'static str, what: &str) -> EditProblem {
        let count = self.index.count();
        EditProblem::Argument {
            field,
            message: format!("{what} past the end: `{}` has {count} lines", self.path),
        }
    }

    /// The line, from 1, that begins at or holds a place; one more than there are for the end after a last line end.
    fn line_at(&self, place: usize) -> usize {
        let after_last = place == self.text.len() && self.ends.closes(place);
        self.index.line_of(place) + usize::from(after_last && !self.text.is_empty())
    }

    /// The old bytes with the pieces put in; everything between them is copied as it is.
    fn splice_bytes(
        &self,
        old: &[u8],
        splices: &[Splice],
        changes: &[(usize, &Operation)],
    ) -> Result<Vec<u8>, EditError> {
        let mut bytes =
            Vec::with_capacity(old.len() + splices.iter().map(|splice| splice.text.len()).sum::<usize>());
        let mut copied = 0;
        for splice in splices {
            let new_text = changes.iter().find(|(change, _)| *change == splice.change);
            let new_text = new_text.and_then(|(_, operation)| operation.new_text()).unwrap_or_default();
            let (range, new) = self.encode(splice, new_text).map_err(|problem| problem.of(splice.change))?;
            bytes.extend_from_slice(&old[copied..range.start]);
            bytes.extend_from_slice(&new);
            copied = range.end;
        }
        bytes.extend_from_slice(&old[copied..]);
        let size = bytes.len() as u64;
        match splices.last() {
            Some(splice) if size > MAX_TEXT_FILE_BYTES => {
                Err(EditProblem::TooLarge { path: self.path.clone(), size }.of(splice.change))
            }
            _ => Ok(bytes),
        }
    }

    /// A piece as bytes and the bytes it replaces, if that is right whatever the file's encoding really is.
    ///
    /// Whole lines, and places in lines of ASCII, with ASCII as new text are right under any guess, because none of
    /// these encodings has a line end inside a character. Everything else relies on the encoding: it must be settled,
    /// and the line that is changed in part must come out as its own bytes again.
    fn encode(&self, splice: &Splice, new_text: &str) -> Result<(Range<usize>, Vec<u8>), EditProblem> {
        let kind = self.decoded.kind();
        let lines = self.lines_around(&splice.range);
        let whole_lines = lines == splice.range || splice.range.start == self.text.len();
        let uncertain = |reason| EditProblem::Uncertain {
            path: self.path.clone(),
            line: self.line_at(splice.range.start).min(self.index.count().max(1)),
            encoding: kind.describe(),
            reason,
        };
        if !kind.is_settled() && !splice.text.is_ascii() {
            return Err(uncertain("is not certain enough for the new text"));
        }
        if !kind.is_utf8() && !whole_lines && !self.text[lines.clone()].is_ascii() {
            if !kind.is_settled() {
                return Err(uncertain("is not certain enough to change a part of this line"));
            }
            if !self.decoded.round_trips(lines) {
                return Err(uncertain("does not fit the bytes of this line"));
            }
        }
        let range = self.decoded.byte_range(splice.range.clone());
        let range = range.ok_or_else(|| uncertain("does not tell where a character begins"))?;
        let bytes = encode_like(kind, &splice.text).map_err(|lacks| self.lacks(&lacks, new_text))?;
        Ok((range, bytes))
    }

    /// The whole lines that a range touches; for an empty range between two lines none.
    fn lines_around(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.index.start_of_line(range.start);
        start..self.end_of_line(range.end)
    }

    fn lacks(&self, lacks: &Unrepresentable, new_text: &str) -> EditProblem {
        let before = new_text.split(lacks.character).next().unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        EditProblem::Unrepresentable {
            path: self.path.clone(),
            character: lacks.character,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            encoding: lacks.encoding.clone(),
        }
    }

    /// Lines added and removed, as a diff would count them.
    fn count_lines(&self, splices: &[Splice]) -> (u64, u64) {
        let (mut added, mut removed) = (0, 0);
        let mut rest = splices;
        while let Some(first) = rest.first() {
            // Pieces in the same lines count together.
            let mut lines = self.lines_around(&first.range);
            let mut together = 1;
            while let Some(next) = rest.get(together) {
                let around = self.lines_around(&next.range);
                if around.start >= lines.end
                    && !(around.start == lines.end && self.opens(&rest[together - 1]))
                {
                    break;
                }
                lines.end = lines.end.max(around.end);
                together += 1;
            }
            let (group, left) = rest.split_at(together);
            let (new, old) = self.renewed(&mut lines, group);
            added += self.ends.count(&new);
            removed += self.ends.count(old);
            rest = left;
        }
        (added, removed)
    }

    /// Whether what follows a piece ends up in the line that the piece leaves open.
    fn opens(&self, splice: &Splice) -> bool {
        let text = if splice.text.is_empty() { &self.text[..splice.range.start] } else { &splice.text };
        !text.is_empty() && !self.ends.closes_text(text)
    }

    /// The text of some lines after their pieces are put in, and before.
    fn renewed(&self, lines: &mut Range<usize>, group: &[Splice]) -> (String, &'a str) {
        let mut new = String::new();
        let mut copied = lines.start;
        for splice in group {
            new.push_str(&self.text[copied..splice.range.start]);
            new.push_str(&splice.text);
            copied = splice.range.end;
        }
        new.push_str(&self.text[copied..lines.end]);
        if !new.is_empty() && !self.ends.closes_text(&new) && lines.end < self.text.len() {
            // The line end went; the next line joins this one.
            let next = self.lines_around(&(lines.end..lines.end + 1));
            new.push_str(&self.text[next.clone()]);
            lines.end = next.end;
        }
        (new, &self.text[lines.clone()])
    }
}

fn refuse_overlaps(page: &Page<'_>, splices: &[Splice]) -> Result<(), EditError> {
    for pair in splices.windows(2) {
        let (one, two) = (&pair[0], &pair[1]);
        if two.range.start < one.range.end {
            let (other, change) = (one.change.min(two.change), one.change.max(two.change));
            let line = page.line_at(two.range.start);
            let why = format!("both touch line {line} of `{}`", page.path);
            return Err(EditProblem::Conflict { other, change, why }.of(change));
        }
    }
    Ok(())
}

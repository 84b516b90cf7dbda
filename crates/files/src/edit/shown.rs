//! What a person is shown of a plan before it is carried out, and proof that what is carried out is what was shown.

use std::borrow::Cow;
use std::path::Path;

use imara_diff::{Algorithm, Diff, InternedInput};
use sha2::{Digest, Sha256};
use webcodex_contracts::control::{ChangedFile, DiffLine, FileChange, Sign};

use crate::ContentHash;
use crate::text::{Classified, Hints, classify, decode};

use super::plan::{Effect, Plan, PlannedFile};
use super::snapshot::{Before, Content};

/// Unchanged lines around a change.
const CONTEXT: u32 = 3;
/// Lines shown of one request.
const MAX_LINES: usize = 4000;
/// Text shown of one request, in bytes. A file whose change does not fit is named with its counts alone.
const MAX_BYTES: usize = 256 * 1024;
/// Larger files are not compared.
const MAX_COMPARED: usize = 4 * 1024 * 1024;

/// Two plans with the same fingerprint do the same to the same files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanFingerprint([u8; 32]);

impl Plan {
    /// The files that would change, with what would change in them as far as it is text and fits.
    pub fn shown(&self) -> Vec<ChangedFile> {
        let mut room = Room { lines: MAX_LINES, bytes: MAX_BYTES };
        let changing = self.files.iter().filter(|file| !matches!(file.effect, Effect::Keep));
        changing.map(|file| shown(file, &mut room)).collect()
    }

    /// What tells this plan from every other.
    pub fn fingerprint(&self) -> PlanFingerprint {
        let mut told = Told(Sha256::new());
        for file in &self.files {
            match &file.effect {
                Effect::Create { at, new, .. } => told.effect(1, None, Some(&at.absolute), Some(new)),
                Effect::Modify { before, new, to, .. } => {
                    told.effect(2, Some(before), to.as_ref().map(|to| &*to.absolute), Some(new));
                }
                Effect::Move { before, to, .. } => told.effect(3, Some(before), Some(&to.absolute), None),
                Effect::Delete { before } => told.effect(4, Some(before), None, None),
                Effect::Keep => told.effect(5, None, None, None),
            }
        }
        PlanFingerprint(told.0.finalize().into())
    }
}

/// Takes down a plan without ambiguity: every part has its length before it.
struct Told(Sha256);

impl Told {
    fn effect(&mut self, kind: u8, before: Option<&Before>, to: Option<&Path>, new: Option<&ContentHash>) {
        self.part(&[kind]);
        self.part(before.map_or(&[], |before| before.absolute.as_os_str().as_encoded_bytes()));
        self.part(before.map_or(&[], |before| before.hash.as_bytes()));
        self.part(to.map_or(&[], |to| to.as_os_str().as_encoded_bytes()));
        self.part(new.map_or(&[], |new| new.as_bytes()));
    }

    fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }
}

/// What may still be shown.
struct Room {
    lines: usize,
    bytes: usize,
}

fn shown(file: &PlannedFile, room: &mut Room) -> ChangedFile {
    let report = &file.report;
    let (change, lines) = match &file.effect {
        Effect::Create { bytes, .. } => {
            (FileChange::Added, compare(Some(Cow::Borrowed("")), new_text(bytes), room))
        }
        Effect::Modify { before, bytes, to, .. } => {
            let change = if to.is_some() { FileChange::Renamed } else { FileChange::Modified };
            let new = match before.content {
                Content::Text(kind) => Some(decode(bytes, kind)),
                Content::Binary(_) => None,
            };
            (change, compare(old_text(before), new, room))
        }
        Effect::Delete { before } => {
            (FileChange::Deleted, compare(old_text(before), Some(Cow::Borrowed("")), room))
        }
        Effect::Move { .. } => (FileChange::Renamed, Some(Vec::new())),
        Effect::Keep => (FileChange::Modified, Some(Vec::new())),
    };
    let path = match &report.old_path {
        Some(old) => format!("{old} → {}", report.path),
        None => report.path.to_string(),
    };
    ChangedFile {
        path: visible(&path).into_owned(),
        change,
        added: report.added_lines,
        removed: report.removed_lines,
        lines,
    }
}

fn old_text(before: &Before) -> Option<Cow<'_, str>> {
    match before.content {
        Content::Text(kind) => Some(decode(&before.bytes, kind)),
        Content::Binary(_) => None,
    }
}

fn new_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match classify(bytes, &Hints::none()) {
        Classified::Text(kind) => Some(decode(bytes, kind)),
        Classified::Binary(_) => None,
    }
}

/// The changed lines with some around them; nothing where one side is not text or there is no room for all.
fn compare(old: Option<Cow<'_, str>>, new: Option<Cow<'_, str>>, room: &mut Room) -> Option<Vec<DiffLine>> {
    let (old, new) = (old?, new?);
    if old.len().max(new.len()) > MAX_COMPARED {
        return None;
    }
    let input = InternedInput::new(&*old, &*new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut lines = Vec::new();
    let last = input.before.len() as u32;
    let mut unchanged_from = 0;
    let mut changes = diff.hunks().peekable();
    while let Some(change) = changes.next() {
        let shift = |at: u32| at + change.after.start - change.before.start;
        for at in change.before.start.saturating_sub(CONTEXT).max(unchanged_from)..change.before.start {
            let text = input.interner[input.before[at as usize]];
            lines.push(line(Sign::Same, Some(at), Some(shift(at)), text));
        }
        for at in change.before.clone() {
            lines.push(line(Sign::Removed, Some(at), None, input.interner[input.before[at as usize]]));
        }
        for at in change.after.clone() {
            lines.push(line(Sign::Added, None, Some(at), input.interner[input.after[at as usize]]));
        }
        let next = changes.peek().map_or(last, |next| next.before.start);
        unchanged_from = (change.before.end + CONTEXT).min(next);
        for at in change.before.end..unchanged_from {
            let text = input.interner[input.before[at as usize]];
            lines.push(line(Sign::Same, Some(at), Some(at - change.before.end + change.after.end), text));
        }
        if lines.len() > room.lines {
            return None;
        }
    }
    let bytes = lines.iter().map(|line| line.text.len()).sum::<usize>();
    room.bytes = room.bytes.checked_sub(bytes)?;
    room.lines -= lines.len();
    Some(lines)
}

fn line(sign: Sign, old: Option<u32>, new: Option<u32>, text: &str) -> DiffLine {
    let number = |at: u32| u64::from(at) + 1;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = visible(text.strip_suffix('\r').unwrap_or(text)).into_owned();
    DiffLine { sign, old: old.map(number), new: new.map(number), text }
}

/// `text` with nothing in it that hides or reorders what is shown: control characters and marks of direction are
/// written out.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hides = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
    };
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match hides(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

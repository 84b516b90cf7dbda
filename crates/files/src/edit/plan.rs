//! The plan of a request: pure, made from the snapshot alone. Whatever is wrong with a request is found here, before
//! anything is written.

use webcodex_contracts::tools::edit_project_files::FileAction;
use webcodex_contracts::{ProjectPath, limits::MAX_TEXT_FILE_BYTES};

use crate::text::{Lines, TextKind, encode_like, kind_of_new_file};
use crate::{ContentHash, Seen};

use super::error::{EditError, EditProblem};
use super::request::Operation;
use super::snapshot::{Before, Content, Destination, NewPlace, Request, Snapshot, Target};
use super::text::{self, Edited};

/// Everything a request will do, file by file, in the order of their first change.
#[derive(Debug)]
pub struct Plan {
    pub(crate) files: Vec<PlannedFile>,
}

/// What will happen to one file.
#[derive(Debug)]
pub(crate) struct PlannedFile {
    /// Its first change, from 0.
    pub(crate) change: usize,
    pub(crate) effect: Effect,
    pub(crate) report: Report,
}

/// What is done on disk.
#[derive(Debug)]
pub(crate) enum Effect {
    /// A file comes into being.
    Create { at: NewPlace, bytes: Vec<u8>, new: ContentHash, executable: bool },
    /// A file's content is replaced; `to` moves it at the same time.
    Modify { before: Before, bytes: Vec<u8>, new: ContentHash, to: Option<NewPlace> },
    /// A file gets another path and stays the same. `respelled`: the file system takes both names for one.
    Move { before: Before, to: NewPlace, respelled: bool },
    /// A file goes.
    Delete { before: Before },
    /// The content is already as asked for.
    Keep,
}

/// What is told about one file.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) action: FileAction,
    pub(crate) path: ProjectPath,
    pub(crate) old_path: Option<ProjectPath>,
    /// Hash of the new content and what the caller has seen of it; none for a deleted file.
    pub(crate) content: Option<(ContentHash, Seen)>,
    pub(crate) places: Option<u64>,
    pub(crate) first_changed_line: Option<u64>,
    pub(crate) added_lines: u64,
    pub(crate) removed_lines: u64,
}

impl PlannedFile {
    fn new(change: usize, (effect, report): (Effect, Report)) -> Self {
        Self { change, effect, report }
    }
}

impl Plan {
    /// Whether carrying it out would change anything on disk.
    pub fn changes_anything(&self) -> bool {
        self.files.iter().any(|file| !matches!(file.effect, Effect::Keep))
    }
}

/// Plans all changes of a request.
pub(super) fn plan(snapshot: Snapshot) -> Result<Plan, EditError> {
    let Snapshot { files, requests } = snapshot;
    refuse_new_places_in_each_other(&requests)?;
    let mut planned: Vec<PlannedFile> = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        if let (Target::New(at), Operation::Create { text }) = (&request.target, &request.operation) {
            let made = create(at, text, request).map_err(|problem| problem.of(index))?;
            planned.push(PlannedFile::new(index, made));
        }
    }
    for (number, before) in files.into_iter().enumerate() {
        let own: Vec<(usize, &Request)> = requests
            .iter()
            .enumerate()
            .filter(|(_, request)| matches!(request.target, Target::Existing(target) if target == number))
            .collect();
        let first = own.first().map_or(0, |(index, _)| *index);
        planned.push(PlannedFile::new(first, existing(before, &own)?));
    }
    planned.sort_by_key(|file| file.change);
    Ok(Plan { files: planned })
}

/// Two new files cannot have one path, and one cannot be the folder of another.
fn refuse_new_places_in_each_other(requests: &[Request]) -> Result<(), EditError> {
    let mut places: Vec<(usize, &ProjectPath)> = Vec::new();
    for (change, request) in requests.iter().enumerate() {
        let Some(path) = new_path(request) else { continue };
        for (other, known) in &places {
            let inside = |inner: &ProjectPath, outer: &ProjectPath| {
                inner.as_str().strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with('/'))
            };
            if path == *known {
                let why = format!("both make `{path}`");
                return Err(EditProblem::Conflict { other: *other, change, why }.of(change));
            }
            if inside(path, known) || inside(known, path) {
                let why = format!("`{path}` and `{known}` cannot both be files");
                return Err(EditProblem::Conflict { other: *other, change, why }.of(change));
            }
        }
        places.push((change, path));
    }
    Ok(())
}

fn new_path(request: &Request) -> Option<&ProjectPath> {
    match (&request.target, &request.destination) {
        (Target::New(place), _) => Some(&place.path),
        (_, Some(Destination::Free(place))) => Some(&place.path),
        _ => None,
    }
}

fn create(at: &NewPlace, text: &str, request: &Request) -> Result<(Effect, Report), EditProblem> {
    let kind = kind_of_new_file(request.label);
    let mut bytes = kind.mark().to_vec();
    bytes.extend(encode_like(kind, text).map_err(|lacks| EditProblem::Unrepresentable {
        path: at.path.clone(),
        character: lacks.character,
        line: text[..lacks.offset].matches('\n').count() + 1,
        column: text[..lacks.offset].rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        encoding: lacks.encoding,
    })?);
    let size = bytes.len() as u64;
    if size > MAX_TEXT_FILE_BYTES {
        return Err(EditProblem::TooLarge { path: at.path.clone(), size });
    }
    let new = ContentHash::of(&bytes);
    let report = Report {
        action: FileAction::Created,
        path: at.path.clone(),
        old_path: None,
        content: Some((new, Seen::Complete)),
        places: None,
        first_changed_line: None,
        added_lines: Lines::count_in(text) as u64,
        removed_lines: 0,
    };
    Ok((Effect::Create { at: at.clone(), bytes, new, executable: false }, report))
}

/// All changes of one existing file together.
fn existing(before: Before, own: &[(usize, &Request)]) -> Result<(Effect, Report), EditError> {
    refuse_what_does_not_combine(&before, own)?;
    if let Some((index, _)) = own.iter().find(|(_, request)| request.operation == Operation::Delete) {
        if !before.writable {
            return Err(EditProblem::ReadOnly { path: before.path.clone() }.of(*index));
        }
        return Ok(delete(before));
    }
    let destination = own.iter().find_map(|(_, request)| request.destination.clone());
    let edits: Vec<(usize, &Operation)> = own
        .iter()
        .filter(|(_, request)| request.operation.edits_text())
        .map(|(index, request)| (*index, &request.operation))
        .collect();
    let Some((first, _)) = edits.first() else {
        return Ok(unedited(before, destination));
    };
    let kind = text_kind(&before).map_err(|problem| problem.of(*first))?;
    let edited = text::edit(&before, kind, &edits)?;
    if edited.bytes == before.bytes {
        let (effect, report) = unedited(before, destination);
        return Ok((effect, Report { places: Some(edited.places), ..report }));
    }
    modify(before, edited, destination).map_err(|problem| problem.of(*first))
}

/// Deleting goes with nothing else, a whole new text with no other text change, and a file moves once.
fn refuse_what_does_not_combine(before: &Before, own: &[(usize, &Request)]) -> Result<(), EditError> {
    for (at, (other, one)) in own.iter().enumerate() {
        for (change, two) in &own[at + 1..] {
            let why = match (&one.operation, &two.operation) {
                (Operation::Delete, _) | (_, Operation::Delete) => "deleted and changed",
                (Operation::Rename { .. }, Operation::Rename { .. }) => "renamed twice",
                (Operation::Write { .. }, two) if two.edits_text() => {
                    "written as a whole and changed in parts"
                }
                (one, Operation::Write { .. }) if one.edits_text() => {
                    "written as a whole and changed in parts"
                }
                _ if one.label.is_some() && two.label.is_some() && one.label != two.label => {
                    "said to be in two encodings"
                }
                _ => continue,
            };
            let why = format!("`{}` would be {why}", before.path);
            return Err(EditProblem::Conflict { other: *other, change: *change, why }.of(*change));
        }
    }
    Ok(())
}

fn text_kind(before: &Before) -> Result<TextKind, EditProblem> {
    match before.content {
        Content::Text(_) if !before.writable => Err(EditProblem::ReadOnly { path: before.path.clone() }),
        Content::Text(kind) => Ok(kind),
        Content::Binary(kind) => Err(EditProblem::Binary { path: before.path.clone(), kind }),
    }
}

fn delete(before: Before) -> (Effect, Report) {
    let removed_lines = before.current().file.and_then(|file| file.total_lines).unwrap_or(0);
    let report = Report { content: None, removed_lines, ..report(&before, FileAction::Deleted) };
    (Effect::Delete { before }, report)
}

fn unedited(before: Before, destination: Option<Destination>) -> (Effect, Report) {
    let (to, respelled) = match destination {
        None => {
            let report = report(&before, FileAction::Unchanged);
            return (Effect::Keep, report);
        }
        Some(Destination::Free(to)) => (to, false),
        Some(Destination::Respelled(to)) => (to, true),
    };
    let report = moved(report(&before, FileAction::Renamed), &to);
    (Effect::Move { before, to, respelled }, report)
}

fn modify(
    before: Before,
    edited: Edited,
    destination: Option<Destination>,
) -> Result<(Effect, Report), EditProblem> {
    let new = ContentHash::of(&edited.bytes);
    let report = Report {
        content: Some((new, before.seen)),
        places: Some(edited.places),
        first_changed_line: edited.first_changed_line,
        added_lines: edited.added_lines,
        removed_lines: edited.removed_lines,
        ..report(&before, FileAction::Modified)
    };
    let (report, to) = match destination {
        None => (report, None),
        Some(Destination::Free(to)) => {
            (moved(Report { action: FileAction::Renamed, ..report }, &to), Some(to))
        }
        Some(Destination::Respelled(_)) => {
            let message = "change the spelling of a name and the content in two calls, one after the other";
            return Err(EditProblem::Argument { field: "to_path", message: message.to_owned() });
        }
    };
    Ok((Effect::Modify { before, bytes: edited.bytes, new, to }, report))
}

fn report(before: &Before, action: FileAction) -> Report {
    Report {
        action,
        path: before.path.clone(),
        old_path: None,
        content: Some((before.hash, before.seen)),
        places: None,
        first_changed_line: None,
        added_lines: 0,
        removed_lines: 0,
    }
}

fn moved(report: Report, to: &NewPlace) -> Report {
    Report { old_path: Some(report.path), path: to.path.clone(), ..report }
}

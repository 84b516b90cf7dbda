//! What the files that a request touches are like before it: read once, guarded, and from then on pure data.

use std::path::PathBuf;

use webcodex_contracts::limits::{MAX_READ_ITEM_BYTES, MAX_READ_LINES};
use webcodex_contracts::tools::edit_project_files::Change;
use webcodex_contracts::{ProjectPath, ReadRevision};
use webcodex_projects::{Confined, EntryKind, WriteAccess};

use crate::read;
use crate::sys::{self, Attributes};
use crate::text::{self, BinaryKind, Classified, Label, Lines, TextKind};
use crate::{ContentHash, Files, Seen, declared};

use super::error::{Current, CurrentFile, EditError, EditProblem};
use super::request::{Operation, operation};

/// An existing file as it was read.
#[derive(Debug)]
pub(crate) struct Before {
    /// Path in the project, in the spelling the file system has.
    pub(crate) path: ProjectPath,
    /// The same on disk, links resolved.
    pub(crate) absolute: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) hash: ContentHash,
    pub(crate) attributes: Attributes,
    /// What the caller has proven to have read of it.
    pub(crate) seen: Seen,
    pub(super) content: Content,
    pub(super) writable: bool,
}

/// What the bytes of a file are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Text(TextKind),
    Binary(BinaryKind),
}

/// A place where a file is to come into being.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewPlace {
    pub(crate) path: ProjectPath,
    pub(crate) absolute: PathBuf,
}

/// One change with the things it is about.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) operation: Operation,
    pub(super) label: Option<Label>,
    pub(super) target: Target,
    /// Where a rename leads to.
    pub(super) destination: Option<Destination>,
}

/// What a change is about.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// A file of the snapshot.
    Existing(usize),
    /// A file that does not exist yet.
    New(NewPlace),
}

/// Where a rename leads to.
#[derive(Debug, Clone)]
pub(super) enum Destination {
    /// A free place.
    Free(NewPlace),
    /// Another spelling of the same name, which the file system takes for the same file.
    Respelled(NewPlace),
}

/// The files that a request touches, and its changes in order.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub(super) files: Vec<Before>,
    pub(super) requests: Vec<Request>,
}

/// Reads what the changes touch and checks every guard.
pub(super) fn take(files: &Files, access: &WriteAccess, changes: &[Change]) -> Result<Snapshot, EditError> {
    let mut taking =
        Taking { files, access, snapshot: Snapshot::default(), guards: Vec::new(), gone: Vec::new() };
    for (index, change) in changes.iter().enumerate() {
        taking.add(change, index).map_err(|problem| problem.of(index))?;
    }
    taking.check_guards()?;
    taking.settle_encodings();
    Ok(taking.snapshot)
}

struct Taking<'a> {
    files: &'a Files,
    access: &'a WriteAccess,
    snapshot: Snapshot,
    /// For each file of the snapshot the changes to it, with their revisions.
    guards: Vec<Vec<(usize, Option<ReadRevision>)>>,
    /// Files that a revision was sent for but that do not exist.
    gone: Vec<(usize, ProjectPath)>,
}

impl Taking<'_> {
    fn add(&mut self, change: &Change, index: usize) -> Result<(), EditProblem> {
        let (operation, label) = operation(change)
            .map_err(|bad| EditProblem::Argument { field: bad.field, message: bad.message })?;
        let confined = self.confine(&change.path, "path")?;
        let destination = match &operation {
            Operation::Rename { to } => Some(self.destination(&confined, to)?),
            _ => None,
        };
        let target = match (&operation, confined.kind) {
            (Operation::Create { .. }, EntryKind::Missing) => {
                Target::New(new_place(&change.path, confined, "path")?)
            }
            (Operation::Create { .. }, _) => {
                return Err(EditProblem::Exists { field: "path", path: confined.relative });
            }
            (_, EntryKind::Missing) if change.expected_read_revision.is_some() => {
                self.gone.push((index, change.path.clone()));
                return Ok(());
            }
            _ => {
                self.refuse_link(change, &operation, &confined)?;
                let file = self.existing(&change.path, confined, label)?;
                self.guards[file].push((index, change.expected_read_revision));
                Target::Existing(file)
            }
        };
        self.snapshot.requests.push(Request { operation, label, target, destination });
        Ok(())
    }

    fn confine(&self, path: &ProjectPath, field: &'static str) -> Result<Confined, EditProblem> {
        self.access.confine(path).map_err(|error| EditProblem::Path { field, error })
    }

    /// Renaming or deleting a link might mean the link or its target; neither is done on a guess.
    fn refuse_link(
        &self,
        change: &Change,
        operation: &Operation,
        confined: &Confined,
    ) -> Result<(), EditProblem> {
        let moves = matches!(operation, Operation::Delete | Operation::Rename { .. });
        if moves && sys::is_link(&self.access.root().join(change.path.as_str())) {
            return Err(EditProblem::Link { path: change.path.clone(), target: confined.relative.clone() });
        }
        Ok(())
    }

    fn destination(&self, from: &Confined, to: &ProjectPath) -> Result<Destination, EditProblem> {
        let confined = self.confine(to, "to_path")?;
        if confined.kind == EntryKind::Missing {
            return Ok(Destination::Free(new_place(to, confined, "to_path")?));
        }
        let respelled = confined.absolute == from.absolute
            && to != &from.relative
            && to.as_str().to_lowercase() == from.relative.as_str().to_lowercase()
            && !sys::is_link(&self.access.root().join(to.as_str()));
        if !respelled {
            return Err(EditProblem::Exists { field: "to_path", path: confined.relative });
        }
        let absolute = self.access.root().join(to.as_str());
        Ok(Destination::Respelled(NewPlace { path: to.clone(), absolute }))
    }

    /// The file in the snapshot, read if it is not there yet. Every spelling and link of a file is one file.
    fn existing(
        &mut self,
        path: &ProjectPath,
        confined: Confined,
        label: Option<Label>,
    ) -> Result<usize, EditProblem> {
        if let Some(known) = self.snapshot.files.iter().position(|file| file.path == confined.relative) {
            return Ok(known);
        }
        let loaded =
            read::open(self.access, path, &confined).map_err(|error| EditProblem::File(Box::new(error)))?;
        let content = match self.files.classify(self.access, &confined.relative, &loaded.bytes, label) {
            Classified::Text(kind) => Content::Text(kind),
            Classified::Binary(kind) => Content::Binary(kind),
        };
        self.snapshot.files.push(Before {
            hash: ContentHash::of(&loaded.bytes),
            writable: sys::may_write(&confined.absolute, &loaded.metadata),
            attributes: Attributes::of(&confined.absolute, &loaded.metadata),
            path: confined.relative,
            absolute: confined.absolute,
            bytes: loaded.bytes,
            seen: Seen::Partial,
            content,
        });
        self.guards.push(Vec::new());
        Ok(self.snapshot.files.len() - 1)
    }

    /// Every existing file needs a guard, every guard that is given must fit, and replacing or removing a whole file
    /// needs proof that all of it was read.
    fn check_guards(&mut self) -> Result<(), EditError> {
        let mut stale: Vec<(usize, Current)> = Vec::new();
        for (index, path) in self.gone.drain(..) {
            stale.push((index, Current { path, file: None }));
        }
        for (file, guards) in self.snapshot.files.iter_mut().zip(&self.guards) {
            let sent = || guards.iter().filter_map(|(index, guard)| guard.map(|guard| (*index, guard)));
            if sent().next().is_none() {
                let first = guards.first().map_or(0, |(index, _)| *index);
                return Err(EditProblem::Unguarded { path: file.path.clone() }.of(first));
            }
            for (index, guard) in sent() {
                match self.files.verify(self.access, guard, &file.path, &file.hash) {
                    Some(Seen::Complete) => file.seen = Seen::Complete,
                    Some(Seen::Partial) => {}
                    None => stale.push((index, file.current())),
                }
            }
        }
        let requests = || self.snapshot.requests.iter().enumerate();
        for (file, guards) in self.snapshot.files.iter().zip(&self.guards) {
            let whole = guards.iter().find(|(index, _)| {
                requests().any(|(at, request)| at == *index && needs_complete(&request.operation, file))
            });
            if let Some((index, _)) = whole
                && file.seen == Seen::Partial
            {
                stale.push((*index, file.current()));
            }
        }
        stale.sort_by_key(|(index, _)| *index);
        let mut stale = stale.into_iter();
        let Some((index, first)) = stale.next() else { return Ok(()) };
        let mut also: Vec<ProjectPath> = stale.map(|(_, current)| current.path).collect();
        also.retain(|path| *path != first.path);
        also.dedup();
        Err(EditProblem::Stale { stale: first, also }.of(index))
    }

    /// New text in a file that is plain ASCII so far takes the encoding that the project declares for it.
    fn settle_encodings(&mut self) {
        for (number, file) in self.snapshot.files.iter_mut().enumerate() {
            let Content::Text(kind) = &mut file.content else { continue };
            let adds_more = self.snapshot.requests.iter().any(|request| {
                matches!(request.target, Target::Existing(target) if target == number)
                    && request.operation.new_text().is_some_and(|text| !text.is_ascii())
            });
            if adds_more {
                let declared = || declared::encoding(self.access.root(), &file.path);
                *kind = text::kind_for_new_text(*kind, &file.bytes, declared);
            }
        }
    }
}

impl Before {
    /// What a file is like whose content was found to be `bytes`, or that is gone.
    pub(crate) fn current_of(path: &ProjectPath, bytes: Option<&[u8]>) -> Current {
        let file = bytes.map(|bytes| CurrentFile {
            size_bytes: bytes.len() as u64,
            hash: ContentHash::of(bytes),
            total_lines: match text::classify(bytes, &text::Hints::none()) {
                Classified::Text(kind) => Some(Lines::count_in(&text::decode(bytes, kind)) as u64),
                Classified::Binary(_) => None,
            },
        });
        Current { path: path.clone(), file }
    }

    /// What the file is like now, as far as the snapshot knows.
    pub(super) fn current(&self) -> Current {
        let file = CurrentFile {
            size_bytes: self.bytes.len() as u64,
            hash: self.hash,
            total_lines: self.total_lines(),
        };
        Current { path: self.path.clone(), file: Some(file) }
    }

    fn total_lines(&self) -> Option<u64> {
        match self.content {
            Content::Text(kind) => Some(Lines::count_in(&text::decode(&self.bytes, kind)) as u64),
            Content::Binary(_) => None,
        }
    }

    /// Whether one read can show all of the file.
    fn fits_one_read(&self) -> bool {
        self.bytes.len() <= MAX_READ_ITEM_BYTES
            && self.total_lines().is_none_or(|lines| lines <= MAX_READ_LINES)
    }
}

/// `write` states the whole content, so what the caller has not seen would be lost without anybody having decided
/// that. `delete` loses it too, but says so; it only needs the whole where one read could have shown it, because no
/// read ever shows all of a longer file. A rename loses nothing.
fn needs_complete(operation: &Operation, file: &Before) -> bool {
    match operation {
        Operation::Write { .. } => true,
        Operation::Delete => file.fits_one_read(),
        _ => false,
    }
}

/// A place for a new file, if its name would exist on every system. Names of folders that exist are what they are.
fn new_place(asked: &ProjectPath, confined: Confined, field: &'static str) -> Result<NewPlace, EditProblem> {
    let name = |error| EditProblem::Name { field, error };
    let file_name = asked.file_name().unwrap_or_default();
    ProjectPath::parse(file_name).and_then(|name| name.require_portable()).map_err(name)?;
    let mut folder = confined.absolute.parent();
    let mut parts: Vec<&str> = confined.relative.parts().collect();
    parts.pop();
    while let (Some(missing), Some(part)) = (folder.filter(|folder| !folder.exists()), parts.pop()) {
        ProjectPath::parse(part).and_then(|part| part.require_portable()).map_err(name)?;
        folder = missing.parent();
    }
    Ok(NewPlace { path: confined.relative, absolute: confined.absolute })
}

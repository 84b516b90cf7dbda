//! Putting whole contents in place, byte by byte: for undoing. Guarded by the content that must lie there now.

use webcodex_contracts::ProjectPath;
use webcodex_contracts::tools::edit_project_files::FileAction;
use webcodex_projects::{EntryKind, WriteAccess};

use super::error::{EditError, EditProblem};
use super::plan::{Effect, Plan, PlannedFile, Report};
use super::snapshot::{Before, Content, NewPlace};
use crate::sys::{self, Attributes};
use crate::text::{self, Classified};
use crate::{ContentHash, Files, Seen, read};

/// One content to put in place.
#[derive(Debug, Clone)]
pub struct Put {
    /// Path in the project.
    pub path: ProjectPath,
    /// The content that must lie there now; none if nothing may.
    pub expect: Option<ContentHash>,
    /// The content to write; none if the file goes.
    pub content: Option<Vec<u8>>,
    /// Whether the file is executable afterwards.
    pub executable: bool,
}

/// What a plan does to one path, with the bytes on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedContent<'a> {
    /// Path in the project.
    pub path: &'a ProjectPath,
    /// The content before; none for a new file.
    pub before: Option<&'a [u8]>,
    /// The content afterwards; none for a file that goes.
    pub after: Option<&'a [u8]>,
    /// Whether the file is executable, before and afterwards.
    pub executable: bool,
}

impl Files {
    /// Plans to put these contents in place, all of them or none. Writes nothing.
    pub fn plan_contents(&self, access: &WriteAccess, puts: Vec<Put>) -> Result<Plan, EditError> {
        let plan = |(index, put)| {
            let (effect, report) = one(access, put).map_err(|problem: EditProblem| problem.of(index))?;
            Ok(PlannedFile { change: index, effect, report })
        };
        Ok(Plan { files: puts.into_iter().enumerate().map(plan).collect::<Result<_, _>>()? })
    }
}

impl Plan {
    /// What will be where, for whoever wants to remember it.
    pub fn contents(&self) -> Vec<PlannedContent<'_>> {
        let mut contents = Vec::new();
        for file in &self.files {
            let mut add = |path, before, after, executable| {
                contents.push(PlannedContent { path, before, after, executable });
            };
            match &file.effect {
                Effect::Keep => {}
                Effect::Create { at, bytes, executable, .. } => add(&at.path, None, Some(bytes), *executable),
                Effect::Modify { before, bytes, to: None, .. } => {
                    add(&before.path, Some(&before.bytes), Some(bytes), before.attributes.is_executable());
                }
                Effect::Modify { before, bytes, to: Some(to), .. } => {
                    add(&before.path, Some(&before.bytes), None, before.attributes.is_executable());
                    // It is made anew, so it gets what every new file gets.
                    add(&to.path, None, Some(bytes), false);
                }
                Effect::Move { before, to, .. } => {
                    add(&before.path, Some(&before.bytes), None, before.attributes.is_executable());
                    add(&to.path, None, Some(&before.bytes), before.attributes.is_executable());
                }
                Effect::Delete { before } => {
                    add(&before.path, Some(&before.bytes), None, before.attributes.is_executable());
                }
            }
        }
        contents
    }
}

fn one(access: &WriteAccess, put: Put) -> Result<(Effect, Report), EditProblem> {
    let Put { path, expect, content, executable } = put;
    let confined = access.confine(&path).map_err(|error| EditProblem::Path { field: "path", error })?;
    // The content belongs to this very name; a link would put it elsewhere.
    if sys::is_link(&access.root().join(path.as_str())) {
        return Err(EditProblem::Link { path, target: confined.relative });
    }
    let Some(expect) = expect else {
        if confined.kind != EntryKind::Missing {
            return Err(EditProblem::Exists { field: "path", path: confined.relative });
        }
        let at = NewPlace { path: confined.relative, absolute: confined.absolute };
        return Ok(created(at, content.unwrap_or_default(), executable));
    };
    if confined.kind == EntryKind::Missing {
        let stale = Before::current_of(&path, None);
        return Err(EditProblem::Stale { stale, also: Vec::new() });
    }
    let loaded = read::open(access, &path, &confined).map_err(|error| EditProblem::File(Box::new(error)))?;
    let hash = ContentHash::of(&loaded.bytes);
    if hash != expect {
        let stale = Before::current_of(&path, Some(&loaded.bytes));
        return Err(EditProblem::Stale { stale, also: Vec::new() });
    }
    let writable = sys::may_write(&confined.absolute, &loaded.metadata);
    if !writable {
        return Err(EditProblem::ReadOnly { path });
    }
    let content_kind = match text::classify(&loaded.bytes, &text::Hints::none()) {
        Classified::Text(kind) => Content::Text(kind),
        Classified::Binary(kind) => Content::Binary(kind),
    };
    let attributes = Attributes::of(&confined.absolute, &loaded.metadata);
    let attributes = if content.is_some() { attributes.executable(executable) } else { attributes };
    let before = Before {
        path: confined.relative,
        absolute: confined.absolute,
        bytes: loaded.bytes,
        hash,
        attributes,
        seen: Seen::Complete,
        content: content_kind,
        writable,
    };
    Ok(match content {
        None => {
            let report = report(FileAction::Deleted, before.path.clone(), None);
            (Effect::Delete { before }, report)
        }
        Some(bytes) => {
            let new = ContentHash::of(&bytes);
            let report = report(FileAction::Modified, before.path.clone(), Some(new));
            (Effect::Modify { before, bytes, new, to: None }, report)
        }
    })
}

fn created(at: NewPlace, bytes: Vec<u8>, executable: bool) -> (Effect, Report) {
    let new = ContentHash::of(&bytes);
    let report = report(FileAction::Created, at.path.clone(), Some(new));
    (Effect::Create { at, bytes, new, executable }, report)
}

fn report(action: FileAction, path: ProjectPath, content: Option<ContentHash>) -> Report {
    Report {
        action,
        path,
        old_path: None,
        content: content.map(|hash| (hash, Seen::Complete)),
        places: None,
        first_changed_line: None,
        added_lines: 0,
        removed_lines: 0,
    }
}

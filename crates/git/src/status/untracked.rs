//! Files that git does not track and does not ignore, each by its name, also deep inside new folders.

use std::ops::ControlFlow;

use gix::bstr::{BString, ByteSlice};
use gix::dir::EntryRef;
use gix::dir::entry::{Kind, Status};
use gix::dir::walk::{Action, Delegate, EmissionMode, ForDeletionMode};
use gix::index::State;

use crate::scope::Scope;
use crate::{GitError, Interrupt};

/// A new file, link or repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    pub(crate) path: BString,
    pub(crate) kind: NewKind,
}

/// What is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewKind {
    File,
    Link,
    /// A repository of its own; what is in it is its own business.
    Repository,
}

/// Walks the folders of the scope.
pub(crate) fn walk(
    repo: &gix::Repository,
    index: &State,
    scope: &Scope,
    interrupt: &Interrupt,
) -> Result<Vec<NewFile>, GitError> {
    let options = repo.dirwalk_options()?.emit_untracked(EmissionMode::Matching);
    let mut found = Found { scope, interrupt, files: Vec::new() };
    let walked = repo.dirwalk(index, scope.patterns(), interrupt.flag(), options, &mut found);
    interrupt.check()?;
    walked?;
    let mut files = found.files;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

struct Found<'a> {
    scope: &'a Scope,
    interrupt: &'a Interrupt,
    files: Vec<NewFile>,
}

impl Delegate for Found<'_> {
    fn emit(&mut self, entry: EntryRef<'_>, _: Option<Status>) -> Action {
        if let Some(kind) = new_kind(&entry) {
            let path = entry.rela_path.strip_suffix(b"/").unwrap_or(&entry.rela_path).as_bstr();
            if self.scope.contains(path) {
                self.files.push(NewFile { path: path.to_owned(), kind });
            }
        }
        ControlFlow::Continue(())
    }

    fn can_recurse(&mut self, entry: EntryRef<'_>, deletion: Option<ForDeletionMode>, is_root: bool) -> bool {
        // Asked for every folder, so this is where the time is looked at; the walk itself sees the flag only.
        !self.interrupt.is_raised()
            && entry.status.can_recurse(entry.disk_kind, entry.pathspec_match, deletion, is_root)
    }
}

fn new_kind(entry: &EntryRef<'_>) -> Option<NewKind> {
    if entry.status != Status::Untracked {
        return None;
    }
    match entry.disk_kind? {
        Kind::File => Some(NewKind::File),
        Kind::Symlink => Some(NewKind::Link),
        Kind::Repository => Some(NewKind::Repository),
        Kind::Directory | Kind::Untrackable => None,
    }
}

//! Three looks become one list: for each path what it was, what it is, and how much of that is staged.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::index::State;
use gix::index::entry::{Flags, Mode};
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;

use super::tracked::{Now, TrackedFile};
use super::untracked::{NewFile, NewKind};
use super::{Base, Change, Content, Difference, Side};
use crate::GitError;
use crate::clean::Cleaner;
use crate::disk::mode_at;
use crate::filters::Filters;
use crate::repository::Workspace;

type Version = (Mode, ObjectId);

/// What the looks have found out about one path.
#[derive(Default)]
struct Facts {
    /// The base's and the index's version, where they differ.
    staged: Option<(Option<Version>, Option<Version>)>,
    tracked: Option<TrackedFile>,
    new: Option<NewKind>,
}

/// Merges the looks; the result is sorted by path.
pub(super) fn merge(
    workspace: &Workspace,
    base: Base,
    tracked: Vec<TrackedFile>,
    untracked: Vec<NewFile>,
    staged: Vec<Difference>,
    filters: &Filters,
) -> Result<Vec<Change>, GitError> {
    let mut facts: BTreeMap<BString, Facts> = BTreeMap::new();
    for difference in staged {
        facts.entry(difference.path).or_default().staged = Some((difference.old, difference.new));
    }
    for file in tracked {
        let path = file.path.clone();
        facts.entry(path).or_default().tracked = Some(file);
    }
    // In a folder without git a repository inside is followed as a project of its own or not at all.
    let inside = |file: &NewFile| base == Base::Index && file.kind == NewKind::Repository;
    for file in untracked.into_iter().filter(|file| !inside(file)) {
        facts.entry(file.path).or_default().new = Some(file.kind);
    }
    let mut merger =
        Merger { workspace, base, filters, fs: workspace.repo.filesystem_options()?, changes: Vec::new() };
    for (path, facts) in facts {
        merger.path(path, facts)?;
    }
    Ok(merger.changes)
}

/// A difference between two commits as a change.
pub(super) fn between_commits(difference: Difference) -> Change {
    let (old, new) = (difference.old.map(Side::stored), difference.new.map(Side::stored));
    let status = kind_of_change(old.as_ref(), new.as_ref());
    Change { path: difference.path, old_path: None, status, old, new, untracked: false, staged: false }
}

struct Merger<'a> {
    workspace: &'a Workspace,
    base: Base,
    filters: &'a Filters,
    fs: gix::fs::Capabilities,
    changes: Vec<Change>,
}

impl Merger<'_> {
    fn path(&mut self, path: BString, facts: Facts) -> Result<(), GitError> {
        let staged = facts.staged.is_some() && matches!(self.base, Base::Head(_));
        let (before, indexed) = match (facts.staged, &facts.tracked) {
            (Some((before, indexed)), _) => (before, indexed),
            (None, Some(file)) if !self.is_announced(path.as_ref()) => (Some(file.index), Some(file.index)),
            (None, _) => (None, None),
        };
        if let Some(TrackedFile { now: Now::Conflict { on_disk, versions }, .. }) = facts.tracked {
            self.changes.push(self.conflict(path, on_disk, versions));
            return Ok(());
        }
        let old = before.map(Side::stored);
        let (new, untracked) = match (facts.tracked, facts.new) {
            (Some(file), _) => (self.present(&file), false),
            (None, Some(kind)) => (Some(self.untracked(path.as_ref(), kind, before)), true),
            (None, None) => (indexed.map(Side::stored), false),
        };
        let removed_from_index = untracked && before.is_some();
        // Only announced and gone again: the index still has it, so it is told.
        let only_in_index =
            !untracked && new.is_none() && old.is_none() && matches!(self.base, Base::Head(_));
        if !staged && !only_in_index && self.is_same(path.as_ref(), old.as_ref(), new.as_ref())? {
            return Ok(());
        }
        let status = match (removed_from_index && staged, &old, &new) {
            // Committed now, it would be gone, whatever lies on the disk.
            (true, _, _) | (false, None, None) => ChangeStatus::Deleted,
            (false, old, new) => kind_of_change(old.as_ref(), new.as_ref()),
        };
        let untracked = untracked && self.base != Base::Index;
        self.changes.push(Change { path, old_path: None, status, old, new, untracked, staged });
        Ok(())
    }

    fn is_announced(&self, path: &BStr) -> bool {
        let index: &State = &self.workspace.index;
        index.entry_by_path(path).is_some_and(|entry| entry.flags.contains(Flags::INTENT_TO_ADD))
    }

    /// A tracked file as it is on the disk.
    fn present(&self, file: &TrackedFile) -> Option<Side> {
        let (mode, content) = match file.now {
            Now::Gone | Now::Conflict { .. } => return None,
            Now::Changed(mode) | Now::Announced(mode) => (mode, Content::OnDisk),
            Now::Special => (Mode::FILE, Content::Special),
            Now::Submodule { commit, dirty } => (Mode::COMMIT, Content::Submodule { commit, dirty }),
        };
        Some(Side { mode, content })
    }

    /// A new file. Its mode matters only where there is another version to compare it with.
    fn untracked(&self, path: &BStr, kind: NewKind, before: Option<Version>) -> Side {
        let mode = match kind {
            NewKind::Repository => return Side { mode: Mode::COMMIT, content: Content::NestedRepository },
            NewKind::Link => Mode::SYMLINK,
            NewKind::File if before.is_none() => Mode::FILE,
            NewKind::File => mode_at(&self.workspace.top, path, &self.fs),
        };
        Side { mode, content: Content::OnDisk }
    }

    fn conflict(&self, path: BString, on_disk: bool, versions: [Option<Version>; 3]) -> Change {
        let [base, ours, theirs] = versions;
        let old = ours.or(base).map(Side::stored);
        let mode = ours.or(theirs).or(base).map_or(Mode::FILE, |(mode, _)| mode);
        let new = on_disk.then_some(Side { mode, content: Content::OnDisk });
        let status = ChangeStatus::Conflicted;
        Change { path, old_path: None, status, old, new, untracked: false, staged: false }
    }

    /// Whether nothing has changed after all: what was staged on top of another commit may have been undone on disk.
    fn is_same(&self, path: &BStr, old: Option<&Side>, new: Option<&Side>) -> Result<bool, GitError> {
        let (Some(old), Some(new)) = (old, new) else { return Ok(old.is_none() && new.is_none()) };
        if old.mode != new.mode {
            return Ok(false);
        }
        match (old.content, new.content) {
            (Content::Stored(old), Content::OnDisk) if matches!(self.base, Base::Tree(_)) => {
                let index: &State = &self.workspace.index;
                // Where the index has the same version, the look at the disk has compared it already.
                if index.entry_by_path(path).is_some_and(|entry| entry.id == old) {
                    return Ok(false);
                }
                let Some(file) = self.workspace.on_disk(path) else { return Ok(false) };
                let mut cleaner = Cleaner::new(&self.workspace.repo, index, self.filters)?;
                Ok(matches!(cleaner.id(path, &file, new.mode == Mode::SYMLINK), Ok(Ok(id)) if id == old))
            }
            (old, new) => Ok(old == new),
        }
    }
}

fn kind_of_change(old: Option<&Side>, new: Option<&Side>) -> ChangeStatus {
    match (old, new) {
        (None, _) => ChangeStatus::Added,
        (_, None) => ChangeStatus::Deleted,
        (Some(old), Some(new)) if old.kind() != new.kind() || new.content == Content::Special => {
            ChangeStatus::TypeChanged
        }
        _ => ChangeStatus::Modified,
    }
}

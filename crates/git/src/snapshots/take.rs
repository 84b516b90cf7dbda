//! Taking a snapshot: what differs from a tree that exists anyway, put on top of it.

use std::collections::HashMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat};
use gix::objs::tree::EntryKind;
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;

use super::record::{LeftOut, WhyLeftOut};
use super::vault::{Keep, Vault, Writer};
use crate::changes::Kind;
use crate::clean::{Cleaned, Cleaner};
use crate::disk::Disk;
use crate::filters::Filters;
use crate::names;
use crate::repository::Workspace;
use crate::scope::Scope;
use crate::status::{self, Base, Change, Content};
use crate::summary::has_conflict_markers;
use crate::{GitError, Interrupt};

/// Largest file that is kept, in bytes.
pub(super) const MAX_FILE: u64 = webcodex_contracts::limits::MAX_SNAPSHOT_FILE_BYTES;
/// New contents in one snapshot, in bytes.
const MAX_NEW: u64 = 256 * 1024 * 1024;
/// Files remembered with their id, so that they are not read again.
const MAX_KNOWN: usize = 100_000;
/// Changes of a snapshot whose tree is remembered with them.
const MAX_ON_TOP: usize = 4096;
/// Most files named as in conflict.
const MAX_CONFLICTED: usize = 200;
/// Largest file looked through for conflict markers, in bytes.
const MAX_MARKED: usize = 2 * 1024 * 1024;

/// The state of a project as one tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) tree: ObjectId,
    /// What the tree lacks; in it stands only a mark.
    pub(super) left_out: Vec<LeftOut>,
    /// Files in conflict, and while an operation is unfinished also those in which markers are left.
    pub(super) conflicted: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// What earlier looks have found out.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Changed files that were read before, with the stat they had then.
    files: HashMap<BString, Read>,
    tree: Option<OnTop>,
}

/// The tree that was made last, with what it was made from.
#[derive(Debug)]
struct OnTop {
    base: ObjectId,
    entries: Vec<(BString, Entry)>,
    tree: ObjectId,
}

#[derive(Debug, Clone)]
struct Read {
    stat: Stat,
    mode: Mode,
    id: ObjectId,
    /// Whether conflict markers are left in it.
    marked: bool,
}

/// The tree that changes of this kind of project are counted from.
pub(super) fn base_tree(
    workspace: &Workspace,
    kind: &Kind,
    first_look: Option<ObjectId>,
) -> Result<ObjectId, GitError> {
    let head = match kind {
        Kind::Repository => status::head_tree(&workspace.repo)?,
        Kind::Baseline(_) => first_look,
    };
    Ok(head.unwrap_or_else(|| workspace.repo.empty_tree().id))
}

/// Takes a snapshot of the project into `vault`. Nothing outside of it is written.
pub(super) fn take(
    workspace: &Workspace,
    kind: &Kind,
    base: ObjectId,
    vault: &Vault,
    known: &mut Known,
    interrupt: &Interrupt,
) -> Result<Taken, GitError> {
    let scope = Scope::new(workspace.prefix.as_ref(), &[]);
    let filters = Filters::of(workspace, interrupt);
    let compared = match kind {
        Kind::Repository => Base::Head(Some(base).filter(|base| *base != workspace.repo.empty_tree().id)),
        Kind::Baseline(_) => Base::Index,
    };
    let changes = status::without_renames(workspace, &scope, compared, &filters, interrupt)?;
    if changes.list.is_empty() {
        let (left_out, conflicted) = (Vec::new(), Vec::new());
        return Ok(Taken { tree: base, left_out, conflicted, notes: changes.notes });
    }
    let writer = vault.writer(Keep::Missing)?;
    let mut taking = Taking {
        workspace,
        cleaner: Cleaner::new(&workspace.repo, &workspace.index, &filters)?,
        disk: Disk::new(&workspace.top),
        fs: workspace.repo.filesystem_options()?,
        scope: &scope,
        writer,
        files: &mut known.files,
        left_out: Vec::new(),
        marked: Vec::new(),
    };
    let mut entries = Vec::with_capacity(changes.list.len());
    for change in &changes.list {
        interrupt.check()?;
        if let Some(entry) = taking.entry(change)? {
            entries.push((change.path.as_bstr(), entry));
        }
    }
    let Taking { mut writer, left_out, marked, .. } = taking;
    writer.finish().map_err(crate::error::io_at(vault.top()))?;
    let tree = known.tree(&writer.repo, base, &entries)?;
    let conflicted = conflicted(workspace, &scope, &changes.list, marked);
    Ok(Taken { tree, left_out, conflicted, notes: changes.notes })
}

/// Markers count only where something is unfinished: otherwise they may be anybody's text.
fn conflicted(workspace: &Workspace, scope: &Scope, changes: &[Change], marked: Vec<BString>) -> Vec<String> {
    let mut paths: Vec<BString> = changes
        .iter()
        .filter(|change| change.status == ChangeStatus::Conflicted)
        .map(|change| change.path.clone())
        .collect();
    if !paths.is_empty() || workspace.repo.state().is_some() {
        paths.extend(marked);
    }
    paths.sort();
    paths.dedup();
    paths.truncate(MAX_CONFLICTED);
    paths.iter().filter_map(|path| scope.in_project(path.as_bstr()).map(names::text)).collect()
}

/// What stands at a path in the new tree; `None` for nothing.
type Entry = Option<(Mode, ObjectId)>;

fn put_on_top(
    repo: &gix::Repository,
    base: ObjectId,
    entries: &[(&BStr, Entry)],
) -> Result<ObjectId, GitError> {
    let mut editor = match base == repo.empty_tree().id {
        true => repo.empty_tree().edit()?,
        false => repo.find_tree(base)?.edit()?,
    };
    // A file may become a folder and the other way round, so what goes has to go first.
    for (path, _) in entries.iter().filter(|(_, entry)| entry.is_none()) {
        editor.remove(*path)?;
    }
    for (path, entry) in entries {
        if let Some((mode, id)) = entry {
            let kind = mode.to_tree_entry_mode().map_or(EntryKind::Blob, |mode| mode.kind());
            editor.upsert(*path, kind, *id)?;
        }
    }
    Ok(editor.write()?.detach())
}

struct Taking<'a> {
    workspace: &'a Workspace,
    cleaner: Cleaner<'a>,
    disk: Disk,
    fs: gix::fs::Capabilities,
    scope: &'a Scope,
    writer: Writer,
    files: &'a mut HashMap<BString, Read>,
    left_out: Vec<LeftOut>,
    /// Files with conflict markers.
    marked: Vec<BString>,
}

impl Taking<'_> {
    /// What stands at the path of a change; `None` where the tree stays as it is.
    fn entry(&mut self, change: &Change) -> Result<Option<Entry>, GitError> {
        let Some(side) = &change.new else { return Ok(Some(None)) };
        Ok(match side.content {
            Content::Stored(id) => Some(Some((side.mode, id))),
            Content::Submodule { commit, .. } => Some(Some((Mode::COMMIT, commit))),
            // A repository of its own, which is no part of this project.
            Content::NestedRepository => None,
            Content::Special => Some(Some(self.mark(change.path.as_ref(), WhyLeftOut::Special, 0)?)),
            Content::OnDisk => self.on_disk(change.path.as_ref())?,
        })
    }

    fn on_disk(&mut self, path: &BStr) -> Result<Option<Entry>, GitError> {
        let found = match self.disk.look(path) {
            Ok(Some(found)) if !found.is_folder() => found,
            // Gone since the list was made.
            Ok(_) => return Ok(Some(None)),
            Err(_) => return Ok(Some(Some(self.mark(path, WhyLeftOut::Unreadable, 0)?))),
        };
        let (stat, mode) = (found.stat(), found.mode(&self.fs));
        if let Some(read) = self.files.get(path).filter(|read| read.stat == stat && read.mode == mode) {
            if read.marked {
                self.marked.push(path.to_owned());
            }
            return Ok(Some(Some((mode, read.id))));
        }
        let size = found.len();
        if size > MAX_FILE || self.writer.total() > MAX_NEW {
            return Ok(Some(Some(self.mark(path, WhyLeftOut::TooLarge, size)?)));
        }
        let Some(file) = self.workspace.on_disk(path) else {
            return Ok(Some(Some(self.mark(path, WhyLeftOut::Unreadable, size)?)));
        };
        let now = status::seconds_now();
        let content = match self.cleaner.read(path, &file, found.is_link(), MAX_FILE) {
            Ok(Cleaned::Bytes(content)) => content,
            Ok(Cleaned::TooLarge) => return Ok(Some(Some(self.mark(path, WhyLeftOut::TooLarge, size)?))),
            Ok(Cleaned::Unfiltered(_)) => {
                return Ok(Some(Some(self.mark(path, WhyLeftOut::Unfiltered, size)?)));
            }
            Err(error) if crate::disk::is_absent(&error) => return Ok(Some(None)),
            Err(_) => return Ok(Some(Some(self.mark(path, WhyLeftOut::Unreadable, size)?))),
        };
        let marked = content.len() <= MAX_MARKED && has_conflict_markers(&content);
        if marked {
            self.marked.push(path.to_owned());
        }
        let id = self.writer.put(content).map_err(crate::error::io_at(&file))?;
        if status::is_settled(&stat, now) {
            if self.files.len() >= MAX_KNOWN {
                self.files.clear();
            }
            self.files.insert(path.to_owned(), Read { stat, mode, id, marked });
        }
        Ok(Some(Some((mode, id))))
    }

    /// Stands for a content that is not kept. It changes when size or time do, so that the change is seen.
    fn mark(&mut self, path: &BStr, why: WhyLeftOut, size: u64) -> Result<(Mode, ObjectId), GitError> {
        let times = self.disk.look(path).ok().flatten().map(|found| found.stat().mtime);
        let times = times.map(|time| (time.secs, time.nsecs)).unwrap_or_default();
        let mark = format!("not kept by the snapshot: {} {size} {times:?}\n", names::text(path));
        let id = self.writer.put(mark.into_bytes()).map_err(crate::error::io_at(&self.workspace.top))?;
        let shown = self.scope.in_project(path).unwrap_or(path);
        self.left_out.push(LeftOut { path: names::text(shown), why, size_bytes: size, mark: id.to_string() });
        Ok((Mode::FILE, id))
    }
}

impl Known {
    /// The tree with `entries` on top of `base`: the last one where it was made from the same.
    fn tree(
        &mut self,
        repo: &gix::Repository,
        base: ObjectId,
        entries: &[(&BStr, Entry)],
    ) -> Result<ObjectId, GitError> {
        let same = |last: &&OnTop| {
            last.base == base
                && last.entries.len() == entries.len()
                && last
                    .entries
                    .iter()
                    .zip(entries)
                    .all(|((path, entry), new)| (path.as_bstr(), *entry) == *new)
        };
        // It may have been borrowed from where it is gone by now.
        if let Some(last) = self.tree.as_ref().filter(same)
            && repo.has_object(last.tree)
        {
            return Ok(last.tree);
        }
        let tree = put_on_top(repo, base, entries)?;
        self.tree = (entries.len() <= MAX_ON_TOP).then(|| OnTop {
            base,
            entries: entries.iter().map(|(path, entry)| ((*path).to_owned(), *entry)).collect(),
            tree,
        });
        Ok(tree)
    }
}

//! A file that is gone and a new one like it are one file that was renamed, whatever of it is staged.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Mode;
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;

use super::{Change, Changes, Content, Side};
use crate::content::{Contents, Which};
use crate::disk::mode_at;
use crate::filters::Filters;
use crate::names::base_name;
use crate::repository::Workspace;
use crate::similar::{Fingerprint, similarity};
use crate::{GitError, Interrupt};

/// Files of this many bytes or more are renames only if nothing in them changed.
const MAX_COMPARED: u64 = 1024 * 1024;
/// Most pairs whose content is compared.
const MAX_PAIRS: usize = 200_000;
/// Most bytes read in order to compare.
const MAX_READ: u64 = 64 * 1024 * 1024;
/// From this likeness on, in percent, two files are one.
const SIMILAR_ENOUGH: u32 = 50;

/// Joins what was renamed; the list stays sorted by the new paths.
pub(super) fn join(
    workspace: &Workspace,
    filters: &Filters,
    interrupt: &Interrupt,
    changes: &mut Changes,
) -> Result<(), GitError> {
    let gone = places(&changes.list, |change| (change.old.as_ref(), change.new.is_none()));
    let new = places(&changes.list, |change| (change.new.as_ref(), change.old.is_none()));
    if gone.is_empty() || new.is_empty() {
        return Ok(());
    }
    let mut search = Search {
        list: &changes.list,
        contents: Contents::new(workspace, filters),
        interrupt,
        read: 0,
        pairs: Pairs::default(),
    };
    search.exact(&gone, &new)?;
    let extent = search.similar(&gone, &new)?;
    let pairs = search.pairs.list;
    if extent == Extent::Cut {
        changes
            .notes
            .push("too many files came and went to look for renames with changes in them".to_owned());
    }
    merge(workspace, &mut changes.list, pairs)
}

/// The places of changes whose one side is a file or link and whose other side is missing.
fn places(list: &[Change], sides: impl Fn(&Change) -> (Option<&Side>, bool)) -> Vec<usize> {
    let eligible = |change: &Change| {
        let (side, alone) = sides(change);
        change.status != ChangeStatus::Conflicted && alone && side.is_some_and(Side::is_file)
    };
    (0..list.len()).filter(|at| eligible(&list[*at])).collect()
}

/// The deleted entry of a pair goes, the added one becomes a rename.
fn merge(workspace: &Workspace, list: &mut Vec<Change>, pairs: Vec<(usize, usize)>) -> Result<(), GitError> {
    let fs = workspace.repo.filesystem_options()?;
    let mut merged = HashSet::new();
    for (gone, new) in pairs {
        let (old, old_path, staged) = (list[gone].old.take(), list[gone].path.clone(), list[gone].staged);
        let change = &mut list[new];
        change.old = old;
        change.old_path = Some(old_path);
        change.status = ChangeStatus::Renamed;
        change.staged |= staged;
        if let Some(new) = change.new.as_mut().filter(|new| change.untracked && new.mode == Mode::FILE) {
            new.mode = mode_at(&workspace.top, change.path.as_ref(), &fs);
        }
        merged.insert(gone);
    }
    let mut places = 0..;
    list.retain(|_| places.next().is_none_or(|at| !merged.contains(&at)));
    Ok(())
}

/// Whether every pair was considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Cut,
}

/// Places of a gone and a new file that are one.
#[derive(Default)]
struct Pairs {
    list: Vec<(usize, usize)>,
    gone: HashSet<usize>,
    new: HashSet<usize>,
}

impl Pairs {
    fn add(&mut self, gone: usize, new: usize) {
        self.list.push((gone, new));
        self.gone.insert(gone);
        self.new.insert(new);
    }
}

struct Search<'a> {
    list: &'a [Change],
    contents: Contents<'a>,
    interrupt: &'a Interrupt,
    read: u64,
    pairs: Pairs,
}

impl<'a> Search<'a> {
    /// Pairs files with the very same content; among several, the one that kept its name.
    fn exact(&mut self, gone: &[usize], new: &[usize]) -> Result<(), GitError> {
        let mut by_id: HashMap<ObjectId, Vec<usize>> = HashMap::new();
        for at in gone {
            if let Some(Content::Stored(id)) = self.list[*at].old.as_ref().map(|old| old.content) {
                by_id.entry(id).or_default().push(*at);
            }
        }
        let sizes: Vec<u64> = by_id.keys().filter_map(|id| self.contents.stored_size(*id)).collect();
        let mut ids = Vec::new();
        for at in new {
            self.interrupt.check()?;
            ids.extend(self.new_id(*at, &sizes)?.map(|id| (*at, id)));
        }
        for keeps_name in [true, false] {
            for (at, id) in &ids {
                let candidates = by_id.get(id).map(Vec::as_slice).unwrap_or_default();
                let free = |gone: &&usize| !self.pairs.gone.contains(gone) && !self.pairs.new.contains(at);
                let fits = |gone: &&usize| {
                    self.same_kind(**gone, *at) && (!keeps_name || self.keeps_name(**gone, *at))
                };
                if let Some(gone) = candidates.iter().filter(free).find(fits).copied() {
                    self.pairs.add(gone, *at);
                }
            }
        }
        Ok(())
    }

    /// The id of a new file; `None` where its size alone rules out that it is one of the gone ones.
    fn new_id(&mut self, at: usize, sizes: &[u64]) -> Result<Option<ObjectId>, GitError> {
        match self.list[at].new.as_ref().map(|side| side.content) {
            Some(Content::Stored(id)) => Ok(Some(id)),
            Some(Content::OnDisk) => self.contents.id_if_size(&self.list[at], sizes),
            _ => Ok(None),
        }
    }

    /// Pairs files whose content is alike, the most similar first.
    fn similar(&mut self, gone: &[usize], new: &[usize]) -> Result<Extent, GitError> {
        let gone: Vec<usize> = gone.iter().filter(|at| !self.pairs.gone.contains(at)).copied().collect();
        let new: Vec<usize> = new.iter().filter(|at| !self.pairs.new.contains(at)).copied().collect();
        if gone.is_empty() || new.is_empty() {
            return Ok(Extent::Whole);
        }
        if gone.len().saturating_mul(new.len()) > MAX_PAIRS {
            return Ok(Extent::Cut);
        }
        let mut old_prints = Vec::new();
        for at in gone {
            old_prints.extend(self.print(at, Which::Old)?.map(|print| (at, print)));
        }
        let mut scored = Vec::new();
        for at in new {
            self.interrupt.check()?;
            let size = self.contents.size(&self.list[at], Which::New).unwrap_or(0);
            if !old_prints.iter().any(|(_, print)| print.may_be_like(size)) {
                continue;
            }
            let Some(print) = self.print(at, Which::New)? else { continue };
            let alike = old_prints.iter().map(|(gone, old)| (similarity(old, &print), *gone, at));
            scored.extend(
                alike.filter(|(likeness, gone, new)| {
                    *likeness >= SIMILAR_ENOUGH && self.same_kind(*gone, *new)
                }),
            );
        }
        self.take_best(scored);
        Ok(if self.read >= MAX_READ { Extent::Cut } else { Extent::Whole })
    }

    fn take_best(&mut self, mut scored: Vec<(u32, usize, usize)>) {
        scored.sort_by_key(|(likeness, gone, new)| {
            (Reverse((*likeness, self.keeps_name(*gone, *new))), *gone, *new)
        });
        for (_, gone, new) in scored {
            if !self.pairs.gone.contains(&gone) && !self.pairs.new.contains(&new) {
                self.pairs.add(gone, new);
            }
        }
    }

    fn keeps_name(&self, gone: usize, new: usize) -> bool {
        let name = |at: usize| -> &BStr { base_name(self.list[at].path.as_bstr()) };
        name(gone) == name(new)
    }

    /// A link is never a renamed file.
    fn same_kind(&self, gone: usize, new: usize) -> bool {
        let kind = |side: Option<&Side>| side.map(Side::kind);
        kind(self.list[gone].old.as_ref()) == kind(self.list[new].new.as_ref())
    }

    fn print(&mut self, at: usize, which: Which) -> Result<Option<Fingerprint>, GitError> {
        let change = &self.list[at];
        let size = self.contents.size(change, which).unwrap_or(0);
        if size == 0 || size >= MAX_COMPARED || self.read >= MAX_READ {
            return Ok(None);
        }
        self.read += size;
        let bytes = self.contents.bytes(change, which, MAX_COMPARED)?;
        Ok(bytes.map(|bytes| Fingerprint::of(&bytes)))
    }
}

//! A commit's tree against the index: what is staged.

use std::cmp::Ordering;
use std::ops::Range;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode};
use gix::index::extension::Tree as CachedTree;

use super::Difference;
use crate::scope::Scope;
use crate::{GitError, Interrupt, trees};

/// What differs between a tree (`None`: an empty one) and the index, sorted by path. Paths in conflict are left out.
pub(super) fn compare(
    repo: &gix::Repository,
    index: &State,
    tree: Option<ObjectId>,
    scope: &Scope,
    interrupt: &Interrupt,
) -> Result<Vec<Difference>, GitError> {
    let mut walk = Walk { repo, index, scope, interrupt, found: Vec::new(), path: BString::default() };
    walk.folder(tree, 0..index.entries().len(), index.tree())?;
    Ok(walk.found)
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    index: &'a State,
    scope: &'a Scope,
    interrupt: &'a Interrupt,
    found: Vec<Difference>,
    /// The folder at hand, with a trailing slash; empty at the top.
    path: BString,
}

/// The entries of the index that share their next name.
struct Group {
    name: BString,
    folder: bool,
    entries: Range<usize>,
}

impl<'a> Walk<'a> {
    /// Compares one folder. Where the index remembers the tree it was made from, an equal tree needs no look inside.
    fn folder(
        &mut self,
        tree: Option<ObjectId>,
        entries: Range<usize>,
        cached: Option<&'a CachedTree>,
    ) -> Result<(), GitError> {
        self.interrupt.check()?;
        let known = cached.is_some_and(|cached| {
            cached.num_entries.is_some_and(|count| count as usize == entries.len()) && Some(cached.id) == tree
        });
        if known || !self.scope.reaches(self.path.strip_suffix(b"/").unwrap_or(&self.path).as_bstr()) {
            return Ok(());
        }
        let mut stored = trees::entries(self.repo, tree)?.into_iter().peekable();
        let mut rest = entries;
        loop {
            let group = self.next_group(&rest);
            let side = match (stored.peek(), &group) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(entry), Some(group)) => {
                    trees::order((entry.name.as_ref(), entry.is_tree()), (group.name.as_ref(), group.folder))
                }
            };
            let entry = if side.is_le() { stored.next() } else { None };
            let group = if side.is_ge() { group } else { None };
            if let Some(group) = &group {
                rest.start = group.entries.end;
            }
            self.pair(entry, group, cached)?;
        }
    }

    fn next_group(&self, rest: &Range<usize>) -> Option<Group> {
        let entries = self.index.entries().get(rest.clone())?;
        let first = entries.first()?.path(self.index);
        let tail = &first[self.path.len()..];
        let (length, folder) = match tail.find_byte(b'/') {
            Some(slash) => (slash, true),
            None => (tail.len(), false),
        };
        let whole = &first[..self.path.len() + length + usize::from(folder)];
        let same = |path: &BStr| if folder { path.starts_with(whole) } else { path == whole };
        let count = entries.partition_point(|entry| same(entry.path(self.index)));
        let name = tail[..length].as_bstr().to_owned();
        Some(Group { name, folder, entries: rest.start..rest.start + count })
    }

    /// A tree's entry and the index's entries of one name and kind, or one without its like.
    fn pair(
        &mut self,
        entry: Option<trees::Entry>,
        group: Option<Group>,
        cached: Option<&'a CachedTree>,
    ) -> Result<(), GitError> {
        let (name, folder) = match (&entry, &group) {
            (Some(entry), _) => (entry.name.clone(), entry.is_tree()),
            (None, Some(group)) => (group.name.clone(), group.folder),
            (None, None) => return Ok(()),
        };
        let length = self.path.len();
        self.path.extend_from_slice(&name);
        let stored = entry.map(|entry| (entry.mode, entry.id));
        if folder {
            self.path.push(b'/');
            let entries = group.map_or(0..0, |group| group.entries);
            let cached = cached.and_then(|cached| child(cached, name.as_ref()));
            self.subfolder(stored.map(|(_, id)| id), entries, cached)?;
        } else {
            self.file(stored, group);
        }
        self.path.truncate(length);
        Ok(())
    }

    fn subfolder(
        &mut self,
        tree: Option<ObjectId>,
        entries: Range<usize>,
        cached: Option<&'a CachedTree>,
    ) -> Result<(), GitError> {
        // A sparse index holds whole folders as one entry.
        let sparse = self.index.entries()[entries.clone()].first().filter(|entry| entry.mode.is_sparse());
        match sparse {
            Some(entry) => {
                let mut below = Vec::new();
                trees::compare_below(
                    self.repo,
                    self.path.as_ref(),
                    tree,
                    Some(entry.id),
                    self.scope,
                    self.interrupt,
                    &mut below,
                )?;
                self.found.extend(below);
                Ok(())
            }
            None => self.folder(tree, entries, cached),
        }
    }

    fn file(&mut self, stored: Option<(Mode, ObjectId)>, group: Option<Group>) {
        let entries = group.map(|group| &self.index.entries()[group.entries]).unwrap_or_default();
        if entries.iter().any(|entry| entry.stage_raw() != 0) || !self.scope.contains(self.path.as_ref()) {
            return;
        }
        // A file that is only announced is not in the index yet.
        let entry = entries.first().filter(|entry| !entry.flags.contains(Flags::INTENT_TO_ADD));
        let staged = entry.map(|entry| (entry.mode, entry.id));
        if stored != staged {
            self.found.push(Difference { path: self.path.clone(), old: stored, new: staged });
        }
    }
}

fn child<'a>(cached: &'a CachedTree, name: &BStr) -> Option<&'a CachedTree> {
    let at = cached.children.binary_search_by(|child| child.name.as_slice().cmp(name.as_bytes())).ok()?;
    cached.children.get(at)
}

//! What differs between two trees.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use gix::objs::tree::{EntryKind, EntryMode};

use crate::scope::Scope;
use crate::status::Difference;
use crate::{GitError, Interrupt};

/// Appends what differs between two trees, sorted by path; a tree that is `None` is empty.
pub(crate) fn compare(
    repo: &gix::Repository,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    scope: &Scope,
    interrupt: &Interrupt,
    found: &mut Vec<Difference>,
) -> Result<(), GitError> {
    compare_below(repo, BStr::new(""), old, new, scope, interrupt, found)
}

/// As [`compare`], for trees that stand at the folder `path` (empty or with a trailing slash).
pub(crate) fn compare_below(
    repo: &gix::Repository,
    path: &BStr,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    scope: &Scope,
    interrupt: &Interrupt,
    found: &mut Vec<Difference>,
) -> Result<(), GitError> {
    Walk { repo, scope, interrupt, found, path: path.to_owned() }.trees(old, new)
}

/// An entry of a tree, owned.
pub(crate) struct Entry {
    pub(crate) name: BString,
    pub(crate) mode: Mode,
    pub(crate) id: ObjectId,
}

impl Entry {
    pub(crate) fn is_tree(&self) -> bool {
        self.mode == Mode::DIR
    }
}

/// The entries of a tree in git's order; none for no tree.
pub(crate) fn entries(repo: &gix::Repository, tree: Option<ObjectId>) -> Result<Vec<Entry>, GitError> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    let tree = repo.find_tree(tree)?;
    let decoded = tree.decode()?;
    let entry = |entry: &gix::objs::tree::EntryRef<'_>| Entry {
        name: entry.filename.to_owned(),
        mode: mode(entry.mode),
        id: entry.oid.to_owned(),
    };
    Ok(decoded.entries.iter().map(entry).collect())
}

/// Old trees hold modes that differ in bits nobody reads any more.
fn mode(mode: EntryMode) -> Mode {
    match mode.kind() {
        EntryKind::Tree => Mode::DIR,
        EntryKind::Blob => Mode::FILE,
        EntryKind::BlobExecutable => Mode::FILE_EXECUTABLE,
        EntryKind::Link => Mode::SYMLINK,
        EntryKind::Commit => Mode::COMMIT,
    }
}

/// Git's order of names in a tree: a folder sorts as if its name ended in a slash.
pub(crate) fn order(a: (&BStr, bool), b: (&BStr, bool)) -> Ordering {
    let key = |(name, folder): (&BStr, bool), at: usize| {
        name.get(at).copied().or((folder && at == name.len()).then_some(b'/'))
    };
    let same = a.0.iter().zip(b.0.iter()).take_while(|(a, b)| a == b).count();
    (same..)
        .map(|at| (key(a, at), key(b, at)))
        .find(|(a, b)| a != b || a.is_none())
        .map_or(Ordering::Equal, |(a, b)| a.cmp(&b))
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    scope: &'a Scope,
    interrupt: &'a Interrupt,
    found: &'a mut Vec<Difference>,
    path: BString,
}

impl Walk<'_> {
    fn trees(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<(), GitError> {
        self.interrupt.check()?;
        if old == new || !self.scope.reaches(self.path.strip_suffix(b"/").unwrap_or(&self.path).as_bstr()) {
            return Ok(());
        }
        let (old, new) = (entries(self.repo, old)?, entries(self.repo, new)?);
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            let side = match (old.peek(), new.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => order((a.name.as_ref(), a.is_tree()), (b.name.as_ref(), b.is_tree())),
            };
            let a = if side.is_le() { old.next() } else { None };
            let b = if side.is_ge() { new.next() } else { None };
            self.pair(a, b)?;
        }
    }

    /// Two entries of one name and kind, or one without its like.
    fn pair(&mut self, old: Option<Entry>, new: Option<Entry>) -> Result<(), GitError> {
        let Some(entry) = old.as_ref().or(new.as_ref()) else { return Ok(()) };
        let length = self.path.len();
        self.path.extend_from_slice(&entry.name);
        if entry.is_tree() {
            self.path.push(b'/');
            self.trees(old.map(|old| old.id), new.map(|new| new.id))?;
        } else {
            let (old, new) = (old.map(|old| (old.mode, old.id)), new.map(|new| (new.mode, new.id)));
            if old != new && self.scope.contains(self.path.as_ref()) {
                self.found.push(Difference { path: self.path.clone(), old, new });
            }
        }
        self.path.truncate(length);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_sorts_as_if_it_ended_in_a_slash() {
        let order = |a, b| order((BStr::new(a), true), (BStr::new(b), false));
        assert_eq!(order("a", "a-b"), Ordering::Greater, "'/' comes after '-'");
        assert_eq!(order("a", "ab"), Ordering::Less);
        assert_eq!(order("a", "a.b"), Ordering::Greater);
        assert_eq!(order("a", "a"), Ordering::Greater, "a file comes before a folder of the same name");
        assert_eq!(super::order((BStr::new("x"), false), (BStr::new("x"), false)), Ordering::Equal);
    }
}

//! Files that git does not track and does not ignore, each by its name, also deep inside new folders.
//!
//! A folder that cannot be read, or that is gone by the time it is looked at, costs its own files only.

mod known;
mod listing;

use std::ops::Range;

use gix::bstr::{BStr, BString, ByteSlice};

pub(crate) use known::KnownFolders;

use self::known::Session;
use self::listing::{Lister, Listing};
use crate::disk::Disk;
use crate::repository::Site;
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

/// The outcome of one walk.
#[derive(Debug, Default)]
pub(crate) struct Untracked {
    /// Sorted by path.
    pub(crate) files: Vec<NewFile>,
    /// Folders that could not be read.
    pub(crate) unreadable: Vec<BString>,
}

/// A folder still to be looked at, and where its tracked files stand in the index.
struct Pending {
    path: BString,
    tracked: Range<usize>,
}

/// Walks the folders of the scope.
pub(crate) fn walk(
    site: &Site,
    repo: &gix::Repository,
    scope: &Scope,
    interrupt: &Interrupt,
) -> Result<Untracked, GitError> {
    let mut walk = Walk {
        scope,
        interrupt,
        lister: Lister::new(site, repo)?,
        session: site.known_folders.begin(site),
        found: Untracked::default(),
    };
    for root in scope.roots() {
        walk.root(site, root)?;
    }
    let Walk { session, mut found, .. } = walk;
    site.known_folders.end(session);
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

struct Walk<'a> {
    scope: &'a Scope,
    interrupt: &'a Interrupt,
    lister: Lister<'a>,
    session: Session,
    found: Untracked,
}

impl Walk<'_> {
    fn root(&mut self, site: &Site, root: &BStr) -> Result<(), GitError> {
        if root.is_empty() {
            let tracked = 0..site.index.entries().len();
            return self.below(Pending { path: BString::default(), tracked });
        }
        // What lies in a submodule or in another repository is not this one's.
        if ancestors(root).any(|folder| self.lister.belongs_to_another(folder)) {
            return Ok(());
        }
        match Disk::new(&site.top).look(root) {
            Ok(Some(found)) if found.is_folder() => match self.lister.tracked_below(root) {
                Some(tracked) => self.below(Pending { path: root.to_owned(), tracked }),
                None => Ok(()),
            },
            Ok(Some(found)) if found.is_file() || found.is_link() => {
                let kind = if found.is_link() { NewKind::Link } else { NewKind::File };
                if self.lister.is_new_file(root) {
                    self.found.files.push(NewFile { path: root.to_owned(), kind });
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Looks at a folder and at all below it.
    fn below(&mut self, first: Pending) -> Result<(), GitError> {
        let mut pending = vec![first];
        while let Some(Pending { path, tracked }) = pending.pop() {
            self.interrupt.check()?;
            match self.session.listing(&path, |seen| self.lister.list(path.as_bstr(), &tracked, seen)) {
                Ok(listing) => take(&path, listing, self.scope, &mut self.found, &mut |name| {
                    let path = join(&path, name);
                    let tracked = self.lister.tracked_below_in(path.as_bstr(), &tracked);
                    pending.extend(tracked.map(|tracked| Pending { path, tracked }));
                }),
                Err(error) if crate::disk::is_absent(&error) => {}
                Err(_) => self.found.unreadable.push(path),
            }
        }
        Ok(())
    }
}

/// Adds what a folder holds to the outcome and names the folders in it.
fn take(
    path: &BString,
    listing: &Listing,
    scope: &Scope,
    found: &mut Untracked,
    folder: &mut dyn FnMut(&BStr),
) {
    let mut add = |path: BString, kind: NewKind| {
        if scope.contains(path.as_bstr()) {
            found.files.push(NewFile { path, kind });
        }
    };
    match listing {
        Listing::Repository => add(path.clone(), NewKind::Repository),
        Listing::Folder { files, folders } => {
            files.iter().for_each(|(name, kind)| add(join(path, name.as_bstr()), *kind));
            folders.iter().for_each(|name| folder(name.as_bstr()));
        }
    }
}

fn join(folder: &BString, name: &BStr) -> BString {
    let mut path = BString::from(Vec::with_capacity(folder.len() + 1 + name.len()));
    if !folder.is_empty() {
        path.extend_from_slice(folder);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

/// The folders above a path, outermost first; not the top.
fn ancestors(path: &BStr) -> impl Iterator<Item = &BStr> {
    path.find_iter("/").map(|slash| path[..slash].as_bstr())
}

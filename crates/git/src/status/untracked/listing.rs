//! One folder: which of the names in it are new.

use std::io;
use std::ops::Range;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use gix::index::{AccelerateLookup, Entry, State};
use gix::worktree::stack::state::ignore::Source;

use super::{NewKind, join};
use crate::GitError;
use crate::repository::Site;

/// What is new in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Listing {
    /// The folder is a repository of its own.
    Repository,
    /// An ordinary folder.
    Folder {
        /// New files and links, by name.
        files: Vec<(BString, NewKind)>,
        /// Folders to look into.
        folders: Vec<BString>,
    },
}

/// Lists folders and tells what in them is tracked or ignored.
pub(super) struct Lister<'a> {
    site: &'a Site,
    index: &'a State,
    excludes: gix::AttributeStack<'a>,
    precompose: bool,
    /// For file systems on which `a` and `A` are one file.
    any_case: Option<AccelerateLookup<'a>>,
}

/// The name of files that say what is ignored.
const IGNORE_FILE: &str = ".gitignore";

impl<'a> Lister<'a> {
    pub(super) fn new(site: &'a Site, repo: &'a gix::Repository) -> Result<Self, GitError> {
        let index: &State = &site.index;
        let fs = repo.filesystem_options()?;
        let excludes = repo.excludes(index, None, Source::WorktreeThenIdMappingIfNotSkipped)?;
        let any_case = fs.ignore_case.then(|| index.prepare_icase_backing());
        Ok(Self { site, index, excludes, precompose: fs.precompose_unicode, any_case })
    }

    /// What is new in the folder `path`, whose tracked files are `tracked`. Tells `seen` of each file in it that says
    /// what is ignored, before it counts.
    pub(super) fn list(
        &mut self,
        path: &BStr,
        tracked: &Range<usize>,
        seen: &mut dyn FnMut(BString),
    ) -> io::Result<Listing> {
        let names = self.names(path)?;
        if names.iter().any(|(name, _)| name == IGNORE_FILE) {
            seen(join(&path.to_owned(), IGNORE_FILE.into()));
        }
        let has_git = names.iter().any(|(name, _)| is_dot_git(name.as_bstr()));
        if has_git && !path.is_empty() && !self.has_tracked(path, tracked) && self.is_repository(path) {
            return Ok(Listing::Repository);
        }
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for (name, kind) in names {
            if is_dot_git(name.as_bstr()) {
                continue;
            }
            let path = join(&path.to_owned(), name.as_bstr());
            match kind {
                None if self.is_worth_entering(path.as_bstr(), tracked) => folders.push(name),
                Some(kind)
                    if !self.is_tracked(path.as_bstr(), tracked)
                        && !self.is_ignored(path.as_bstr(), Mode::FILE) =>
                {
                    files.push((name, kind));
                }
                _ => {}
            }
        }
        Ok(Listing::Folder { files, folders })
    }

    /// Names in a folder; a folder has no kind, and what is neither file, link nor folder is left out.
    fn names(&self, path: &BStr) -> io::Result<Vec<(BString, Option<NewKind>)>> {
        let folder = self.site.on_disk(path).ok_or(io::ErrorKind::InvalidFilename)?;
        let mut names = Vec::new();
        for entry in gix::fs::read_dir(&folder, self.precompose)? {
            let entry = entry?;
            let Ok(kind) = entry.file_type() else { continue };
            let kind = match kind {
                kind if kind.is_dir() => None,
                kind if kind.is_symlink() => Some(NewKind::Link),
                kind if kind.is_file() => Some(NewKind::File),
                _ => continue,
            };
            let Ok(name) = gix::path::os_str_into_bstr(&entry.file_name()).map(ToOwned::to_owned) else {
                continue;
            };
            names.push((name, kind));
        }
        Ok(names)
    }

    /// A folder with tracked files is always looked into; others unless they are ignored.
    fn is_worth_entering(&mut self, path: &BStr, tracked: &Range<usize>) -> bool {
        if self.site.git_folder_inside.as_ref().is_some_and(|git| git == path) {
            return false;
        }
        match self.tracked_below_in(path, tracked) {
            None => false,
            Some(below) => self.has_tracked(path, &below) || !self.is_ignored(path, Mode::DIR),
        }
    }

    /// Whether the file at `path` is new.
    pub(super) fn is_new_file(&mut self, path: &BStr) -> bool {
        let everywhere = 0..self.index.entries().len();
        !self.is_tracked(path, &everywhere) && !self.is_ignored(path, Mode::FILE)
    }

    /// Whether the folder is a submodule or a repository that git does not track.
    pub(super) fn belongs_to_another(&self, folder: &BStr) -> bool {
        match self.tracked_below(folder) {
            None => true,
            Some(below) => !self.has_tracked(folder, &below) && self.is_repository(folder),
        }
    }

    /// Where the tracked files below the folder stand; `None` for a submodule or a folder that is not checked out.
    pub(super) fn tracked_below(&self, folder: &BStr) -> Option<Range<usize>> {
        self.tracked_below_in(folder, &(0..self.index.entries().len()))
    }

    /// As [`Lister::tracked_below`], for a folder whose parent's files are known.
    pub(super) fn tracked_below_in(&self, folder: &BStr, parent: &Range<usize>) -> Option<Range<usize>> {
        if self.entry(folder, parent).is_some_and(|entry| entry.mode.is_submodule()) {
            return None;
        }
        let entries = &self.index.entries()[parent.clone()];
        let mut prefix = folder.to_owned();
        prefix.push(b'/');
        let start = entries.partition_point(|entry| entry.path(self.index) < prefix.as_bstr());
        let count = entries[start..].partition_point(|entry| entry.path(self.index).starts_with(&prefix));
        let below = parent.start + start..parent.start + start + count;
        let sparse = entries[start..start + count].first().is_some_and(|entry| entry.mode.is_sparse());
        (!sparse).then_some(below)
    }

    fn has_tracked(&self, folder: &BStr, below: &Range<usize>) -> bool {
        match &self.any_case {
            Some(lookup) => {
                self.index.entry_closest_to_directory_or_directory_icase(folder, true, lookup).is_some()
            }
            None => !below.is_empty(),
        }
    }

    fn is_tracked(&self, path: &BStr, parent: &Range<usize>) -> bool {
        self.entry(path, parent).is_some()
    }

    fn entry(&self, path: &BStr, parent: &Range<usize>) -> Option<&Entry> {
        if let Some(lookup) = &self.any_case {
            return self.index.entry_by_path_icase(path, true, lookup);
        }
        let entries = &self.index.entries()[parent.clone()];
        let at = entries.binary_search_by(|entry| entry.path(self.index).cmp(path)).ok()?;
        entries.get(at)
    }

    /// Ignore files that cannot be read ignore nothing.
    fn is_ignored(&mut self, path: &BStr, mode: Mode) -> bool {
        self.excludes.at_entry(path, Some(mode)).is_ok_and(|place| place.is_excluded())
    }

    fn is_repository(&self, folder: &BStr) -> bool {
        self.site.on_disk(folder).is_some_and(|folder| gix::discover::is_git(&folder.join(".git")).is_ok())
    }
}

fn is_dot_git(name: &BStr) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

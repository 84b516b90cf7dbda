//! What lies at a path of the working tree, without ever going through a link.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat, mode};
use gix::index::fs::Metadata;

#[cfg(unix)]
use unix::Listing;
#[cfg(windows)]
use windows::Listing;

use crate::names::parent;

/// A file, link or folder on the disk.
pub(crate) struct OnDisk {
    metadata: Metadata,
}

impl OnDisk {
    pub(crate) fn is_folder(&self) -> bool {
        self.metadata.is_dir()
    }

    pub(crate) fn is_link(&self) -> bool {
        self.metadata.is_symlink()
    }

    pub(crate) fn is_file(&self) -> bool {
        self.metadata.is_file()
    }

    pub(crate) fn len(&self) -> u64 {
        self.metadata.len()
    }

    /// What git remembers of a file in order to see that it is unchanged.
    pub(crate) fn stat(&self) -> Stat {
        Stat::from_fs(&self.metadata).unwrap_or_default()
    }

    /// How the mode differs from the one that git has, as far as the file system can tell.
    pub(crate) fn mode_change(&self, known: Mode, fs: &gix::fs::Capabilities) -> Option<mode::Change> {
        // An executable that is no file any more has changed its type and not only its bit.
        let known = if known == Mode::FILE_EXECUTABLE && !self.is_file() { Mode::FILE } else { known };
        known.change_to_match_fs(&self.metadata, fs.symlink, fs.executable_bit)
    }

    /// The mode a new file would get.
    pub(crate) fn mode(&self, fs: &gix::fs::Capabilities) -> Mode {
        if self.is_link() && fs.symlink {
            Mode::SYMLINK
        } else if fs.executable_bit && self.metadata.is_executable() {
            Mode::FILE_EXECUTABLE
        } else {
            Mode::FILE
        }
    }
}

/// Looks at many paths of one working tree, best in sorted order.
pub(crate) struct Disk {
    top: PathBuf,
    /// The folder that was looked at last, and whether it can hold tracked files.
    folder: BString,
    reachable: bool,
    listing: Listing,
}

impl Disk {
    pub(crate) fn new(top: &Path) -> Self {
        Self { top: top.to_owned(), folder: BString::default(), reachable: true, listing: Listing::default() }
    }

    /// What lies at `path`; `None` where nothing does, or only something behind a link.
    pub(crate) fn look(&mut self, path: &BStr) -> io::Result<Option<OnDisk>> {
        let folder = parent(path);
        if folder != self.folder {
            self.enter(folder);
        }
        if !self.reachable {
            return Ok(None);
        }
        let found = self.listing.metadata(&self.top, path);
        match found {
            Ok(metadata) => Ok(Some(OnDisk { metadata })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Checks the folders between the top and `folder` that were not checked for the folder before.
    fn enter(&mut self, folder: &BStr) {
        let same = common_folders(self.folder.as_ref(), folder);
        // Below a folder that cannot be reached nothing can; above it, it has to be looked at anew.
        let from = if self.reachable { same } else { 0 };
        let ends = folder.find_iter("/").chain(std::iter::once(folder.len()));
        self.reachable = folder.is_empty()
            || ends.filter(|end| *end > from).all(|end| self.is_folder(folder[..end].as_bstr()));
        self.folder = folder.to_owned();
    }

    fn is_folder(&self, path: &BStr) -> bool {
        let Ok(relative) = gix::path::from_bstr(path) else { return false };
        Metadata::from_path_no_follow(&self.top.join(relative)).is_ok_and(|metadata| metadata.is_dir())
    }
}

/// The mode of the file or link at `path`; that of an ordinary file where nothing can be said.
pub(crate) fn mode_at(top: &Path, path: &BStr, fs: &gix::fs::Capabilities) -> Mode {
    Disk::new(top).look(path).ok().flatten().map_or(Mode::FILE, |found| found.mode(fs))
}

/// The length of the longest folder that both paths are at or below.
fn common_folders(a: &BStr, b: &BStr) -> usize {
    let same = a.iter().zip(b.iter()).take_while(|(a, b)| a == b).count();
    let ends_part = |path: &BStr| path.len() == same || path[same] == b'/';
    if ends_part(a) && ends_part(b) {
        return same;
    }
    a[..same].rfind_byte(b'/').unwrap_or(0)
}

/// Whether an error only says that nothing is there.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_in_common_end_at_whole_names() {
        let common = |a: &str, b: &str| common_folders(BStr::new(a), BStr::new(b));
        assert_eq!(common("a/b", "a/b/c"), 3);
        assert_eq!(common("a/bc", "a/bd"), 1);
        assert_eq!(common("a", "ab"), 0);
        assert_eq!(common("", "a"), 0);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_seen_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        std::fs::create_dir_all(top.join("real/deep")).unwrap();
        std::fs::write(top.join("real/deep/a"), "x").unwrap();
        std::os::unix::fs::symlink("real", top.join("link")).unwrap();
        let mut disk = Disk::new(top);
        let mut sees = |path: &str| disk.look(BStr::new(path)).unwrap().is_some();
        assert!(sees("real/deep/a") && sees("link"));
        assert!(!sees("link/deep/a") && !sees("link/deep/b"));
        assert!(sees("real/deep/a") && !sees("real/deep/a/b") && !sees("gone/a"));
    }
}

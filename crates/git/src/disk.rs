//! What lies at a path of the working tree, without ever going through a link.

#[cfg(target_os = "linux")]
#[path = "disk/linux.rs"]
mod native;
#[cfg(target_os = "macos")]
#[path = "disk/macos.rs"]
mod native;
#[cfg(windows)]
#[path = "disk/windows.rs"]
mod native;

use std::io;
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat, mode};

use crate::names::parent;
use native::{Folders, Metadata};

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
        native::stat(&self.metadata)
    }

    /// How the mode differs from the one that git has, as far as the file system can tell.
    pub(crate) fn mode_change(&self, known: Mode, fs: &gix::fs::Capabilities) -> Option<mode::Change> {
        // An executable that is no file any more has changed its type and not only its bit.
        let known = if known == Mode::FILE_EXECUTABLE && !self.is_file() { Mode::FILE } else { known };
        known.change_to_match_fs_with_values(
            self.is_file(),
            self.is_folder(),
            self.is_link(),
            self.metadata.is_executable(),
            fs.symlink,
            fs.executable_bit,
        )
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
    folders: Folders,
    /// The folder that was looked at last, and whether it can hold tracked files.
    folder: BString,
    reachable: bool,
}

impl Disk {
    pub(crate) fn new(top: &Path) -> Self {
        Self { folders: Folders::new(top), folder: BString::default(), reachable: true }
    }

    /// What lies at `path`; `None` where nothing does, or only something behind a link.
    pub(crate) fn look(&mut self, path: &BStr) -> io::Result<Option<OnDisk>> {
        let folder = parent(path);
        if folder != self.folder {
            self.enter(folder)?;
        }
        if !self.reachable {
            return Ok(None);
        }
        let found = self.folders.metadata(path);
        match found {
            Ok(metadata) => Ok(Some(OnDisk { metadata })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Checks the folders between the top and `folder` that were not checked for the folder before.
    fn enter(&mut self, folder: &BStr) -> io::Result<()> {
        let same = common_folders(self.folder.as_ref(), folder);
        // Below a folder that cannot be reached nothing can; above it, it has to be looked at anew.
        let known = if self.reachable { same } else { 0 };
        self.folders.leave(known);
        (self.folder, self.reachable) = (folder[..known].into(), true);
        if folder.is_empty() {
            return Ok(());
        }
        let ends = folder.find_iter("/").chain(std::iter::once(folder.len()));
        for end in ends.filter(|end| *end > known) {
            if !self.folders.enter(folder, end)? {
                self.reachable = false;
                break;
            }
            self.folder = folder[..end].into();
        }
        self.folder = folder.to_owned();
        Ok(())
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

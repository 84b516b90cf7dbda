//! Linux: folders are kept open, so that a look at a file costs no walk from the root of the file system.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Stat;
use gix::index::entry::stat::Time;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

/// A folder that is only a place to look from.
const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The folders from the top of the working tree to the one that was entered last.
pub(super) struct Folders {
    top: Result<OwnedFd, Errno>,
    /// Each with the length of its path.
    open: Vec<(usize, OwnedFd)>,
}

impl Folders {
    pub(super) fn new(top: &Path) -> Self {
        Self { top: rustix::fs::open(top, PLACE, Mode::empty()), open: Vec::new() }
    }

    /// From now on nothing below the first `known` bytes of the path of the folder is needed.
    pub(super) fn leave(&mut self, known: usize) {
        let kept = self.open.iter().take_while(|(length, _)| *length <= known).count();
        self.open.truncate(kept);
    }

    /// Whether the first `end` bytes of `folder` are a folder and no link; the one above it was entered before.
    pub(super) fn enter(&mut self, folder: &BStr, end: usize) -> io::Result<bool> {
        let start = self.open.last().map_or(0, |(length, _)| length + 1);
        match rustix::fs::openat(
            self.last()?,
            folder[start..end].as_bytes(),
            PLACE | OFlags::NOFOLLOW,
            Mode::empty(),
        ) {
            Ok(place) => {
                self.open.push((end, place));
                Ok(true)
            }
            // This says nothing about the folder.
            Err(error @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => Err(error.into()),
            Err(_) => Ok(false),
        }
    }

    /// What lies at `path`, the folder of which was entered.
    pub(super) fn metadata(&mut self, path: &BStr) -> io::Result<Metadata> {
        let start = self.open.last().map_or(0, |(length, _)| length + 1);
        let found = rustix::fs::statat(self.last()?, path[start..].as_bytes(), AtFlags::SYMLINK_NOFOLLOW);
        Ok(Metadata(found?))
    }

    fn last(&self) -> io::Result<BorrowedFd<'_>> {
        match (self.open.last(), &self.top) {
            (Some((_, place)), _) => Ok(place.as_fd()),
            (None, Ok(top)) => Ok(top.as_fd()),
            (None, Err(error)) => Err((*error).into()),
        }
    }
}

/// What the system says about a file, link or folder.
pub(super) struct Metadata(rustix::fs::Stat);

impl Metadata {
    fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.0.st_mode)
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind() == FileType::Directory
    }

    pub(super) fn is_symlink(&self) -> bool {
        self.kind() == FileType::Symlink
    }

    pub(super) fn is_file(&self) -> bool {
        self.kind() == FileType::RegularFile
    }

    pub(super) fn is_executable(&self) -> bool {
        self.is_file() && Mode::from_raw_mode(self.0.st_mode).contains(Mode::XUSR)
    }

    pub(super) fn len(&self) -> u64 {
        u64::try_from(self.0.st_size).unwrap_or(0)
    }
}

/// What git remembers of a file: the low 32 bits of everything.
pub(super) fn stat(metadata: &Metadata) -> Stat {
    let stat = &metadata.0;
    // Git knows no time before 1970.
    let time = |seconds: i64, nanoseconds: u64| match seconds {
        0.. => Time { secs: seconds as u32, nsecs: nanoseconds as u32 },
        _ => Time::default(),
    };
    Stat {
        mtime: time(stat.st_mtime, stat.st_mtime_nsec),
        ctime: time(stat.st_ctime, stat.st_ctime_nsec),
        dev: stat.st_dev as u32,
        ino: stat.st_ino as u32,
        uid: stat.st_uid,
        gid: stat.st_gid,
        size: stat.st_size as u32,
    }
}

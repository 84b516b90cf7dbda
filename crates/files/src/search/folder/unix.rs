//! Unix: folders by descriptor, so that a file in it is one short look-up away.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::{Entries, Kind};
use crate::search::slots::{Slot, Slots};

/// A folder. In a very deep tree, or with many searches at once, some are not kept open, and the files in them are
/// opened by their whole path.
#[derive(Debug)]
pub(in crate::search) struct Folder {
    path: PathBuf,
    kept: Option<(OwnedFd, Slot)>,
}

impl Folder {
    /// Opens the folder at `path`, which must not be a link, and lists it.
    pub(in crate::search) fn list(path: PathBuf, open: &Slots) -> io::Result<(Self, Entries)> {
        let descriptor = open_folder(&path)?;
        let entries = entries(&descriptor)?;
        Ok((Self { path, kept: open.take().map(|slot| (descriptor, slot)) }, entries))
    }

    /// The folder at `path`, to open files in it by name.
    pub(in crate::search) fn unlisted(path: PathBuf) -> Self {
        Self { path, kept: None }
    }

    /// Opens a regular file for reading. Never waits for the other end of a pipe that took the file's place.
    pub(in crate::search) fn open_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let descriptor = match &self.kept {
            Some((folder, _)) => openat(folder, name, flags, Mode::empty()),
            None => openat(CWD, self.path.join(name), flags, Mode::empty()),
        };
        match descriptor {
            Ok(descriptor) => Ok(File::from(descriptor)),
            // A link or a socket took the place of the file that was listed.
            Err(Errno::LOOP | Errno::NXIO) => Err(io::ErrorKind::NotFound.into()),
            Err(error) => Err(error.into()),
        }
    }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(CWD, path, flags, Mode::empty()) {
        Err(Errno::LOOP) => Err(io::ErrorKind::NotFound.into()),
        opened => Ok(opened?),
    }
}

fn entries(folder: &OwnedFd) -> io::Result<Entries> {
    let mut entries = Entries::default();
    for entry in Dir::new(folder.try_clone()?)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let file_type = match entry.file_type() {
            FileType::Unknown => match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                Err(_) => continue,
            },
            known => known,
        };
        entries.add(name.to_str().ok(), kind_of(file_type), false);
    }
    Ok(entries)
}

fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        _ => Kind::Other,
    }
}

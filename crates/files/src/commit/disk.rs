//! The single acts that a commit is made of. Tests stop it before any of them.

use std::io::{self, Write};
use std::path::Path;

use crate::sys::{self, Attributes};

/// Told before each act on the disk. An error is as if the act had failed.
pub(crate) trait Observer {
    /// `act` is about to happen to `path`.
    fn before(&self, act: Act, path: &Path) -> io::Result<()>;
}

/// What can be done on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    WriteRecord,
    MakeFolder,
    CreateTemp,
    WriteTemp,
    SyncTemp,
    SealRecord,
    Recheck,
    KeepAside,
    ChangeName,
    SyncFolder,
    Remove,
    ClearRecord,
}

/// Nobody watches.
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn before(&self, _act: Act, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// The disk as a commit uses it.
#[derive(Clone, Copy)]
pub(super) struct Disk<'a> {
    observer: &'a dyn Observer,
}

impl<'a> Disk<'a> {
    pub(super) fn new(observer: &'a dyn Observer) -> Self {
        Self { observer }
    }

    pub(super) fn before(&self, act: Act, path: &Path) -> io::Result<()> {
        self.observer.before(act, path)
    }

    pub(super) fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.before(Act::MakeFolder, folder)?;
        match std::fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
            result => result,
        }
    }

    /// Writes a new file and makes its content durable.
    pub(super) fn write_new(&self, path: &Path, bytes: &[u8], like: Option<&Attributes>) -> io::Result<()> {
        self.before(Act::CreateTemp, path)?;
        let mut file = sys::create_like(path, like)?;
        self.before(Act::WriteTemp, path)?;
        file.write_all(bytes)?;
        self.before(Act::SyncTemp, path)?;
        file.sync_all()
    }

    /// Gives the old file a second name, under which it survives being replaced.
    pub(super) fn keep_aside(
        &self,
        target: &Path,
        aside: &Path,
        bytes: &[u8],
        like: &Attributes,
    ) -> io::Result<()> {
        self.before(Act::KeepAside, target)?;
        match std::fs::hard_link(target, aside) {
            // Not every file system has hard links; a copy does as well.
            Err(error) if error.kind() != io::ErrorKind::StorageFull => {
                self.write_new(aside, bytes, Some(like))
            }
            result => result,
        }
    }

    pub(super) fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.before(Act::ChangeName, to)?;
        sys::rename_over(from, to)
    }

    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.before(Act::ChangeName, to)?;
        sys::rename_new(from, to)
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.before(Act::Remove, path)?;
        std::fs::remove_file(path)
    }

    /// Removes a file if it is there; what cannot be removed is left to the next start.
    pub(super) fn remove_quietly(&self, path: &Path) -> bool {
        match self.remove(path) {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Removes folders that were made, if nothing has come into them.
    pub(super) fn remove_empty_folders(&self, folders: &[std::path::PathBuf]) {
        for folder in folders.iter().rev() {
            if self.before(Act::Remove, folder).is_ok() {
                let _ = std::fs::remove_dir(folder);
            }
        }
    }

    pub(super) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.before(Act::SyncFolder, folder)?;
        sys::sync_folder(folder)
    }
}

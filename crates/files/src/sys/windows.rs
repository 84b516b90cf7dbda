//! Windows.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// What a file that replaces another takes over from it. Access rights come from the folder, as for every new file.
#[derive(Debug, Clone)]
pub(crate) struct Attributes;

impl Attributes {
    /// The attributes of a file.
    pub(crate) fn of(_path: &Path, _metadata: &Metadata) -> Self {
        Self
    }

    /// There is no such thing as a bit for running a file.
    pub(crate) fn is_executable(&self) -> bool {
        false
    }

    /// The same.
    pub(crate) fn executable(self, _executable: bool) -> Self {
        self
    }
}

/// Opens a file for reading; others may go on reading, writing and renaming it.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Creates a file that must not exist.
pub(crate) fn create_like(path: &Path, _like: Option<&Attributes>) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Every file may be run that has the name of a program.
pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether the user may change the file.
pub(crate) fn may_write(path: &Path, metadata: &Metadata) -> bool {
    !metadata.permissions().readonly() && OpenOptions::new().write(true).open(path).is_ok()
}

/// Names are durable with the file system's own journal; a folder cannot be synced from here.
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

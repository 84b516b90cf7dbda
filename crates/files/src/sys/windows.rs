//! Windows.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

/// A virus scanner, an indexer or a reader lets go of a file within moments; milliseconds to wait before each new try.
const PAUSES: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 400];

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

/// Gives `from` the name `to`, replacing what is there in one step. A file that somebody holds open may not be replaced, which
/// mostly passes.
pub(crate) fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    let mut pauses = PAUSES.iter();
    loop {
        let error = match std::fs::rename(from, to) {
            Err(error) if is_held(&error, to) => error,
            result => return result,
        };
        let Some(pause) = pauses.next() else { return Err(error) };
        std::thread::sleep(Duration::from_millis(*pause));
    }
}

/// ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION or ERROR_LOCK_VIOLATION, where it is not for good.
fn is_held(error: &io::Error, to: &Path) -> bool {
    let for_good =
        || to.metadata().is_ok_and(|metadata| metadata.permissions().readonly() || metadata.is_dir());
    matches!(error.raw_os_error(), Some(5 | 32 | 33)) && !for_good()
}

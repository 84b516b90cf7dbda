//! The logs of Server and Runner: one file each and one older one, bounded.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use webcodex_settings::Folders;

use crate::process::Role;

/// All logs together stay below this.
pub(crate) const LIMIT_BYTES: u64 = 8 * 1024 * 1024;
/// A log becomes the older one at this size: two parts, two files each.
const FILE_BYTES: u64 = LIMIT_BYTES / 4;
/// Bytes at the end of a log that are read for the last words.
const TAIL_BYTES: u64 = 4 * 1024;

/// The log of a part.
pub(crate) fn path(folders: &Folders, role: Role) -> PathBuf {
    folders.logs().join(format!("{}.log", role.name()))
}

/// Opens the log for a part to append to.
pub(crate) fn open(folders: &Folders, role: Role) -> io::Result<File> {
    let path = path(folders, role);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // A log that is too long must not keep a part from starting.
    if let Err(error) = trim(&path) {
        tracing::debug!(%error, "a log could not be trimmed");
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&path)
}

/// Makes a log that has grown too large the older one. Whoever appends to it goes on at its new start.
pub(crate) fn trim(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if found.len() > FILE_BYTES => {
            std::fs::copy(path, path.with_extension("old.log"))?;
            OpenOptions::new().write(true).open(path)?.set_len(0)
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Bytes of all logs.
pub(crate) fn bytes(folders: &Folders) -> u64 {
    let Ok(entries) = std::fs::read_dir(folders.logs()) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
}

/// The end of a log, from byte `from` on.
pub(crate) fn tail(path: &Path, from: u64) -> String {
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(from.min(end).max(end.saturating_sub(TAIL_BYTES))))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_has_grown_becomes_the_older_one() {
        let data = tempfile::tempdir().unwrap();
        let folders = Folders { data: data.path().to_owned(), home: None };
        let mut log = open(&folders, Role::Server).unwrap();
        io::Write::write_all(&mut log, &vec![b'x'; FILE_BYTES as usize + 1]).unwrap();
        trim(&path(&folders, Role::Server)).unwrap();
        io::Write::write_all(&mut log, b"last words").unwrap();
        assert_eq!(tail(&path(&folders, Role::Server), 0), "last words");
        assert!(bytes(&folders) <= LIMIT_BYTES);
    }
}

//! Windows: listing a folder tells about all its files at the price of one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Stat;
pub(super) use gix::index::fs::Metadata;

/// Remembers the folder that was listed last.
pub(super) struct Folders {
    top: PathBuf,
    folder: Option<PathBuf>,
    entries: HashMap<OsString, std::fs::Metadata>,
}

impl Folders {
    pub(super) fn new(top: &Path) -> Self {
        Self { top: top.to_owned(), folder: None, entries: HashMap::new() }
    }

    /// From now on nothing below the first `known` bytes of the path of the folder is needed.
    pub(super) fn leave(&mut self, _known: usize) {}

    /// Whether the first `end` bytes of `folder` are a folder and no link.
    pub(super) fn enter(&mut self, folder: &BStr, end: usize) -> io::Result<bool> {
        let Ok(relative) = gix::path::from_bstr(folder[..end].as_bstr()) else { return Ok(false) };
        let metadata = Metadata::from_path_no_follow(&self.top.join(relative));
        Ok(metadata.is_ok_and(|metadata| metadata.is_dir()))
    }

    /// What lies at `path`, the folder of which was entered.
    pub(super) fn metadata(&mut self, path: &BStr) -> io::Result<Metadata> {
        let relative =
            gix::path::from_bstr(path).map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let path = self.top.join(relative);
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            if self.folder.as_deref() != Some(folder) {
                self.list(folder);
            }
            if let Some(metadata) = self.entries.get(name) {
                return Ok(metadata.clone().into());
            }
        }
        // Another spelling of the name, or a folder that could not be listed.
        Metadata::from_path_no_follow(&path)
    }

    fn list(&mut self, folder: &Path) {
        self.entries.clear();
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        self.entries.extend(entries.filter_map(|entry| Some((entry.file_name(), entry.metadata().ok()?))));
        self.folder = Some(folder.to_owned());
    }
}

/// What git remembers of a file.
pub(super) fn stat(metadata: &Metadata) -> Stat {
    Stat::from_fs(metadata).unwrap_or_default()
}

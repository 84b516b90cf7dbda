//! macOS: one call for each file is cheap.

use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Stat;
pub(super) use gix::index::fs::Metadata;

/// Remembers nothing but its buffer.
pub(super) struct Folders {
    top: PathBuf,
    path: PathBuf,
}

impl Folders {
    pub(super) fn new(top: &Path) -> Self {
        Self { top: top.to_owned(), path: PathBuf::new() }
    }

    /// From now on nothing below the first `known` bytes of the path of the folder is needed.
    pub(super) fn leave(&mut self, _known: usize) {}

    /// Whether the first `end` bytes of `folder` are a folder and no link.
    pub(super) fn enter(&mut self, folder: &BStr, end: usize) -> io::Result<bool> {
        Ok(self.metadata(folder[..end].as_bstr()).is_ok_and(|metadata| metadata.is_dir()))
    }

    /// What lies at `path`, the folder of which was entered.
    pub(super) fn metadata(&mut self, path: &BStr) -> io::Result<Metadata> {
        let relative =
            gix::path::from_bstr(path).map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
        self.path.clear();
        self.path.push(&self.top);
        self.path.push(relative);
        Metadata::from_path_no_follow(&self.path)
    }
}

/// What git remembers of a file.
pub(super) fn stat(metadata: &Metadata) -> Stat {
    Stat::from_fs(metadata).unwrap_or_default()
}

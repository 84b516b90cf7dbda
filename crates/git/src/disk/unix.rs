//! Unix: one call for each file is cheap.

use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::BStr;
use gix::index::fs::Metadata;

/// Remembers nothing but its buffer.
#[derive(Default)]
pub(super) struct Listing {
    path: PathBuf,
}

impl Listing {
    pub(super) fn metadata(&mut self, top: &Path, path: &BStr) -> io::Result<Metadata> {
        let relative =
            gix::path::from_bstr(path).map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
        self.path.clear();
        self.path.push(top);
        self.path.push(relative);
        Metadata::from_path_no_follow(&self.path)
    }
}

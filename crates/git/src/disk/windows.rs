//! Windows: listing a folder tells about all its files at the price of one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::BStr;
use gix::index::fs::Metadata;

/// Remembers the folder that was listed last.
#[derive(Default)]
pub(super) struct Listing {
    folder: Option<PathBuf>,
    entries: HashMap<OsString, std::fs::Metadata>,
}

impl Listing {
    pub(super) fn metadata(&mut self, top: &Path, path: &BStr) -> io::Result<Metadata> {
        let relative =
            gix::path::from_bstr(path).map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let path = top.join(relative);
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

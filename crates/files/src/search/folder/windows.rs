//! Windows: folders by path; junctions and other links are told apart by the listing.

use std::fs::{File, Metadata};
use std::io;
use std::os::windows::fs::MetadataExt;
use std::path::PathBuf;

use super::{Entries, Kind};
use crate::search::slots::Slots;

/// `FILE_ATTRIBUTE_HIDDEN`
const HIDDEN: u32 = 0x2;

/// A folder.
#[derive(Debug)]
pub(in crate::search) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Lists the folder at `path`, which must not be a link. None is kept open here.
    pub(in crate::search) fn list(path: PathBuf, _: &Slots) -> io::Result<(Self, Entries)> {
        if !path.symlink_metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut entries = Entries::default();
        for entry in std::fs::read_dir(&path)? {
            let entry = entry?;
            // Both come with the listing; no file is touched.
            let Ok(metadata) = entry.metadata() else { continue };
            let hidden = metadata.file_attributes() & HIDDEN != 0;
            entries.add(entry.file_name().to_str(), kind_of(&metadata), hidden);
        }
        Ok((Self { path }, entries))
    }

    /// The folder at `path`, to open files in it by name.
    pub(in crate::search) fn unlisted(path: PathBuf) -> Self {
        Self { path }
    }

    /// Opens a regular file for reading. A file that lies in a cloud is fetched by that.
    pub(in crate::search) fn open_file(&self, name: &str) -> io::Result<File> {
        File::open(self.path.join(name))
    }
}

fn kind_of(metadata: &Metadata) -> Kind {
    match metadata.file_type() {
        kind if kind.is_symlink() => Kind::Other,
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    }
}

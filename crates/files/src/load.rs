//! Reading a whole file, without ever waiting for something that is not one.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;

use webcodex_contracts::limits::MAX_TEXT_FILE_BYTES;

use crate::sys;

/// A file's content and what the system said about it while it was open.
pub(crate) struct Loaded {
    /// The whole content.
    pub(crate) bytes: Vec<u8>,
    /// Permissions and owner.
    pub(crate) metadata: Metadata,
}

/// Why a file was not read.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// It is a pipe, a device or a folder by now.
    NotRegular,
    /// It is larger than text files are.
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// The system refused.
    Io(io::Error),
}

/// Reads a whole file with one open.
pub(crate) fn load(path: &Path) -> Result<Loaded, LoadError> {
    let file = sys::open_to_read(path).map_err(LoadError::Io)?;
    let metadata = file.metadata().map_err(LoadError::Io)?;
    if !metadata.is_file() {
        return Err(LoadError::NotRegular);
    }
    let size = metadata.len();
    if size > MAX_TEXT_FILE_BYTES {
        return Err(LoadError::TooLarge { size });
    }
    // One byte more than the size, so that the end shows with the second read; more where it grows meanwhile.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(MAX_TEXT_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(LoadError::Io)?;
    match bytes.len() as u64 {
        size if size > MAX_TEXT_FILE_BYTES => Err(LoadError::TooLarge { size }),
        _ => Ok(Loaded { bytes, metadata }),
    }
}

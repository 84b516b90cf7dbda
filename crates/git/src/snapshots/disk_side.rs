//! A file as it lies on the disk now, raw, for comparing with what is remembered of it.

use std::io::{self, Read};
use std::path::Path;

use gix::hash::Kind;
use gix::index::entry::Mode;
use sha2::{Digest, Sha256};

use super::record::Side;
use super::take::MAX_FILE;
use super::vault::id_of;
use crate::disk::is_absent;

/// A file on the disk.
#[derive(Debug, Clone)]
pub(super) struct OnDisk {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Mode,
}

/// What lies at a path.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Nothing,
    File(OnDisk),
    /// A link, a folder, a device, or more than is ever kept.
    Other,
}

impl Found {
    /// Looks at `path` below `root` without following a link at its end.
    pub(super) fn at(root: &Path, path: &str) -> io::Result<Self> {
        let file = root.join(path);
        let metadata = match file.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if is_absent(&error) => return Ok(Self::Nothing),
            Err(error) => return Err(error),
        };
        if !metadata.is_file() || metadata.len() > MAX_FILE {
            return Ok(Self::Other);
        }
        let mut bytes = Vec::new();
        crate::clean::open(&file)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE {
            return Ok(Self::Other);
        }
        let mode = if is_executable(&metadata) { Mode::FILE_EXECUTABLE } else { Mode::FILE };
        Ok(Self::File(OnDisk { bytes, mode }))
    }

    /// The content as it is remembered; `None` for nothing and for what is no file.
    pub(super) fn side(&self, kind: Kind) -> io::Result<Option<Side>> {
        match self {
            Self::File(file) => file.side(kind).map(Some),
            Self::Nothing | Self::Other => Ok(None),
        }
    }
}

impl OnDisk {
    pub(super) fn side(&self, kind: Kind) -> io::Result<Side> {
        Ok(Side { id: id_of(kind, &self.bytes)?.to_string(), mode: self.mode.bits() })
    }

    /// What guards a change of the file.
    pub(super) fn sha256(&self) -> [u8; 32] {
        Sha256::digest(&self.bytes).into()
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(windows)]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

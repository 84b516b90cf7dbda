//! What differs between operating systems when files are opened and replaced.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{
    Attributes, create_like, make_executable, may_write, open_to_read, rename_over, sync_folder,
};
#[cfg(windows)]
pub(crate) use windows::{
    Attributes, create_like, make_executable, may_write, open_to_read, rename_over, sync_folder,
};

use std::io;
use std::path::Path;

/// Gives `from` the name `to` in one step, unless that exists.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = tempfile::TempPath::try_from_path(from)?;
    // The file is somebody's work, not a temporary one: it must outlive a failure.
    from.disable_cleanup(true);
    from.persist_noclobber(to).map_err(|error| error.error)
}

/// Whether the last part of the path is a link.
pub(crate) fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

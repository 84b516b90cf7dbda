//! Linux and macOS.

use std::ffi::CString;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{
    Access, Gid, Mode, OFlags, Uid, XattrFlags, access, fchmod, fchown, fsetxattr, getxattr, listxattr,
    listxattr_query,
};

/// Bytes of names, and of one value, of extended attributes that are kept.
const MAX_EXTENDED_BYTES: usize = 64 * 1024;

/// What a file that replaces another takes over from it.
#[derive(Debug, Clone)]
pub(crate) struct Attributes {
    mode: u32,
    owner: u32,
    group: u32,
    /// Names and values, among them access control lists.
    extended: Vec<(CString, Vec<u8>)>,
}

impl Attributes {
    /// The attributes of a file.
    pub(crate) fn of(path: &Path, metadata: &Metadata) -> Self {
        Self {
            mode: metadata.mode() & 0o7777,
            owner: metadata.uid(),
            group: metadata.gid(),
            extended: extended(path).unwrap_or_default(),
        }
    }

    /// Whether the owner may run the file.
    pub(crate) fn is_executable(&self) -> bool {
        self.mode & 0o100 != 0
    }

    /// The same, runnable by whoever may read it, or by nobody.
    pub(crate) fn executable(self, executable: bool) -> Self {
        let mode = match executable {
            true => self.mode | (self.mode & 0o444) >> 2,
            false => self.mode & !0o111,
        };
        Self { mode, ..self }
    }
}

/// The extended attributes that can be read. Most files have none, which one question tells.
fn extended(path: &Path) -> io::Result<Vec<(CString, Vec<u8>)>> {
    let size = listxattr_query(path)?;
    if size == 0 {
        return Ok(Vec::new());
    }
    let mut names = vec![0_u8; size.min(MAX_EXTENDED_BYTES)];
    let size = listxattr(path, names.as_mut_slice())?;
    names.truncate(size);
    let names = names
        .split_inclusive(|byte| *byte == 0)
        .filter_map(|name| CString::from_vec_with_nul(name.to_vec()).ok());
    let values = names.filter_map(|name| {
        let mut value = vec![0_u8; MAX_EXTENDED_BYTES];
        let size = getxattr(path, &name, value.as_mut_slice()).ok()?;
        value.truncate(size);
        Some((name, value))
    });
    Ok(values.collect())
}

/// Opens a file for reading without ever waiting: a pipe or a device that took its place does not block.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Creates a file that must not exist, with the attributes of the one it will replace.
///
/// Owner and group are kept where the system allows it; the permission bits always are.
pub(crate) fn create_like(path: &Path, like: Option<&Attributes>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let Some(like) = like else { return options.open(path) };
    // Never wider than the original, not even for a moment.
    let file = options.mode(like.mode & 0o700).open(path)?;
    let made = file.metadata()?;
    if (made.uid(), made.gid()) != (like.owner, like.group) {
        let (owner, group) = (Uid::from_raw(like.owner), Gid::from_raw(like.group));
        if fchown(&file, Some(owner), Some(group)).is_err() {
            // Only the super-user gives files away; a group one belongs to may still be kept.
            let _ = fchown(&file, None, Some(group));
        }
    }
    for (name, value) in &like.extended {
        // Some belong to the system and cannot be given; the file is no worse without.
        let _ = fsetxattr(&file, name, value, XattrFlags::empty());
    }
    // After the owner, because changing that clears the set-user-id bits.
    fchmod(&file, Mode::from_raw_mode(like.mode as rustix::fs::RawMode))?;
    Ok(file)
}

/// Lets everybody run the file who may read it.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let mode = file.metadata()?.mode();
    Ok(fchmod(&file, Mode::from_raw_mode(((mode | (mode & 0o444) >> 2) & 0o7777) as rustix::fs::RawMode))?)
}

/// Whether the user may change the file. One without any write bit counts as protected, even for the super-user.
pub(crate) fn may_write(path: &Path, metadata: &Metadata) -> bool {
    metadata.mode() & 0o222 != 0 && access(path, Access::WRITE_OK).is_ok()
}

/// Makes names created, changed and removed in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network and user-space file systems have no such thing; there is nothing more to do on them.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        result => result,
    }
}

/// Gives `from` the name `to`, replacing what is there in one step.
pub(crate) fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

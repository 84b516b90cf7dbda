//! Telling cheaply whether a file is still the one that was read.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a file looked like; a missing file looks like `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    modified: Option<SystemTime>,
    len: u64,
    /// Inode and time of change where the system has them: a file put in place by a rename is another one even if
    /// it carries the same times.
    identity: [u64; 3],
}

impl FileStamp {
    /// The present stamp of the file at `path`.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok(), len: metadata.len(), identity: identity(&metadata) })
    }
}

impl FileStamp {
    /// The stamp of a folder with the times that move when a name in it comes or goes, if the last change lies at
    /// least `rest` back; `None` for a link.
    pub(crate) fn of_resting_folder(path: &Path, rest: Duration) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_dir)?;
        let modified = metadata.modified().ok()?;
        let now = SystemTime::now();
        let rests = |time: SystemTime| now.duration_since(time).is_ok_and(|age| age >= rest);
        let stamp = Self { modified: Some(modified), len: 0, identity: place(&metadata) };
        (rests(modified) && changed(&metadata).is_none_or(rests)).then_some(stamp)
    }
}

/// When anything about the file changed, where the system tells it.
#[cfg(unix)]
fn changed(metadata: &std::fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let (seconds, nanoseconds) =
        (u64::try_from(metadata.ctime()).ok()?, u32::try_from(metadata.ctime_nsec()).ok()?);
    Some(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds))
}

#[cfg(windows)]
fn changed(_: &std::fs::Metadata) -> Option<SystemTime> {
    None
}

#[cfg(unix)]
fn place(metadata: &std::fs::Metadata) -> [u64; 3] {
    use std::os::unix::fs::MetadataExt;
    [metadata.ino(), metadata.dev(), (metadata.ctime() as u64) << 30 | metadata.ctime_nsec() as u64]
}

#[cfg(windows)]
fn place(metadata: &std::fs::Metadata) -> [u64; 3] {
    identity(metadata)
}

#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> [u64; 3] {
    use std::os::unix::fs::MetadataExt;
    // A folder's own times move with every lock file in it, so only its inode says which folder it is.
    let changed =
        if metadata.is_dir() { [0, 0] } else { [metadata.ctime() as u64, metadata.ctime_nsec() as u64] };
    [metadata.ino(), changed[0], changed[1]]
}

#[cfg(windows)]
fn identity(metadata: &std::fs::Metadata) -> [u64; 3] {
    use std::os::windows::fs::MetadataExt;
    [metadata.creation_time(), 0, 0]
}

/// The stamps of several files that something was made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stamps(Vec<(PathBuf, Option<FileStamp>)>);

impl Stamps {
    /// Looks at all of `paths`.
    pub(crate) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let stamp = |path: PathBuf| {
            let stamp = present(&path);
            (path, stamp)
        };
        Self(paths.into_iter().map(stamp).collect())
    }

    /// Looks at one more.
    pub(crate) fn add(&mut self, path: PathBuf) {
        let stamp = present(&path);
        self.0.push((path, stamp));
    }

    /// Whether every file still looks the same.
    pub(crate) fn hold(&self) -> bool {
        self.0.iter().all(|(path, stamp)| present(path) == *stamp)
    }
}

/// A folder counts as the same as long as it is the same folder, whatever happens inside.
fn present(path: &Path) -> Option<FileStamp> {
    let metadata = std::fs::metadata(path).ok()?;
    let stamp =
        FileStamp { modified: metadata.modified().ok(), len: metadata.len(), identity: identity(&metadata) };
    Some(if metadata.is_dir() { FileStamp { modified: None, len: 0, ..stamp } } else { stamp })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_put_in_place_of_another_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config");
        let stamps = Stamps::of([file.clone(), folder.path().to_owned()]);
        assert!(stamps.hold(), "nothing happened");
        std::fs::write(&file, "a").unwrap();
        assert!(!stamps.hold(), "it was missing before");
        let stamps = Stamps::of([file.clone(), folder.path().to_owned()]);
        std::fs::write(folder.path().join("other"), "x").unwrap();
        assert!(stamps.hold(), "the folder is still the same folder");
        std::fs::write(folder.path().join("new"), "b").unwrap();
        std::fs::rename(folder.path().join("new"), &file).unwrap();
        assert!(!stamps.hold(), "another file of the same size");
    }
}

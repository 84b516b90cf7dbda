//! Earlier states of folders that are not under git, kept outside of them.
//!
//! Each folder has a small repository of ours in the Runner's data folder: an index that remembers every file as it
//! was at the first look, and a pack with their contents. Changes are then read as in any repository. The space is
//! bounded for one folder and for all together; what was not used for longest goes first.

mod baseline;
pub(crate) mod pack;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::sec::Trust;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::GitError;
use crate::error::io_at;
use crate::repository::{Kept, Place};

pub(crate) use baseline::About;

/// Most bytes on disk for all folders together; a first look may go beyond by its own size.
const MAX_TOTAL: u64 = 2 * 1024 * 1024 * 1024;
/// The state of a folder that is gone is kept this long; it may only be a drive that is not plugged in.
const KEPT_WHEN_GONE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Marks states that are still being written.
const UNFINISHED: &str = "new-";

/// The states of all folders. One Runner at a time uses the folder.
pub(crate) struct Store {
    folder: PathBuf,
    /// Most bytes on disk for all folders together.
    limit: u64,
    /// What is open.
    open: Mutex<HashMap<PathBuf, Slot>>,
}

/// Room for one state; the lock is held while a first look is taken, so that it is taken once.
type Slot = Arc<Mutex<Option<Arc<Baseline>>>>;

/// The state of one folder at the first look.
pub(crate) struct Baseline {
    /// Open for reading like any repository.
    pub(crate) kept: Kept,
    /// When it was taken and what it lacks.
    pub(crate) about: About,
    place: PathBuf,
    tree: Mutex<Option<ObjectId>>,
}

impl Baseline {
    /// The state as one tree. Contents that were not kept are in it by name only.
    pub(crate) fn tree(&self) -> Result<ObjectId, GitError> {
        let mut known = self.tree.lock();
        if let Some(tree) = *known {
            return Ok(tree);
        }
        Ok(*known.insert(baseline::tree(&self.place, &self.kept)?))
    }
}

impl Store {
    /// The store in `folder`, which is made when it is first needed. Removes what a crash left half written.
    pub(crate) fn open(folder: PathBuf) -> Self {
        Self::with_limit(folder, MAX_TOTAL)
    }

    fn with_limit(folder: PathBuf, limit: u64) -> Self {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                remove(&entry.path());
            }
        }
        Self { folder, limit, open: Mutex::default() }
    }

    /// The state of `root` at the first look; this is the first look if there was none.
    pub(crate) fn baseline(&self, root: &Path) -> Result<Arc<Baseline>, GitError> {
        let slot = Arc::clone(self.open.lock().entry(root.to_owned()).or_default());
        let mut slot = slot.lock();
        if let Some(baseline) = &*slot {
            return Ok(Arc::clone(baseline));
        }
        let place = self.place(root);
        let baseline = match load(&place, root) {
            Some(baseline) => baseline,
            None => self.take(root, &place)?,
        };
        let baseline = Arc::new(baseline);
        *slot = Some(Arc::clone(&baseline));
        Ok(baseline)
    }

    /// Drops the state of a folder that is no project any more.
    pub(crate) fn forget(&self, root: &Path) {
        let slot = self.open.lock().remove(root);
        // Whoever is taking a first look finishes it before it is dropped.
        if let Some(slot) = slot {
            slot.lock().take();
        }
        remove(&self.place(root));
    }

    fn place(&self, root: &Path) -> PathBuf {
        let hash = Sha256::digest(root.as_os_str().as_encoded_bytes());
        self.folder.join(hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>())
    }

    /// Takes the first look beside its place and moves it there when it is whole.
    fn take(&self, root: &Path, place: &Path) -> Result<Baseline, GitError> {
        std::fs::create_dir_all(&self.folder).map_err(io_at(&self.folder))?;
        self.tidy();
        let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.folder);
        let unfinished = unfinished.map_err(io_at(&self.folder))?;
        baseline::record(root, unfinished.path())?;
        // A damaged one may be in the way.
        remove(place);
        std::fs::rename(unfinished.path(), place).map_err(io_at(place))?;
        load(place, root)
            .ok_or_else(|| GitError::Repository("the state that was just recorded cannot be read".to_owned()))
    }

    /// Makes room: drops states of folders that are long gone, and the oldest while there are too many bytes.
    fn tidy(&self) {
        let mut states: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let place = entry.path();
            let Some(about) = About::read(&place) else { continue };
            let used = About::last_used(&place);
            let unused = used.elapsed().unwrap_or_default();
            if !about.root.is_dir() && unused > KEPT_WHEN_GONE {
                remove(&place);
            } else {
                states.push((used, size_of(&place), place));
            }
        }
        states.sort();
        let mut total: u64 = states.iter().map(|(_, size, _)| size).sum();
        for (_, size, place) in states {
            if total <= self.limit {
                break;
            }
            self.open.lock().retain(|root, _| self.place(root) != place);
            remove(&place);
            total -= size;
        }
    }
}

/// Opens a state that is whole and belongs to `root`.
fn load(place: &Path, root: &Path) -> Option<Baseline> {
    let about = About::read(place).filter(|about| about.root == root)?;
    let kept = Kept::open(place.to_owned(), Place::Store { top: root.to_owned() }).ok()?;
    // Reading the index proves that the state is not damaged.
    kept.workspace().ok()?;
    About::mark_used(place);
    Some(Baseline { kept, about, place: place.to_owned(), tree: Mutex::default() })
}

/// How the repositories of the store are opened: nothing but what is in them counts.
pub(crate) fn options() -> gix::open::Options {
    gix::open::Options::isolated().with(Trust::Full).open_path_as_is(true)
}

pub(crate) fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

/// What cannot be removed now is tried again by the next tidying.
pub(crate) fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_dir_all(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), %error, "an old state could not be removed");
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    /// A folder with 40 kB that do not compress.
    fn folder(seed: u64) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut state = seed;
        let noise: Vec<u8> = (0..40_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        std::fs::write(folder.path().join("noise"), noise).unwrap();
        folder
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first_when_space_is_short() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::with_limit(data.path().to_owned(), 100_000);
        let folders = [1, 2, 3, 4].map(folder);
        for (at, folder) in folders.iter().enumerate() {
            store.baseline(folder.path()).unwrap();
            // The second one was used last.
            let days = if at == 1 { 1 } else { 9 - at as u64 };
            let used = SystemTime::now() - Duration::from_secs(days * 86_400);
            let about =
                File::options().write(true).open(store.place(folder.path()).join("about.json")).unwrap();
            about.set_modified(used).unwrap();
        }
        store.tidy();
        let kept = folders.each_ref().map(|folder| store.place(folder.path()).exists());
        assert_eq!(kept, [false, true, false, true]);
        assert!(size_of(data.path()) <= 100_000);
    }

    #[test]
    fn a_folder_that_is_gone_keeps_its_state_for_a_while() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::with_limit(data.path().to_owned(), MAX_TOTAL);
        let gone = folder(1);
        let place = store.place(gone.path());
        store.baseline(gone.path()).unwrap();
        drop(gone);
        store.tidy();
        assert!(place.exists(), "it may come back");
        let about = File::options().write(true).open(place.join("about.json")).unwrap();
        about.set_modified(SystemTime::now() - KEPT_WHEN_GONE - Duration::from_secs(60)).unwrap();
        store.tidy();
        assert!(!place.exists());
    }
}

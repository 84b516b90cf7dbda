//! Folders that need not be listed again.
//!
//! Where the file system moves a folder's time whenever a name in it comes or goes, an unchanged time proves an
//! unchanged list. What counts as new also depends on the index and on the ignore files, so these are compared too.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gix::bstr::{BString, ByteSlice};
use parking_lot::Mutex;

use super::listing::Listing;
use crate::repository::Site;
use crate::stamp::{FileStamp, Stamps};

/// Most folders remembered for one repository.
const MAX_FOLDERS: usize = 50_000;
/// A folder changed more recently than this may change again without getting another time.
const REST: Duration = Duration::from_millis(1500);

/// What is remembered between two walks.
#[derive(Default)]
pub(crate) struct KnownFolders(Mutex<Option<Session>>);

/// What one walk knows and learns.
pub(super) struct Session {
    top: PathBuf,
    /// The index that the listings were made with.
    index: Arc<gix::index::File>,
    /// Files that say what is ignored.
    ignore_files: BTreeSet<PathBuf>,
    ignore_stamps: Stamps,
    folders: HashMap<BString, (FileStamp, Listing)>,
    trusts_times: bool,
    /// The listing at hand where it is not remembered.
    passing: Option<Listing>,
}

impl KnownFolders {
    /// What is still valid of what is known. Of two walks at the same time one begins with nothing.
    pub(super) fn begin(&self, site: &Site) -> Session {
        let known = self.0.lock().take();
        match known.filter(|known| Arc::ptr_eq(&known.index, &site.index) && known.ignore_stamps.hold()) {
            Some(known) => known,
            None => Session::new(site),
        }
    }

    /// Keeps what a walk has learned.
    pub(super) fn end(&self, session: Session) {
        if session.trusts_times {
            *self.0.lock() = Some(session);
        }
    }
}

impl Session {
    fn new(site: &Site) -> Self {
        let ignore_files: BTreeSet<PathBuf> = site.global_ignore_files.iter().cloned().collect();
        Self {
            top: site.top.clone(),
            index: Arc::clone(&site.index),
            ignore_stamps: Stamps::of(ignore_files.iter().cloned()),
            ignore_files,
            folders: HashMap::new(),
            trusts_times: times_can_be_trusted(&site.top),
            passing: None,
        }
    }

    /// The listing of the folder at `path`: the known one where it still holds, else what `list` finds.
    pub(super) fn listing(
        &mut self,
        path: &BString,
        list: impl FnOnce(&mut dyn FnMut(BString)) -> io::Result<Listing>,
    ) -> io::Result<&Listing> {
        let stamp = self.stamp(path);
        let holds = stamp.is_some() && self.folders.get(path).map(|(known, _)| *known) == stamp;
        if !holds {
            let listing = list(&mut |file| self.see_ignore_file(&file))?;
            self.passing = Some(listing);
            // The time was taken before the listing and has rested, so whatever comes later moves it.
            if let (Some(stamp), true) = (stamp, self.folders.len() < MAX_FOLDERS)
                && let Some(listing) = self.passing.take()
            {
                self.folders.insert(path.clone(), (stamp, listing));
            }
        }
        match self.folders.get(path).filter(|_| stamp.is_some()) {
            Some((_, listing)) => Ok(listing),
            None => self.passing.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into()),
        }
    }

    /// The folder's time, if it can serve as a proof.
    fn stamp(&self, path: &BString) -> Option<FileStamp> {
        if !self.trusts_times {
            return None;
        }
        let folder = self.top.join(gix::path::from_bstr(path.as_bstr()).ok()?);
        FileStamp::of_resting_folder(&folder, REST)
    }

    /// A file that was not known to say what is ignored: what lies below it has to be looked at anew.
    fn see_ignore_file(&mut self, path: &BString) {
        let Ok(relative) = gix::path::from_bstr(path.as_bstr()) else { return };
        let file = self.top.join(relative);
        if !self.ignore_files.contains(&file) {
            self.ignore_stamps.add(file.clone());
            self.ignore_files.insert(file);
            self.folders.clear();
        }
    }
}

/// Whether the file system is known to move a folder's time with every change of the names in it.
#[cfg(target_os = "linux")]
fn times_can_be_trusted(top: &Path) -> bool {
    // ext, XFS, Btrfs, F2FS, tmpfs, overlayfs.
    const KNOWN: [u64; 6] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x794c_7630];
    rustix::fs::statfs(top).is_ok_and(|about| KNOWN.contains(&(about.f_type as u64)))
}

#[cfg(not(target_os = "linux"))]
fn times_can_be_trusted(_: &Path) -> bool {
    false
}

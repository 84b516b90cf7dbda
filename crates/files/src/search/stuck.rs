//! Places that keep a search waiting after its call has ended.
//!
//! A thread inside a system call cannot be taken out of it. It is left behind, and until it comes back no other search
//! goes to the same place, so that a dead network drive costs a few threads and not a few for each call.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

/// The places.
#[derive(Debug, Clone, Default)]
pub(super) struct Stuck(Arc<Places>);

#[derive(Debug, Default)]
struct Places {
    count: AtomicUsize,
    list: Mutex<Vec<PathBuf>>,
}

impl Stuck {
    pub(super) fn add(&self, place: PathBuf) {
        let mut list = self.0.list.lock();
        list.push(place);
        self.0.count.store(list.len(), Ordering::Relaxed);
    }

    pub(super) fn remove(&self, place: &Path) {
        let mut list = self.0.list.lock();
        if let Some(at) = list.iter().position(|known| known == place) {
            list.swap_remove(at);
        }
        self.0.count.store(list.len(), Ordering::Relaxed);
    }

    /// Whether a place is one of them; costs nothing while there is none.
    pub(super) fn holds(&self, root: &Path, path: &str) -> bool {
        self.0.count.load(Ordering::Relaxed) > 0 && {
            let place = root.join(path);
            self.0.list.lock().contains(&place)
        }
    }
}

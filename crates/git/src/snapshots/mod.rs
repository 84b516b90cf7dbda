//! Snapshots of a project for review, Final Changes and undo, kept outside of it.
//!
//! A snapshot is a tree of git objects. Each session has a small repository of ours in the Runner's data folder that
//! holds what changed and borrows the rest; the whole of it goes at once when it was not used for two weeks or space
//! is short. Beside it stands what the session itself changed, in order, so that its work can be undone without
//! touching anybody else's.
//!
//! **Invariant.** No lock, index entry, reference or object is ever made in the user's repository, and what is shown
//! of a snapshot comes from the snapshot: never from the files on disk instead.

mod decide;
mod disk_side;
mod error;
mod events;
mod ledger;
mod lines;
mod listing;
mod put_back;
mod record;
mod restore;
mod review;
mod seal;
mod session;
mod take;
mod vault;
mod watch;

use std::borrow::Borrow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use webcodex_contracts::SessionId;

use crate::GitError;
use crate::changes::Kind;
use crate::repository::Workspace;
use crate::store::{remove, size_of};

use events::Events;
use session::Session;

pub use decide::{Decided, DecisionAsked, Undo};
pub use error::SnapshotError;
pub use put_back::{PutBack, PutBackPlan};
pub use restore::RestoreAsked;
pub use review::{Asked, Reviewed};
pub use watch::{Edited, Watched};

/// Snapshots of a session are kept this long after its last work.
pub(crate) const KEPT: Duration =
    Duration::from_secs(webcodex_contracts::limits::SNAPSHOT_DAYS * 24 * 60 * 60);
/// Most bytes on disk for all sessions together; the one at work may go beyond.
const MAX_TOTAL: u64 = 2 * 1024 * 1024 * 1024;
/// Sessions that stay open between calls.
const MAX_OPEN: usize = 32;

/// The snapshots of all sessions. One Runner at a time uses the folder.
pub(crate) struct Snapshots {
    folder: PathBuf,
    open: Mutex<HashMap<String, Slot>>,
    events: Mutex<HashMap<PathBuf, Arc<Mutex<Events>>>>,
}

/// Room for one session; the lock is held while something is done with it.
type Slot = Arc<Mutex<Option<Session>>>;

/// What a snapshot is taken of: the repository, or the first look at a folder without one.
pub(crate) struct Ground {
    pub(crate) workspace: Workspace,
    pub(crate) kind: Kind,
    /// The tree of the first look, for a folder without git.
    pub(crate) first_look: Option<ObjectId>,
}

/// Whose snapshots are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whose<'a> {
    /// A session's.
    Session(&'a SessionId),
    /// Nobody's: the project as such.
    Project,
}

impl Snapshots {
    /// The snapshots in `folder`, which is made when it is first needed. Drops what is too old or too much.
    pub(crate) fn open(folder: PathBuf) -> Self {
        let snapshots = Self { folder, open: Mutex::default(), events: Mutex::default() };
        snapshots.tidy(KEPT, MAX_TOTAL);
        snapshots
    }

    /// Does something with the snapshots of a session, alone. `ground` is looked for only where it is needed.
    fn with<G: Borrow<Ground>, T, E: From<GitError>>(
        &self,
        whose: &Whose<'_>,
        root: &Path,
        ground: impl FnOnce() -> Result<G, GitError>,
        work: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let key = key(whose, root);
        let slot = self.slot(&key);
        let mut slot = slot.lock();
        let folder = self.folder.join(&key);
        // Somebody may have emptied the folder of data while the Runner runs.
        let session = match slot.take().filter(|session| session.folder.is_dir()) {
            Some(session) => session,
            None => {
                if !folder.is_dir() {
                    self.tidy(KEPT, MAX_TOTAL);
                }
                Session::open(&folder, root, ground()?.borrow())?
            }
        };
        work(slot.insert(session))
    }

    fn slot(&self, key: &str) -> Slot {
        let mut open = self.open.lock();
        if open.len() >= MAX_OPEN {
            // Those that nobody is using are written already.
            open.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        Arc::clone(open.entry(key.to_owned()).or_default())
    }

    /// Whether anything is kept of the session.
    fn exists(&self, whose: &Whose<'_>, root: &Path) -> bool {
        self.folder.join(key(whose, root)).is_dir()
    }

    fn events(&self, root: &Path) -> Arc<Mutex<Events>> {
        Arc::clone(self.events.lock().entry(root.to_owned()).or_default())
    }

    /// Forgets what was at work on a project that is removed. Its snapshots go with their time.
    pub(crate) fn forget(&self, root: &Path) {
        self.events.lock().remove(root);
    }

    /// Drops sessions that were not used for `kept`, and the oldest ones while there are more than `limit` bytes.
    fn tidy(&self, kept: Duration, limit: u64) {
        let open: Vec<String> = self.open.lock().keys().cloned().collect();
        let mut sessions: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let place = entry.path();
            if open.iter().any(|key| place.ends_with(key)) {
                continue;
            }
            let used = last_used(&place);
            match used.elapsed().is_ok_and(|unused| unused > kept) {
                true => remove(&place),
                false => sessions.push((used, size_of(&place), place)),
            }
        }
        sessions.sort();
        let mut total: u64 = sessions.iter().map(|(_, size, _)| size).sum();
        for (_, size, place) in sessions {
            if total <= limit {
                break;
            }
            remove(&place);
            total -= size;
        }
    }
}

/// When something was last written about the session in `place`.
fn last_used(place: &Path) -> SystemTime {
    let files = ["session.json", "changes.jsonl", "git"].map(|name| place.join(name));
    let times = files.iter().filter_map(|file| file.metadata().and_then(|metadata| metadata.modified()).ok());
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The name of a session's folder. Ids of callers are no names of files.
fn key(whose: &Whose<'_>, root: &Path) -> String {
    let mut hash = Sha256::new();
    hash.update(match whose {
        Whose::Session(session) => session.as_str(),
        Whose::Project => "",
    });
    hash.update(b"\0");
    hash.update(root.as_os_str().as_encoded_bytes());
    hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

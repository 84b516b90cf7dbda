//! What is known of the registered folders. Looked at on other threads, one at a time for each folder, so that one
//! that does not answer holds up nothing but itself.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ignore::WalkBuilder;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};
use webcodex_contracts::ProjectId;
use webcodex_contracts::control::{FolderFacts, GitFacts, Place};
use webcodex_git::{Git, Summary};
use webcodex_link::control::RunnerNews;
use webcodex_projects::Project;

use super::place;

/// Whether a folder is there, and on which commit it stands, is looked at this often while somebody asks.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Everything is counted again after this time even if nothing is known to have changed.
const COUNT_EVERY: Duration = Duration::from_secs(15 * 60);
/// A folder in which work goes on is not counted more often than this.
const COUNT_AGAIN: Duration = Duration::from_secs(2);
/// A folder that does not answer for so long cannot be reached now.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);
/// Longest count of changed files.
const CHANGES_WITHIN: Duration = Duration::from_secs(3);
/// Longest count of files.
const FILES_WITHIN: Duration = Duration::from_secs(20);
/// Folders looked at side by side.
const AT_ONCE: usize = 2;

/// See the module.
pub(super) struct Facts {
    shared: Arc<Shared>,
}

struct Shared {
    known: Mutex<HashMap<ProjectId, Known>>,
    at_once: Semaphore,
    news: Arc<watch::Sender<RunnerNews>>,
}

/// What is known of one folder.
#[derive(Default, Clone)]
struct Known {
    measured: Measured,
    looked: Option<Instant>,
    counted: Option<Instant>,
    /// A look is under way.
    busy: bool,
    /// Work was done in it since it was counted.
    stale: bool,
}

/// What a look found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Measured {
    /// Nothing where nobody has looked yet.
    pub(super) reachable: Option<bool>,
    summary: Summary,
    uncommitted: u64,
    files: Option<u64>,
    bytes: Option<u64>,
    place: Place,
}

impl Measured {
    /// The facts of the folder itself; how it lies to others is not in it.
    pub(super) fn facts(&self) -> FolderFacts {
        let git = self
            .summary
            .git
            .then(|| GitFacts { branch: self.summary.at.branch.clone(), uncommitted: self.uncommitted });
        FolderFacts { git, files: self.files, bytes: self.bytes, place: self.place, ..FolderFacts::default() }
    }
}

impl Facts {
    pub(super) fn new(news: Arc<watch::Sender<RunnerNews>>) -> Self {
        let at_once = Semaphore::new(AT_ONCE);
        Self { shared: Arc::new(Shared { known: Mutex::default(), at_once, news }) }
    }

    /// What is known of `project` now. Begins to look again where that is due.
    pub(super) fn of(&self, project: &Arc<Project>, git: &Arc<Git>, worked_in: bool) -> Measured {
        let mut all = self.shared.known.lock();
        let known = all.entry(project.id.clone()).or_default();
        known.stale |= worked_in;
        let measured = known.measured.clone();
        let after = |moment: Option<Instant>, time| moment.is_none_or(|moment| moment.elapsed() >= time);
        let count = after(known.counted, COUNT_EVERY) || (known.stale && after(known.counted, COUNT_AGAIN));
        if !known.busy && (count || after(known.looked, LOOK_EVERY)) {
            known.busy = true;
            let look =
                Look { project: Arc::clone(project), git: Arc::clone(git), before: measured.clone(), count };
            tokio::spawn(look.carry_out(Arc::clone(&self.shared)));
        }
        measured
    }

    /// Forgets what is not registered any more.
    pub(super) fn keep_only(&self, projects: &[Arc<Project>]) {
        self.shared.known.lock().retain(|id, _| projects.iter().any(|project| project.id == *id));
    }
}

/// One look at one folder.
struct Look {
    project: Arc<Project>,
    git: Arc<Git>,
    before: Measured,
    count: bool,
}

impl Look {
    async fn carry_out(self, shared: Arc<Shared>) {
        let id = self.project.id.clone();
        let (count, before) = (self.count, self.before.clone());
        let permit = shared.at_once.acquire().await;
        let mut looking = tokio::task::spawn_blocking(move || self.look());
        let found = match tokio::time::timeout(ANSWER_WITHIN + CHANGES_WITHIN, &mut looking).await {
            Ok(found) => found.ok(),
            Err(_) => {
                // Others need not wait for this one.
                drop(permit);
                shared.note(&id, Measured { reachable: Some(false), ..before }, |_| {});
                looking.await.ok()
            }
        };
        let Some((measured, counted, root)) = found else {
            return shared.ended(&id);
        };
        let now = Instant::now();
        shared.note(&id, measured.clone(), |known| {
            known.looked = Some(now);
            if counted {
                (known.counted, known.stale) = (Some(now), false);
            }
        });
        if (counted || count) && measured.reachable == Some(true) {
            let sizes = tokio::task::spawn_blocking(move || sizes(&root)).await.ok().flatten();
            if let Some((files, bytes)) = sizes {
                shared.note(&id, Measured { files: Some(files), bytes: Some(bytes), ..measured }, |_| {});
            }
        }
        shared.ended(&id);
    }

    /// Looks; on a thread that may wait.
    fn look(self) -> (Measured, bool, std::path::PathBuf) {
        let Self { project, git, before, count } = self;
        let root = project.root.clone();
        if !root.is_dir() {
            return (Measured { reachable: Some(false), ..before }, false, root);
        }
        let access = project.read_access();
        let summary = git.project_summary(&access).unwrap_or_default();
        let count = count || summary != before.summary;
        let mut measured = Measured { reachable: Some(true), summary, ..before };
        if count {
            measured.place = place::of(&root);
            if measured.summary.git
                && let Ok(Some(changed)) = git.changed_count(&access, CHANGES_WITHIN)
            {
                measured.uncommitted = changed;
            }
        }
        (measured, count, root)
    }
}

impl Shared {
    /// Notes what was found and tells if it is new.
    fn note(&self, id: &ProjectId, measured: Measured, change: impl FnOnce(&mut Known)) {
        let mut all = self.known.lock();
        let Some(known) = all.get_mut(id) else { return };
        let new = known.measured != measured;
        known.measured = measured;
        change(known);
        drop(all);
        if new {
            self.news.send_modify(|news| news.projects += 1);
        }
    }

    fn ended(&self, id: &ProjectId) {
        if let Some(known) = self.known.lock().get_mut(id) {
            known.busy = false;
        }
    }
}

/// Files that are not ignored, and their size; nothing where counting takes too long.
fn sizes(root: &Path) -> Option<(u64, u64)> {
    let deadline = Instant::now() + FILES_WITHIN;
    let (mut files, mut bytes) = (0, 0);
    let walk = WalkBuilder::new(root).hidden(false).filter_entry(|entry| entry.file_name() != ".git").build();
    for entry in walk.flatten() {
        if files % 256 == 0 && Instant::now() >= deadline {
            return None;
        }
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files += 1;
            bytes += entry.metadata().map_or(0, |about| about.len());
        }
    }
    Some((files, bytes))
}

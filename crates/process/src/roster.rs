//! The executions that are known here, with their bounds.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::watch;
use webcodex_contracts::JobId;

use crate::JobsError;
use crate::core::Core;
use crate::drive::blocking;
use crate::guard::Guard;
use crate::ledger::{Ledger, SLOTS};
use crate::text::Locale;

/// Commands that run at once.
pub(crate) const MAX_RUNNING: usize = 128;
/// Finished jobs that are remembered; the other slots are for commands that ended while their caller waited.
const MAX_FINISHED_JOBS: usize = 256;
/// Output of finished commands kept in memory, in bytes.
const MAX_MEMORY: u64 = 4 * 1024 * 1024;
/// Output of finished jobs kept on disk, in bytes.
const MAX_DISK: u64 = 256 * 1024 * 1024;

/// What every part of this crate shares.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Where records, logs and scripts are.
    pub(crate) folder: PathBuf,
    /// This Runner process in the ledger and in the marks of its commands.
    pub(crate) owner: String,
    pub(crate) ledger: Ledger,
    pub(crate) locale: Locale,
    pub(crate) closing: AtomicBool,
    /// Told when facts of jobs change.
    pub(crate) changes: watch::Sender<u64>,
    guard: Mutex<Option<Guard>>,
    roster: Mutex<Roster>,
}

/// The executions, by id and by age.
#[derive(Debug)]
pub(crate) struct Roster {
    jobs: HashMap<JobId, Arc<Core>>,
    order: BTreeMap<u64, Arc<Core>>,
    free: Vec<usize>,
    running: usize,
    next_sequence: u64,
    /// Ended while their caller waited, oldest first.
    quick: VecDeque<Arc<Core>>,
    /// Ended after they had become jobs, oldest first.
    jobs_ended: VecDeque<Arc<Core>>,
    memory: Kept,
    disk: Kept,
}

/// Outputs in the order in which they are let go.
#[derive(Debug, Default)]
struct Kept {
    outputs: VecDeque<(Arc<Core>, u64)>,
    bytes: u64,
}

impl Kept {
    fn add(&mut self, core: &Arc<Core>, bytes: u64, limit: u64) -> Vec<Arc<Core>> {
        if bytes == 0 {
            return Vec::new();
        }
        self.outputs.push_back((Arc::clone(core), bytes));
        self.bytes += bytes;
        let mut over = Vec::new();
        while self.bytes > limit
            && let Some((core, bytes)) = self.outputs.pop_front()
        {
            self.bytes -= bytes;
            over.push(core);
        }
        over
    }
}

/// A place for a new execution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) slot: usize,
    pub(crate) sequence: u64,
}

impl Roster {
    pub(crate) fn new(used: &[usize], next_sequence: u64) -> Self {
        Self {
            jobs: HashMap::new(),
            order: BTreeMap::new(),
            free: (0..SLOTS).rev().filter(|slot| !used.contains(slot)).collect(),
            running: 0,
            next_sequence,
            quick: VecDeque::new(),
            jobs_ended: VecDeque::new(),
            memory: Kept::default(),
            disk: Kept::default(),
        }
    }

    fn insert(&mut self, core: &Arc<Core>) {
        self.jobs.insert(core.id.clone(), Arc::clone(core));
        self.order.insert(core.sequence, Arc::clone(core));
    }

    fn remove(&mut self, core: &Core) {
        self.jobs.remove(&core.id);
        self.order.remove(&core.sequence);
        self.free.push(core.slot);
    }

    /// The finished execution that has to make room.
    fn oldest(&mut self) -> Option<Arc<Core>> {
        if self.jobs_ended.len() > MAX_FINISHED_JOBS || self.quick.is_empty() {
            return self.jobs_ended.pop_front();
        }
        self.quick.pop_front()
    }
}

impl Shared {
    pub(crate) fn new(
        folder: PathBuf,
        owner: String,
        ledger: Ledger,
        locale: Locale,
        roster: Roster,
    ) -> Self {
        Self {
            folder,
            owner,
            ledger,
            locale,
            closing: AtomicBool::new(false),
            changes: watch::Sender::new(0),
            guard: Mutex::new(None),
            roster: Mutex::new(roster),
        }
    }

    /// Where scripts are written that exist only while they run.
    pub(crate) fn scripts(&self) -> PathBuf {
        self.folder.join("scripts")
    }

    /// Starts the guard if it is not there yet.
    pub(crate) fn ensure_guard(&self) {
        let mut guard = self.guard.lock();
        if guard.is_none() {
            match Guard::start(&ledger_file(&self.folder), &self.owner) {
                Ok(started) => *guard = Some(started),
                Err(error) => tracing::warn!(%error, "commands would outlive this Runner if it were killed"),
            }
        }
    }

    /// Room for a new execution. May remove files of an old one.
    pub(crate) fn reserve(&self) -> Result<Place, JobsError> {
        if self.closing.load(Ordering::Acquire) {
            return Err(JobsError::ShuttingDown);
        }
        let (place, evicted) = {
            let mut roster = self.roster.lock();
            if roster.running >= MAX_RUNNING {
                return Err(JobsError::TooMany { running: roster.running });
            }
            let evicted = if roster.free.is_empty() { roster.oldest() } else { None };
            if let Some(old) = &evicted {
                roster.remove(old);
            }
            let too_many = JobsError::TooMany { running: roster.running };
            let slot = roster.free.pop().ok_or(too_many)?;
            roster.running += 1;
            roster.next_sequence += 1;
            (Place { slot, sequence: roster.next_sequence }, evicted)
        };
        if let Some(old) = evicted {
            old.output.forget();
        }
        Ok(place)
    }

    /// Gives back what [`Shared::reserve`] gave for a command that did not start.
    pub(crate) fn release(&self, place: Place) {
        if let Err(error) = self.ledger.clear(place.slot) {
            tracing::warn!(%error, "a record could not be removed");
        }
        let mut roster = self.roster.lock();
        roster.running -= 1;
        roster.free.push(place.slot);
    }

    /// Makes an execution known.
    pub(crate) fn insert(&self, core: &Arc<Core>) {
        self.roster.lock().insert(core);
        core.changed();
    }

    /// Makes an execution of an earlier Runner known; `running` if it still is.
    pub(crate) fn insert_restored(&self, core: &Arc<Core>, running: bool) {
        let mut roster = self.roster.lock();
        roster.insert(core);
        if running {
            roster.running += 1;
            return;
        }
        roster.jobs_ended.push_back(Arc::clone(core));
        let (_, disk) = core.output.size();
        let over = roster.disk.add(core, disk, MAX_DISK);
        drop(roster);
        over.iter().for_each(|core| core.output.forget());
    }

    /// Writes the execution's line.
    pub(crate) fn record(&self, core: &Core) {
        if let Err(error) = self.ledger.write(core.slot, &core.line(&self.owner)) {
            tracing::warn!(job = %core.id, %error, "a record could not be written");
            core.note(format!(
                "Its record could not be written ({error}): after a restart of the Runner it may not be listed."
            ));
        }
    }

    /// Completes a line that was written before the command started.
    pub(crate) fn record_start(&self, core: &Core) {
        if core.detached {
            self.record(core);
            return;
        }
        let pid = core.state.lock().pid;
        if let Err(error) = self.ledger.write_pid(core.slot, pid) {
            tracing::warn!(job = %core.id, %error, "a record could not be completed");
        }
    }

    /// The execution is a job from now on: its output goes to disk.
    pub(crate) fn hand_over(&self, core: &Arc<Core>) {
        let keeper = Arc::clone(core);
        tokio::spawn(async move {
            let kept = blocking({
                let core = Arc::clone(&keeper);
                move || core.output.keep()
            });
            if let Some(Err(error)) = kept.await {
                keeper.note(format!("Its output is in memory only: {error}"));
            }
            if keeper.progress.borrow().settled {
                keeper.output.close();
            }
        });
        core.progress.send_modify(|progress| progress.handed_over = true);
        core.changed();
    }

    /// The command has ended; `settled` if nothing it started goes on. `core` states how already.
    pub(crate) fn note_end(&self, core: &Arc<Core>, settled: bool) {
        self.record(core);
        core.progress.send_modify(|progress| {
            progress.ended = true;
            progress.settled = settled;
        });
        core.changed();
        if settled {
            self.retire(core);
        }
    }

    /// What the command had left running is gone.
    pub(crate) fn note_settled(&self, core: &Arc<Core>) {
        self.record(core);
        core.progress.send_modify(|progress| progress.settled = true);
        core.changed();
        self.retire(core);
    }

    /// From now on the execution may make room for others.
    fn retire(&self, core: &Arc<Core>) {
        core.state.lock().group = None;
        core.output.close();
        let (memory, disk) = core.output.size();
        let quick = !core.detached && !core.progress.borrow().handed_over;
        let over = {
            let mut roster = self.roster.lock();
            roster.running -= 1;
            if quick {
                roster.quick.push_back(Arc::clone(core))
            } else {
                roster.jobs_ended.push_back(Arc::clone(core))
            }
            let mut over = roster.memory.add(core, memory, MAX_MEMORY);
            over.append(&mut roster.disk.add(core, disk, MAX_DISK));
            over
        };
        if !over.is_empty() {
            tokio::task::spawn_blocking(move || over.iter().for_each(|core| core.output.forget()));
        }
    }

    /// The execution with this id.
    pub(crate) fn find(&self, id: &JobId) -> Option<Arc<Core>> {
        self.roster.lock().jobs.get(id).cloned()
    }

    /// Executions older than `before`, newest first, as long as `wanted` takes them.
    pub(crate) fn newest_before(&self, before: u64, mut wanted: impl FnMut(&Arc<Core>) -> bool) {
        let newest: Vec<Arc<Core>> =
            self.roster.lock().order.range(..before).rev().map(|(_, core)| Arc::clone(core)).collect();
        for core in &newest {
            if !wanted(core) {
                return;
            }
        }
    }
}

/// The ledger in the folder of jobs.
pub(crate) fn ledger_file(folder: &Path) -> PathBuf {
    folder.join("ledger")
}

//! The threads of one search.
//!
//! The caller only waits: a thread that hangs in a system call is left behind, and the caller goes on with what there
//! is when its time is over.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use webcodex_contracts::ProjectPath;
use webcodex_projects::ReadAccess;

use super::deadline::Deadline;
use super::ignores::ProjectRules;
use super::mask::Mask;
use super::outcome::Outcome;
use super::plan::Plan;
use super::scan::{Scanned, Scanner};
use super::scope::Scope;
use super::tally::Tally;
use super::walk::{Expanded, FolderTask, LeftOut, Task, Walk};
use super::worklist::{Files, Job, Left, Work, WorkList};
use super::{SearchError, Searcher};

/// Outcomes that may wait for an earlier one, in bytes, before the other threads wait too.
const MAX_WAITING_BYTES: usize = 8 * 1024 * 1024;
/// A file at which a thread is seen twice, this far apart, holds no other files back.
const STALL: Duration = Duration::from_millis(300);

/// What the threads of one search share.
pub(super) struct Crew {
    searcher: Searcher,
    access: ReadAccess,
    plan: Arc<Plan>,
    walk: OnceLock<Walk>,
    state: Mutex<State>,
    /// There may be something to do.
    work: Condvar,
    /// There is nothing to do any more.
    ended: Condvar,
    stop: AtomicBool,
    /// The queries that still search; a copy of the one in the state, to be read at any time.
    live: AtomicU8,
}

struct State {
    list: WorkList,
    live: Mask,
    results: Results,
    /// The named path that is being looked up.
    resolving: Option<ProjectPath>,
    /// Places at which jobs were left behind when the search was closed.
    left_behind: Vec<(u64, PathBuf)>,
    closed: bool,
    faulted: bool,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Results {
    pub(super) tallies: Vec<Option<Tally>>,
    pub(super) errors: Vec<Option<SearchError>>,
    pub(super) left_out: LeftOut,
}

/// How a search ended.
pub(super) struct Ended {
    pub(super) results: Results,
    /// What was not done, in order.
    pub(super) left: Vec<Left>,
    /// The queries that were not done.
    pub(super) live: Mask,
    pub(super) faulted: bool,
}

impl Crew {
    pub(super) fn new(
        searcher: &Searcher,
        access: &ReadAccess,
        plan: Plan,
        errors: Vec<Option<SearchError>>,
    ) -> Arc<Self> {
        let live = plan.all;
        let tallies = (0..errors.len()).map(|number| plan.query(number).map(Tally::new)).collect();
        let state = State {
            list: WorkList::new(Task::Begin(live)),
            live,
            results: Results { tallies, errors, left_out: LeftOut::default() },
            resolving: None,
            left_behind: Vec::new(),
            closed: false,
            faulted: false,
        };
        Arc::new(Self {
            searcher: searcher.clone(),
            access: access.clone(),
            plan: Arc::new(plan),
            walk: OnceLock::new(),
            state: Mutex::new(state),
            work: Condvar::new(),
            ended: Condvar::new(),
            stop: AtomicBool::new(false),
            live: AtomicU8::new(live.bits()),
        })
    }

    /// Starts the threads and waits until all is done or the time is over.
    pub(super) fn run(self: &Arc<Self>, deadline: &Deadline) -> Ended {
        let started = (0..self.searcher.threads).filter(|_| self.start_thread()).count();
        if started == 0 {
            let mut state = self.state.lock();
            let busy = state.live.iter().map(|number| (number, SearchError::Busy)).collect::<Vec<_>>();
            busy.into_iter().for_each(|(number, error)| self.fail_in(&mut state, number, error));
        }
        self.wait(deadline);
        self.close()
    }

    /// Starts a thread, unless too many of earlier searches have not come back.
    fn start_thread(self: &Arc<Self>) -> bool {
        let Some(place) = self.searcher.running.take() else { return false };
        let crew = Arc::clone(self);
        let work = move || {
            crew.serve();
            drop(place);
        };
        std::thread::Builder::new().name("search".to_owned()).spawn(work).is_ok()
    }

    fn wait(&self, deadline: &Deadline) {
        let mut state = self.state.lock();
        while !state.is_over() && !deadline.is_soon() {
            self.ended.wait_for(&mut state, deadline.next_look());
        }
        self.stop.store(true, Ordering::Relaxed);
        self.work.notify_all();
        while state.list.running() > 0 && !state.is_over() && !deadline.is_over() {
            self.ended.wait_for(&mut state, deadline.next_look());
        }
    }

    /// Takes the results; threads that come back later find nothing to add to.
    fn close(&self) -> Ended {
        let mut state = self.state.lock();
        state.closed = true;
        // Where all queries have enough, threads still at work only did so in advance.
        let late = !state.is_over();
        let nothing = WorkList::new(Task::Begin(Mask::NONE));
        let left: Vec<Left> = std::mem::replace(&mut state.list, nothing).into_left().collect();
        for left in &left {
            let (job, place) = match left {
                Left::Unanswered { job, path, .. } => (*job, Some(self.access.root().join(path))),
                Left::Unbegun { job } => {
                    (*job, state.resolving.as_ref().map(|path| self.access.root().join(path.as_str())))
                }
                Left::Untouched { .. } | Left::Done(_) => continue,
            };
            if let Some(place) = place.filter(|_| late) {
                self.searcher.stuck.add(place.clone());
                state.left_behind.push((job, place));
            }
        }
        Ended { results: std::mem::take(&mut state.results), left, live: state.live, faulted: state.faulted }
    }

    fn serve(&self) {
        let _watch = FaultWatch(self);
        let mut scanner = Scanner::new(&self.searcher.files, &self.access, &self.plan);
        while let Some(job) = self.next() {
            match &job.work {
                Work::Begin(queries) => self.begin(&job, *queries),
                Work::Folder(task) => self.list_folder(&job, task),
                Work::Files(files) => self.search_files(&job, files, &mut scanner),
            }
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.state.lock();
        loop {
            if state.closed || state.is_over() || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let live = state.live;
            if state.list.waiting_bytes() <= MAX_WAITING_BYTES
                && let Some(job) = state.list.take(live)
            {
                if state.list.has_ready() {
                    self.work.notify_one();
                }
                return Some(job);
            }
            if state.is_over() {
                self.ended.notify_one();
                return None;
            }
            if self.work.wait_for(&mut state, STALL).timed_out() {
                state.list.free_stalled();
            }
        }
    }

    fn live(&self) -> Mask {
        Mask::from_bits(self.live.load(Ordering::Relaxed))
    }

    fn begin(&self, job: &Job, queries: Mask) {
        let mut scope = Scope::default();
        let look = |path: &ProjectPath| {
            self.state.lock().resolving = Some(path.clone());
            !self.searcher.stuck.holds(self.access.root(), path.as_str())
        };
        for number in queries.iter() {
            let Some(query) = self.plan.query(number) else { continue };
            if let Err(error) = scope.add(number, query, &self.access, &look) {
                self.fail(number, error);
            }
        }
        let root = self.access.root().to_owned();
        let rules = ProjectRules::read(&root);
        let open = self.searcher.open_folders.clone();
        let walk = self.walk.get_or_init(|| Walk { root, rules, named: scope.named, open });
        self.finish(job, Vec::new(), vec![walk.first(scope.whole)], LeftOut::default());
    }

    fn fail(&self, number: usize, error: SearchError) {
        self.fail_in(&mut self.state.lock(), number, error);
    }

    fn fail_in(&self, state: &mut State, number: usize, error: SearchError) {
        if let Some(place) = state.results.errors.get_mut(number) {
            *place = Some(error);
        }
        self.set_live(state, Mask::one(number));
    }

    fn set_live(&self, state: &mut State, ended: Mask) {
        state.live = state.live.without(ended);
        self.live.store(state.live.bits(), Ordering::Relaxed);
    }

    fn list_folder(&self, job: &Job, task: &FolderTask) {
        let expanded = match self.walk.get() {
            Some(walk) if self.searcher.stuck.holds(&walk.root, &task.path) => Expanded::unanswered(task),
            Some(walk) => walk.expand(task, &self.plan, self.live()),
            None => Expanded::default(),
        };
        self.finish(job, expanded.outcomes, expanded.tasks, expanded.left_out);
    }

    fn search_files(&self, job: &Job, files: &Files, scanner: &mut Scanner) {
        let listing = &files.task.listing;
        while let Some(file) = files.current() {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let scanned = match self.searcher.stuck.holds(self.access.root(), &listing.path)
                || self.searcher.stuck.holds(self.access.root(), &listing.path_of(file))
            {
                true => Scanned::unanswered(listing, file),
                false => scanner.scan(listing, file, self.live(), &self.stop),
            };
            match scanned {
                Scanned::Stopped => break,
                Scanned::Nothing => files.advance(None),
                Scanned::Outcome(outcome) => files.advance(Some(outcome)),
            }
        }
        let (outcomes, rest) = files.give_back();
        self.finish(job, outcomes, rest.into_iter().collect(), LeftOut::default());
    }

    fn finish(&self, job: &Job, outcomes: Vec<Outcome>, tasks: Vec<Task>, left_out: LeftOut) {
        let mut state = self.state.lock();
        if state.closed {
            let behind = state.left_behind.iter().filter(|(left, _)| *left == job.id);
            behind.for_each(|(_, place)| self.searcher.stuck.remove(place));
            return;
        }
        state.results.left_out.hidden |= left_out.hidden;
        state.results.left_out.ignored |= left_out.ignored;
        state.list.finish(job, outcomes, tasks);
        let mut full = Mask::NONE;
        while let Some(outcomes) = state.list.ripe() {
            for outcome in outcomes {
                full |= state.results.commit(outcome, self.plan.all);
            }
        }
        self.set_live(&mut state, full);
        if state.is_over() || self.stop.load(Ordering::Relaxed) {
            self.ended.notify_one();
            self.work.notify_all();
        }
    }
}

impl State {
    fn is_over(&self) -> bool {
        self.faulted || self.live.is_empty() || self.list.is_empty()
    }
}

impl Results {
    /// Adds the next outcome in order for some queries; returns those that have enough.
    pub(super) fn commit(&mut self, outcome: Outcome, queries: Mask) -> Mask {
        let mut full = Mask::NONE;
        match outcome {
            Outcome::Found { path, hits } => {
                for (number, hits) in hits.into_iter().filter(|(number, _)| queries.holds(*number)) {
                    let Some(Some(tally)) = self.tallies.get_mut(number) else { continue };
                    tally.add(&path, hits);
                    if tally.full {
                        full |= Mask::one(number);
                    }
                }
            }
            Outcome::Skipped(skip) => {
                for number in (skip.queries & queries).iter() {
                    let Some(Some(tally)) = self.tallies.get_mut(number) else { continue };
                    if !tally.full {
                        tally.skips.add(&skip);
                    }
                }
            }
        }
        full
    }
}

/// Ends the search when a thread ends by a panic, so that nobody waits for it.
struct FaultWatch<'a>(&'a Crew);

impl Drop for FaultWatch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state.lock().faulted = true;
            self.0.ended.notify_one();
            self.0.work.notify_all();
        }
    }
}

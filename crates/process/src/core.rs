//! One execution while it is known here: identity, output, state, and who waits for it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::{JobId, ProjectId, ProjectPath, SessionId};

use crate::ledger::{Line, Mark};
use crate::output::{Output, Totals};
use crate::record::{Ending, Record, now_ms};
use crate::sys::Group;

/// An execution.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) id: JobId,
    pub(crate) project: ProjectId,
    pub(crate) session_id: Option<SessionId>,
    /// The command in one short line.
    pub(crate) label: String,
    pub(crate) sequence: u64,
    pub(crate) slot: usize,
    pub(crate) started_at_ms: u64,
    /// Absent where an earlier Runner started it.
    pub(crate) started: Option<Instant>,
    pub(crate) detached: bool,
    /// Whether input was given; without it, reading finds the end at once.
    pub(crate) has_input: bool,
    pub(crate) timeout: Duration,
    /// The folder it runs in, where this Runner started it.
    pub(crate) cwd: Option<ProjectPath>,
    /// When it last wrote something, in milliseconds since 1970; 0 for not yet.
    pub(crate) wrote_at_ms: AtomicU64,
    /// Told when its facts change.
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) output: Output,
    pub(crate) progress: watch::Sender<Progress>,
    pub(crate) orders: watch::Sender<Option<Order>>,
    pub(crate) state: Mutex<State>,
}

/// What waiting callers watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Progress {
    pub(crate) written: Totals,
    /// It ran longer than its caller waits, and is a job from now on.
    pub(crate) handed_over: bool,
    /// The command itself has ended.
    pub(crate) ended: bool,
    /// Nothing that it started is left either.
    pub(crate) settled: bool,
}

/// What an execution is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// A caller wants it to end.
    Stop,
    /// The Runner ends.
    ShutDown,
    /// What it left running has ended by itself.
    Settle,
}

/// What changes in the course of an execution.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) pid: u32,
    pub(crate) stamp: Option<u64>,
    pub(crate) ending: Option<Ending>,
    /// Its processes, until none is left.
    pub(crate) group: Option<Arc<Group>>,
    /// Processes that live on after the command itself has ended.
    pub(crate) survivors: Vec<u32>,
    /// What else the caller should know.
    pub(crate) notes: Vec<String>,
}

impl Core {
    /// Tells those who show jobs, if it is one.
    pub(crate) fn changed(&self) {
        if self.detached || self.progress.borrow().handed_over {
            self.changes.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// The execution as the ledger keeps it.
    pub(crate) fn line(&self, owner: &str) -> Line {
        let state = self.state.lock();
        let mark = match (&state.ending, self.detached) {
            (Some(_), _) if !state.survivors.is_empty() => Mark::Leftover,
            (Some(_), _) => Mark::Finished,
            (None, true) => Mark::Detached,
            (None, false) => Mark::Running,
        };
        let record = Record {
            id: self.id.clone(),
            project: self.project.clone(),
            session_id: self.session_id.clone(),
            command: self.label.clone(),
            sequence: self.sequence,
            started_at_ms: self.started_at_ms,
            detached: self.detached,
            stamp: state.stamp,
            ending: state.ending,
            written: self.output.totals(),
        };
        Line { mark, pid: state.pid, owner: owner.to_owned(), record }
    }

    /// How it ended, if it has.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.state.lock().ending
    }

    /// Run time so far, or in all.
    pub(crate) fn duration_ms(&self) -> u64 {
        if let Some(ending) = self.ending() {
            return ending.duration_ms;
        }
        match self.started {
            Some(started) => u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            None => now_ms().saturating_sub(self.started_at_ms),
        }
    }

    /// An ending at this moment.
    pub(crate) fn ending_now(&self, outcome: Outcome, exit_code: Option<i64>, signal: Option<i32>) -> Ending {
        Ending { outcome, exit_code, signal, duration_ms: self.duration_ms() }
    }

    /// Adds something that the caller should know, once.
    pub(crate) fn note(&self, note: impl Into<String>) {
        let note = note.into();
        let notes = &mut self.state.lock().notes;
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Bytes written so far; a detached command writes without telling.
    pub(crate) fn written(&self) -> Totals {
        if self.detached { self.output.totals() } else { self.progress.borrow().written }
    }
}

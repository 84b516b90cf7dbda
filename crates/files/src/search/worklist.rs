//! What is still to do, in the order of the results.
//!
//! Work is handed out from the front, several pieces at a time; a folder is replaced by what is in it. Outcomes leave
//! at the front only, so they leave in the order of their paths however long each piece took.

use std::sync::Arc;

use parking_lot::Mutex;

use super::mask::Mask;
use super::outcome::Outcome;
use super::walk::{FilesTask, FolderTask, ListedFile, Task};

/// Files in one piece of work.
const FILES_AT_ONCE: usize = 16;

/// The pieces, the first one last.
#[derive(Debug)]
pub(super) struct WorkList {
    pieces: Vec<Piece>,
    next_id: u64,
    running: usize,
    waiting_bytes: usize,
}

#[derive(Debug)]
enum Piece {
    Ready(Task),
    Running(Job),
    Done(Vec<Outcome>),
}

/// A piece that was handed out.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) work: Work,
}

/// What a job is about.
#[derive(Debug, Clone)]
pub(super) enum Work {
    Begin(Mask),
    Folder(Arc<FolderTask>),
    Files(Arc<Files>),
}

/// Files that are searched one after the other.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) task: FilesTask,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    at: usize,
    end: usize,
    outcomes: Vec<Outcome>,
    /// Where it was when somebody last looked whether it moves.
    seen_at: Option<usize>,
}

/// A piece that was not done when the search ended.
#[derive(Debug)]
pub(super) enum Left {
    /// Nobody had begun it: `path` and all that follows is still ahead.
    Untouched { path: String, queries: Mask },
    /// The job of this number was at it.
    Unanswered { job: u64, path: String, queries: Mask },
    /// The job of this number was still finding out where to search.
    Unbegun { job: u64 },
    /// It was done.
    Done(Vec<Outcome>),
}

impl Files {
    fn new(task: FilesTask) -> Self {
        let progress =
            Progress { at: task.range.start, end: task.range.end, outcomes: Vec::new(), seen_at: None };
        Self { task, progress: Mutex::new(progress) }
    }

    /// The file that is next.
    pub(super) fn current(&self) -> Option<&ListedFile> {
        let progress = self.progress.lock();
        (progress.at < progress.end).then(|| self.task.listing.files.get(progress.at)).flatten()
    }

    /// Goes on to the file after the current one.
    pub(super) fn advance(&self, outcome: Option<Outcome>) {
        let mut progress = self.progress.lock();
        progress.outcomes.extend(outcome);
        progress.at += 1;
    }

    /// The outcomes so far, and the files that were not looked at.
    pub(super) fn give_back(&self) -> (Vec<Outcome>, Option<Task>) {
        let mut progress = self.progress.lock();
        let rest =
            (progress.at < progress.end).then(|| Task::Files(self.task.part(progress.at..progress.end)));
        (std::mem::take(&mut progress.outcomes), rest)
    }

    /// The files after the current one, if that has not moved since the last time somebody looked.
    fn give_up_rest(&self) -> Option<Task> {
        let mut progress = self.progress.lock();
        if progress.seen_at != Some(progress.at) {
            progress.seen_at = Some(progress.at);
            return None;
        }
        let rest = progress.at + 1..progress.end;
        progress.end = progress.end.min(progress.at + 1);
        (!rest.is_empty()).then(|| Task::Files(self.task.part(rest)))
    }

    /// What is left when the search ends early.
    fn left(&self, job: u64) -> Vec<Left> {
        let mut progress = self.progress.lock();
        let FilesTask { listing, queries, .. } = &self.task;
        let (at, queries) = (progress.at, *queries);
        let mut left = vec![Left::Done(std::mem::take(&mut progress.outcomes))];
        if at < progress.end {
            left.push(Left::Unanswered { job, path: listing.path_at(at), queries });
        }
        if at + 1 < progress.end {
            left.push(Left::Untouched { path: listing.path_at(at + 1), queries });
        }
        left
    }
}

impl WorkList {
    pub(super) fn new(first: Task) -> Self {
        Self { pieces: vec![Piece::Ready(first)], next_id: 0, running: 0, waiting_bytes: 0 }
    }

    /// Whether everything is done and has left.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Pieces handed out and not back yet.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    /// Outcomes that wait for something before them, in bytes; 0 where the next piece is the first.
    pub(super) fn waiting_bytes(&self) -> usize {
        match self.pieces.last() {
            Some(Piece::Ready(_)) => 0,
            _ => self.waiting_bytes,
        }
    }

    /// Whether something may be handed out.
    pub(super) fn has_ready(&self) -> bool {
        self.pieces.iter().rev().any(|piece| matches!(piece, Piece::Ready(_)))
    }

    /// Hands out the first piece that some of the `live` queries want; the others need not be done at all.
    pub(super) fn take(&mut self, live: Mask) -> Option<Job> {
        loop {
            let at = self.pieces.iter().rposition(|piece| matches!(piece, Piece::Ready(_)))?;
            let Piece::Ready(task) = self.pieces.remove(at) else { return None };
            if (task.queries() & live).is_empty() {
                continue;
            }
            let (work, rest) = begin(task);
            let job = Job { id: self.next_id, work };
            self.next_id += 1;
            self.running += 1;
            let pieces = rest.map(Piece::Ready).into_iter().chain([Piece::Running(job.clone())]);
            self.pieces.splice(at..at, pieces);
            return Some(job);
        }
    }

    /// Takes a piece back: its outcomes, and the tasks that take its place after them.
    pub(super) fn finish(&mut self, job: &Job, outcomes: Vec<Outcome>, tasks: Vec<Task>) {
        let is_it = |piece: &Piece| matches!(piece, Piece::Running(running) if running.id == job.id);
        let Some(at) = self.pieces.iter().rposition(is_it) else { return };
        self.running -= 1;
        self.waiting_bytes += weight(&outcomes);
        let tasks = tasks.into_iter().rev().map(Piece::Ready);
        match self.pieces.get_mut(at + 1) {
            // What comes before is done as well: one piece, so that there are never many to step over.
            Some(Piece::Done(before)) => {
                before.extend(outcomes);
                self.pieces.splice(at..=at, tasks);
            }
            _ => {
                let done = (!outcomes.is_empty()).then_some(Piece::Done(outcomes));
                self.pieces.splice(at..=at, tasks.chain(done));
            }
        }
    }

    /// Frees the files that wait behind one that does not answer. Needs two looks, some time apart.
    pub(super) fn free_stalled(&mut self) {
        let freed = self.pieces.iter().enumerate().find_map(|(at, piece)| match piece {
            Piece::Running(Job { work: Work::Files(files), .. }) => Some((at, files.give_up_rest()?)),
            _ => None,
        });
        if let Some((at, rest)) = freed {
            self.pieces.insert(at, Piece::Ready(rest));
        }
    }

    /// The outcomes before which everything is done.
    pub(super) fn ripe(&mut self) -> Option<Vec<Outcome>> {
        match self.pieces.pop()? {
            Piece::Done(outcomes) => {
                self.waiting_bytes -= weight(&outcomes);
                Some(outcomes)
            }
            other => {
                self.pieces.push(other);
                None
            }
        }
    }

    /// What is left when the search ends early, in order.
    pub(super) fn into_left(self) -> impl Iterator<Item = Left> {
        self.pieces.into_iter().rev().flat_map(|piece| match piece {
            Piece::Ready(task) => vec![Left::Untouched { path: task.path(), queries: task.queries() }],
            Piece::Done(outcomes) => vec![Left::Done(outcomes)],
            Piece::Running(job) => job.left(),
        })
    }
}

impl Job {
    fn left(self) -> Vec<Left> {
        match self.work {
            Work::Begin(_) => vec![Left::Unbegun { job: self.id }],
            Work::Folder(folder) => {
                vec![Left::Unanswered { job: self.id, path: folder.path.clone(), queries: folder.queries }]
            }
            Work::Files(files) => files.left(self.id),
        }
    }
}

/// A piece of fitting size and the rest.
fn begin(task: Task) -> (Work, Option<Task>) {
    match task {
        Task::Begin(queries) => (Work::Begin(queries), None),
        Task::Folder(folder) => (Work::Folder(Arc::new(folder)), None),
        Task::Files(files) => {
            let middle = files.range.start + FILES_AT_ONCE.min(files.range.len());
            let rest = (middle < files.range.end).then(|| Task::Files(files.part(middle..files.range.end)));
            (Work::Files(Arc::new(Files::new(files.part(files.range.start..middle)))), rest)
        }
    }
}

fn weight(outcomes: &[Outcome]) -> usize {
    outcomes.iter().map(Outcome::weight).sum()
}

#[cfg(test)]
mod tests;

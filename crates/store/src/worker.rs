//! The one thread that owns the connection. Everything that touches the database is a job in its queue.
//!
//! Notes of calls lie beside the queue: they may wait, so only the first of many wakes the thread.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

use crate::StoreError;
use crate::calls::{self, Begun, CallRecord};
use webcodex_contracts::CallId;

/// Records that wait at most so long before they are written.
const FLUSH_AFTER: Duration = Duration::from_millis(500);
/// Notes that are enough for a transaction of their own.
const BATCH: usize = 512;
/// Records kept for a disk that has no room; it is tried again so soon.
const KEPT: usize = 1024;
const AGAIN: Duration = Duration::from_secs(2);
/// Records that may wait; beyond it they are counted and dropped, so that a full disk costs no memory.
const QUEUE: usize = 16_384;

type Work = Box<dyn FnOnce(&mut Connection) + Send>;

enum Job {
    /// There are notes now.
    Noted,
    /// There are many.
    Flush,
    Work(Work),
    Close,
}

/// What is to be written down of a call.
enum Note {
    Begun(Box<CallRecord>),
    Forgotten(CallId),
    Ended(Box<CallRecord>),
}

/// Notes that the thread has not taken yet, oldest first.
type Notes = Arc<Mutex<Vec<Note>>>;

/// Handle of the database thread.
pub(crate) struct Worker {
    queue: mpsc::Sender<Job>,
    notes: Notes,
    waiting: Arc<AtomicUsize>,
    dropped: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(connection: Connection) -> std::io::Result<Self> {
        let (queue, jobs) = mpsc::channel();
        let (notes, waiting) = (Notes::default(), Arc::new(AtomicUsize::new(0)));
        let thread = Thread {
            connection,
            jobs,
            notes: Arc::clone(&notes),
            waiting: Arc::clone(&waiting),
            written: 0,
            batch: Vec::new(),
            begun: Begun::default(),
            forgotten: Vec::new(),
            due: None,
        };
        let thread = std::thread::Builder::new().name("store".to_owned()).spawn(move || thread.run())?;
        Ok(Self { queue, notes, waiting, dropped: AtomicU64::new(0), thread: Mutex::new(Some(thread)) })
    }

    /// Notes a call in flight; never blocks.
    pub(crate) fn begin(&self, record: CallRecord) {
        // It is a mark for the case of a crash: without room for it, the record at the end is enough.
        if self.waiting.load(Ordering::Relaxed) < QUEUE / 2 {
            self.note(Note::Begun(Box::new(record)));
        }
    }

    /// Notes that nothing is kept of a call that was in flight.
    pub(crate) fn forget_begun(&self, id: CallId) {
        self.note(Note::Forgotten(id));
    }

    /// Notes the record of a call that has ended; never blocks.
    pub(crate) fn record(&self, record: CallRecord) {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= QUEUE {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        if !self.note(Note::Ended(Box::new(record))) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Puts a note where the thread finds it; `false` if there is no thread any more. Only the first note wakes the
    /// thread, which then lets others come, and the one that makes them many.
    fn note(&self, note: Note) -> bool {
        let mut notes = self.notes.lock();
        notes.push(note);
        let told = match notes.len() {
            1 => self.queue.send(Job::Noted).is_ok(),
            BATCH => self.queue.send(Job::Flush).is_ok(),
            _ => true,
        };
        if !told {
            notes.clear();
        }
        told
    }

    /// Records that were not kept because the database could not follow.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Has `work` done on the database thread, behind everything queued before it, and waits for nothing.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnOnce(&mut Connection) -> rusqlite::Result<()> + Send + 'static,
    {
        let work: Work = Box::new(move |connection| {
            if let Err(error) = work(connection) {
                tracing::warn!(%error, "a note could not be written");
            }
        });
        // A closed store is at its end; what it does not know of this is looked at again the next time.
        let _ = self.queue.send(Job::Work(work));
    }

    /// Runs `work` on the database thread, behind everything queued before it.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, result) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            // The asker may be gone; the work counts all the same.
            let _ = answer.send(work(connection));
        });
        self.queue.send(Job::Work(work)).map_err(|_| StoreError::Closed)?;
        Ok(result.await.map_err(|_| StoreError::Closed)??)
    }

    /// Writes what waits and ends the thread. Later calls find the store closed.
    pub(crate) fn close(&self) {
        // The thread may have ended before; there is nothing left to do then.
        let _ = self.queue.send(Job::Close);
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the database thread ended with a panic");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.close();
    }
}

struct Thread {
    connection: Connection,
    jobs: mpsc::Receiver<Job>,
    notes: Notes,
    waiting: Arc<AtomicUsize>,
    written: u64,
    batch: Vec<CallRecord>,
    begun: Begun,
    forgotten: Vec<CallId>,
    /// When notes are written at the latest.
    due: Option<Instant>,
}

impl Thread {
    fn run(mut self) {
        loop {
            match self.next() {
                Some(Job::Noted) => {
                    self.due.get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
                }
                Some(Job::Flush) => self.flush(),
                Some(Job::Work(work)) => {
                    self.flush();
                    work(&mut self.connection);
                }
                Some(Job::Close) | None => {
                    self.flush();
                    return;
                }
            }
        }
    }

    /// The next job, or that it is time to write; `None` if none can come any more.
    fn next(&self) -> Option<Job> {
        let Some(due) = self.due else { return self.jobs.recv().ok() };
        match self.jobs.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(job) => Some(job),
            Err(mpsc::RecvTimeoutError::Timeout) => Some(Job::Flush),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Sorts the notes that have come: a call that has ended is no longer in flight.
    fn take_notes(&mut self) {
        let notes = std::mem::take(&mut *self.notes.lock());
        for note in notes {
            match note {
                Note::Begun(record) => self.begun.add(*record),
                Note::Forgotten(id) => {
                    self.begun.ended(&id);
                    self.forgotten.push(id);
                }
                Note::Ended(record) => {
                    self.begun.ended(&record.id);
                    self.batch.push(*record);
                }
            }
        }
    }

    fn flush(&mut self) {
        self.due = None;
        self.take_notes();
        let Self { batch, begun, forgotten, .. } = self;
        if batch.is_empty() && forgotten.is_empty() && !begun.waits() {
            return;
        }
        if let Err(error) = calls::write(&mut self.connection, batch, begun, forgotten) {
            tracing::warn!(%error, records = batch.len(), "call records could not be written");
            if error.sqlite_error_code() == Some(ErrorCode::DiskFull) && batch.len() < KEPT {
                self.due = Some(Instant::now() + AGAIN);
                return;
            }
        }
        forgotten.clear();
        let before = self.written / calls::RETAIN_EVERY;
        self.written += batch.len() as u64;
        if self.written / calls::RETAIN_EVERY != before
            && let Err(error) = calls::retain(&self.connection)
        {
            tracing::warn!(%error, "old call records could not be removed");
        }
        self.waiting.fetch_sub(batch.len(), Ordering::Relaxed);
        batch.clear();
    }
}

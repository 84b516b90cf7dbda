//! The one thread that owns the connection. Everything that touches the database is a job in its queue.

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
/// Records written in one transaction at most.
const BATCH: usize = 256;
/// Records kept for a disk that has no room; it is tried again so soon.
const KEPT: usize = 1024;
const AGAIN: Duration = Duration::from_secs(2);
/// Records that may wait; beyond it they are counted and dropped, so that a full disk costs no memory.
const QUEUE: usize = 16_384;

type Work = Box<dyn FnOnce(&mut Connection) + Send>;

enum Job {
    Begin(Box<CallRecord>),
    Forget(CallId),
    Record(Box<CallRecord>),
    Work(Work),
    Close,
}

/// Handle of the database thread.
pub(crate) struct Worker {
    queue: mpsc::Sender<Job>,
    waiting: Arc<AtomicUsize>,
    dropped: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(connection: Connection) -> std::io::Result<Self> {
        let (queue, jobs) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = waiting.clone();
        let thread = std::thread::Builder::new().name("store".to_owned()).spawn(move || {
            Thread {
                connection,
                jobs,
                waiting: counter,
                written: 0,
                begun: Begun::default(),
                forgotten: Vec::new(),
            }
            .run()
        })?;
        Ok(Self { queue, waiting, dropped: AtomicU64::new(0), thread: Mutex::new(Some(thread)) })
    }

    /// Queues the record of a call in flight; never blocks.
    pub(crate) fn begin(&self, record: CallRecord) {
        // It is a mark for the case of a crash: without room for it, the record at the end is enough.
        if self.waiting.load(Ordering::Relaxed) < QUEUE / 2 {
            let _ = self.queue.send(Job::Begin(Box::new(record)));
        }
    }

    /// Queues that nothing is kept of a call that was in flight.
    pub(crate) fn forget_begun(&self, id: CallId) {
        let _ = self.queue.send(Job::Forget(id));
    }

    /// Queues a record; never blocks.
    pub(crate) fn record(&self, record: CallRecord) {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= QUEUE {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        if self.queue.send(Job::Record(Box::new(record))).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
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
    waiting: Arc<AtomicUsize>,
    written: u64,
    begun: Begun,
    forgotten: Vec<CallId>,
}

impl Thread {
    fn run(mut self) {
        let mut batch = Vec::new();
        let mut due = None;
        loop {
            let job = match due {
                None => self.jobs.recv().ok(),
                Some(at) => {
                    match self.jobs.recv_timeout(Instant::saturating_duration_since(&at, Instant::now())) {
                        Ok(job) => Some(job),
                        Err(mpsc::RecvTimeoutError::Timeout) => {
                            self.flush(&mut batch, &mut due);
                            continue;
                        }
                        Err(mpsc::RecvTimeoutError::Disconnected) => None,
                    }
                }
            };
            match job {
                Some(Job::Begin(record)) => {
                    self.begun.add(*record);
                    due.get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
                }
                Some(Job::Forget(id)) => {
                    self.begun.ended(&id);
                    self.forgotten.push(id);
                    due.get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
                }
                Some(Job::Record(record)) => {
                    self.begun.ended(&record.id);
                    batch.push(*record);
                    due.get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
                    if batch.len() >= BATCH {
                        self.flush(&mut batch, &mut due);
                    }
                }
                Some(Job::Work(work)) => {
                    self.flush(&mut batch, &mut due);
                    work(&mut self.connection);
                }
                Some(Job::Close) | None => {
                    self.flush(&mut batch, &mut due);
                    return;
                }
            }
        }
    }

    fn flush(&mut self, batch: &mut Vec<CallRecord>, due: &mut Option<Instant>) {
        *due = None;
        if batch.is_empty() && self.forgotten.is_empty() && !self.begun.waits() {
            return;
        }
        if let Err(error) = calls::write(&mut self.connection, batch, &mut self.begun, &self.forgotten) {
            tracing::warn!(%error, records = batch.len(), "call records could not be written");
            if error.sqlite_error_code() == Some(ErrorCode::DiskFull) && batch.len() < KEPT {
                *due = Some(Instant::now() + AGAIN);
                return;
            }
        }
        self.forgotten.clear();
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

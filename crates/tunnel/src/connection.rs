//! One connection, which can be switched on and off.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::control_plane::Approach;
use crate::delivery::Delivery;
use crate::random::Randomness;
use crate::seen::Seen;
use crate::session::Session;
use crate::status::{Board, Status};
use crate::target::Target;
use crate::worker::{AT_ONCE, Worker};

/// What a connection stands on.
#[derive(Clone)]
pub struct Ground {
    /// Where commands go.
    pub target: Target,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where chance comes from.
    pub random: Arc<dyn Randomness>,
}

/// One connection to one tunnel. Dropping it switches it off.
pub struct Connection {
    ground: Ground,
    board: Board,
    /// Kept over restarts: a command handed out again is not run again.
    seen: Arc<Mutex<Seen>>,
    nudge: Arc<Notify>,
    approach: Mutex<Arc<dyn Approach>>,
    /// Held over a whole start or stop, so that they never overlap.
    running: tokio::sync::Mutex<Option<Running>>,
}

struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Connection {
    /// A connection that is off.
    pub fn new(approach: Arc<dyn Approach>, ground: Ground) -> Self {
        Self {
            board: Board::new(Arc::clone(&ground.clock)),
            ground,
            seen: Arc::default(),
            nudge: Arc::new(Notify::new()),
            approach: Mutex::new(approach),
            running: tokio::sync::Mutex::new(None),
        }
    }

    /// The status; the first value is the whole present one.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.board.watch()
    }

    /// Switches it on; nothing happens where it is on already.
    pub async fn start(&self) {
        let mut running = self.running.lock().await;
        if running.is_none() {
            *running = Some(self.launch());
        }
    }

    /// Switches it off and returns once everything that ran is finished, at most about five seconds later.
    pub async fn stop(&self) {
        let mut running = self.running.lock().await;
        finish(running.take()).await;
    }

    /// Switches it off and on.
    pub async fn restart(&self) {
        let mut running = self.running.lock().await;
        finish(running.take()).await;
        *running = Some(self.launch());
    }

    /// Switches it off and on where it is on; one that is off stays off.
    pub async fn restart_if_on(&self) {
        let mut running = self.running.lock().await;
        if running.is_some() {
            finish(running.take()).await;
            *running = Some(self.launch());
        }
    }

    /// Tries again now instead of later, for example because the network changed.
    pub fn try_again(&self) {
        self.nudge.notify_waiters();
    }

    /// Takes another way from now on; where the connection is on, it is switched off and on for that.
    pub async fn replace(&self, approach: Arc<dyn Approach>) {
        let mut running = self.running.lock().await;
        let was_on = running.is_some();
        finish(running.take()).await;
        *self.approach.lock() = approach;
        if was_on {
            *running = Some(self.launch());
        }
    }

    fn launch(&self) -> Running {
        let (line, current) = watch::channel(None);
        let Ground { target, clock, random } = self.ground.clone();
        let stop = CancellationToken::new();
        let worker = Arc::new(Worker {
            target,
            delivery: Delivery::new(current, Arc::clone(&random)),
            board: self.board.clone(),
            clock: Arc::clone(&clock),
            places: Semaphore::new(AT_ONCE),
        });
        let session = Session {
            approach: Arc::clone(&self.approach.lock()),
            worker,
            board: self.board.clone(),
            clock,
            random,
            seen: Arc::clone(&self.seen),
            line,
            stop: stop.clone(),
            nudge: Arc::clone(&self.nudge),
        };
        Running { stop, task: tokio::spawn(session.run()) }
    }
}

async fn finish(running: Option<Running>) {
    let Some(mut running) = running else { return };
    running.stop.cancel();
    // A session that panicked is off all the same.
    let _ = (&mut running.task).await;
}

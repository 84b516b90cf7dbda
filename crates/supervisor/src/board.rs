//! The one `Status`, and those who follow it.

use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Serialize, Serializer};
use tokio::sync::broadcast;
use webcodex_contracts::control::{Call, ServerState};

use crate::clock;
use crate::status::{Status, StatusChange};

/// Messages that a listener may lag behind before it gets the whole status again.
const LAG: usize = 256;

/// What a listener is told. The first message is always a `Status`, and so is the first after a gap.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Message {
    /// The whole truth.
    Status {
        /// It.
        #[serde(serialize_with = "shared")]
        status: Arc<Status>,
    },
    /// Everything named has the new value; calls come separately.
    Changed {
        /// The new values.
        #[serde(serialize_with = "shared")]
        changed: Arc<StatusChange>,
    },
    /// New calls, and calls that have a new outcome. Newest first.
    Calls {
        /// The calls.
        #[serde(serialize_with = "shared")]
        calls: Arc<Vec<Call>>,
    },
    /// The supervisor has ended; what is shown is as old as the last message.
    Lost,
}

fn shared<T: Serialize, S: Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

/// Holds the status. One place changes it, anybody reads it.
pub(crate) struct Board {
    latest: Mutex<Latest>,
}

struct Latest {
    status: Arc<Status>,
    listeners: Option<broadcast::Sender<Message>>,
}

impl Board {
    pub(crate) fn new(status: Status) -> Self {
        let listeners = Some(broadcast::channel(LAG).0);
        Self { latest: Mutex::new(Latest { status: Arc::new(status), listeners }) }
    }

    /// The status of now. It does not change in the reader's hands.
    pub(crate) fn status(&self) -> Arc<Status> {
        self.latest.lock().status.clone()
    }

    /// Changes everything but the calls and tells the listeners what differs; `false` where nothing does.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Status)) -> bool {
        let mut latest = self.latest.lock();
        // Cheap: the calls, the one long list, are shared.
        let mut new = Status::clone(&latest.status);
        change(&mut new);
        new.observed_at = clock::now();
        let changed = StatusChange::between(&latest.status, &new);
        latest.status = Arc::new(new);
        let Some(changed) = changed else { return false };
        latest.tell(Message::Changed { changed: Arc::new(changed) });
        true
    }

    /// Takes over new calls and new outcomes.
    pub(crate) fn calls(&self, calls: Vec<Call>) {
        if calls.is_empty() {
            return;
        }
        let mut latest = self.latest.lock();
        let status = Arc::make_mut(&mut latest.status);
        let mut held = ServerState {
            calls: std::mem::take(Arc::make_mut(&mut status.calls)),
            earlier_calls: status.earlier_calls,
            ..ServerState::default()
        };
        held.merge_calls(calls.clone());
        status.calls = Arc::new(held.calls);
        status.earlier_calls = held.earlier_calls;
        status.observed_at = clock::now();
        latest.tell(Message::Calls { calls: Arc::new(calls) });
    }

    /// Replaces all calls, as with the first message of a new Server, and tells the listeners everything anew if
    /// those differ.
    pub(crate) fn replace_calls(&self, calls: Vec<Call>) {
        let mut latest = self.latest.lock();
        if *latest.status.calls == calls {
            return;
        }
        Arc::make_mut(&mut latest.status).calls = Arc::new(calls);
        let status = latest.status.clone();
        latest.tell(Message::Status { status });
    }

    /// Follows the status from now on.
    pub(crate) fn subscribe(self: &Arc<Self>) -> Messages {
        let latest = self.latest.lock();
        let receiver = latest.listeners.as_ref().map(broadcast::Sender::subscribe);
        let first = Some(Message::Status { status: latest.status.clone() });
        Messages { board: self.clone(), first, receiver, told_lost: false }
    }

    /// Nothing changes any more.
    pub(crate) fn close(&self) {
        self.latest.lock().listeners = None;
    }
}

impl Latest {
    fn tell(&self, message: Message) {
        if let Some(listeners) = &self.listeners {
            // Nobody listens while the window is away.
            let _ = listeners.send(message);
        }
    }
}

/// The status and everything that changes in it. Reading it at one's own pace is fine: whoever falls behind gets the
/// whole status again.
pub struct Messages {
    board: Arc<Board>,
    first: Option<Message>,
    receiver: Option<broadcast::Receiver<Message>>,
    told_lost: bool,
}

impl Messages {
    /// The next message; `None` once the supervisor has ended and that was told.
    pub async fn next(&mut self) -> Option<Message> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if let Some(receiver) = &mut self.receiver {
            match receiver.recv().await {
                Ok(message) => return Some(message),
                Err(broadcast::error::RecvError::Lagged(_)) => return Some(self.start_over()),
                Err(broadcast::error::RecvError::Closed) => self.receiver = None,
            }
        }
        (!std::mem::replace(&mut self.told_lost, true)).then_some(Message::Lost)
    }

    /// Forgets what waits and takes the status of now.
    fn start_over(&mut self) -> Message {
        let latest = self.board.latest.lock();
        self.receiver = latest.listeners.as_ref().map(broadcast::Sender::subscribe);
        Message::Status { status: latest.status.clone() }
    }
}

//! A question that a Runner asks before it does a call's work, and the answer.

use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::ProjectId;
use webcodex_contracts::control::{ApprovalAsks, ApprovalScope};

use crate::frame::Frame;
use crate::socket::Outbox;

/// The Server ends a question itself; a Runner that hears nothing waits so much longer before it gives up.
const GRACE: Duration = Duration::from_millis(500);

/// May this be done? Asked by a Runner, answered by a person at the Server's side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The project.
    pub project: ProjectId,
    /// Its name.
    pub project_name: String,
    /// The project's folder, or the one that the command runs in.
    pub folder: String,
    /// What would be done.
    pub asks: ApprovalAsks,
    /// When asking was switched on in the project, in milliseconds since 1970. What was allowed for a session before
    /// does not count.
    pub asks_since: u64,
    /// How long the Runner waits, in milliseconds.
    pub within_ms: u64,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// A person has allowed it.
    Allowed {
        /// For this call or for the session.
        scope: ApprovalScope,
    },
    /// A person has said no.
    Denied {
        /// Their word to the model; may be empty.
        word: String,
    },
    /// No person answered in time.
    Unanswered,
    /// No window is open in which a person could answer.
    NobodyThere,
}

/// Who waits for a call, as the Runner sees it.
#[derive(Debug)]
pub struct Caller {
    unwanted: CancellationToken,
    asking: Option<Asking>,
}

/// What asking needs.
#[derive(Debug)]
struct Asking {
    call: u64,
    outbox: Outbox,
    in_flight: InFlight,
}

/// Calls that somebody waits for.
pub(crate) type InFlight = std::sync::Arc<Mutex<std::collections::HashMap<u64, Waiting>>>;

/// One of them.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) unwanted: CancellationToken,
    /// Where the answer to the call's question goes.
    pub(crate) verdict: Option<oneshot::Sender<Verdict>>,
}

impl Caller {
    /// A caller that cannot be asked anything.
    pub fn silent(unwanted: CancellationToken) -> Self {
        Self { unwanted, asking: None }
    }

    pub(crate) fn linked(call: u64, outbox: &Outbox, in_flight: &InFlight) -> Self {
        let unwanted = in_flight.lock().entry(call).or_default().unwanted.clone();
        let asking = Asking { call, outbox: outbox.clone(), in_flight: InFlight::clone(in_flight) };
        Self { unwanted, asking: Some(asking) }
    }

    /// Fires when nobody waits for the answer any more.
    pub fn unwanted(&self) -> &CancellationToken {
        &self.unwanted
    }

    /// Asks and waits for the answer, no longer than the question says and only as long as the call is waited for.
    pub async fn ask(&self, question: Question) -> Verdict {
        let Some(asking) = &self.asking else { return Verdict::NobodyThere };
        let within = Duration::from_millis(question.within_ms) + GRACE;
        let answer = tokio::time::timeout(within, asking.ask(question));
        tokio::select! {
            biased;
            () = self.unwanted.cancelled() => Verdict::Unanswered,
            answer = answer => answer.unwrap_or(Verdict::Unanswered),
        }
    }
}

impl Asking {
    async fn ask(&self, question: Question) -> Verdict {
        let (verdict, answered) = oneshot::channel();
        match self.in_flight.lock().get_mut(&self.call) {
            Some(waiting) => waiting.verdict = Some(verdict),
            None => return Verdict::Unanswered,
        }
        let frame = Frame::Ask { call: self.call, question: Box::new(question) };
        match self.outbox.send(&frame).await {
            Ok(()) => answered.await.unwrap_or(Verdict::Unanswered),
            Err(_) => Verdict::Unanswered,
        }
    }
}

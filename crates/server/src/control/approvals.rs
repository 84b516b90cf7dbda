//! Edits and commands that wait for a person: asked by a Runner before the work, shown to listeners, answered through
//! `POST /control/approvals/{id}`.
//!
//! **Invariant.** A question is answered at most once, and only while its call waits. What nobody answered in time, and
//! what its caller no longer wants, is not done later.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use http::{Response, StatusCode};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;
use webcodex_contracts::control::{
    AllowedBy, Approval, ApprovalAnswer, ApprovalAsks, ApprovalScope, ApprovalState,
};
use webcodex_contracts::{ApprovalId, ErrorCode, ProjectId, SessionId, redact};
use webcodex_link::{Question, Verdict};
use webcodex_store::{PrincipalId, WindowHash, now_ms};

use super::reply::{done, failure, read};
use super::view::client_label;
use crate::app::App;
use crate::dispatch::Call;

/// Unanswered questions that are still shown.
const MAX_EXPIRED: usize = 20;
/// Longest word of a person to a model, in characters.
const MAX_WORD: usize = 1000;

/// Longest purpose of a session that is shown, in characters.
const MAX_PURPOSE: usize = 400;

/// The questions, oldest first, and what was allowed for a session.
pub(crate) struct Approvals {
    inner: Mutex<Inner>,
    news: watch::Sender<u64>,
}

#[derive(Default)]
struct Inner {
    questions: Vec<Asked>,
    allowed: HashSet<Allowed>,
}

struct Asked {
    approval: Approval,
    /// Nothing where no later call can be told to belong to the same session.
    allows: Option<Allowed>,
    /// Taken by the answer; nothing once the call waits no more.
    answer: Option<oneshot::Sender<Verdict>>,
}

/// What an answer for the session covers: who asks, in which project, for what kind of work, and since when asking is
/// switched on there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Allowed {
    who: Who,
    project: ProjectId,
    kind: Kind,
    asks_since: u64,
}

/// Whose session it is: the one that was named, or else the window of the caller. A caller with neither may be any program
/// that was given the credential.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Session(SessionId),
    Window(PrincipalId, WindowHash),
}

impl Who {
    fn of(call: &Call<'_>) -> Option<Self> {
        let window = || Some(Who::Window(call.incoming.caller.id.clone(), call.incoming.window?));
        call.session.clone().map(Who::Session).or_else(window)
    }
}

/// Leave to edit is no leave to run commands, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Edit,
    Command,
}

impl Kind {
    fn of(asks: &ApprovalAsks) -> Self {
        match asks {
            ApprovalAsks::Edit { .. } => Kind::Edit,
            ApprovalAsks::Command { .. } => Kind::Command,
        }
    }
}

impl Approvals {
    pub(super) fn new(news: watch::Sender<u64>) -> Self {
        Self { inner: Mutex::default(), news }
    }

    /// The questions for the list.
    pub(super) fn list(&self) -> Vec<Approval> {
        self.inner.lock().questions.iter().map(|asked| asked.approval.clone()).collect()
    }

    fn changed(&self) {
        self.news.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Shows a question and gives its answer handle; nothing where the session is allowed already.
    fn show(&self, approval: Approval, allows: Option<Allowed>) -> Option<oneshot::Receiver<Verdict>> {
        let mut inner = self.inner.lock();
        if allows.as_ref().is_some_and(|allows| inner.allowed.contains(allows)) {
            return None;
        }
        let (answer, answered) = oneshot::channel();
        inner.questions.push(Asked { approval, allows, answer: Some(answer) });
        drop(inner);
        self.changed();
        Some(answered)
    }

    /// The call waits no more. An unanswered question stays in sight as such if its caller was still there.
    fn ended(&self, id: &ApprovalId, unanswered: bool) {
        let mut inner = self.inner.lock();
        if unanswered {
            for asked in inner.questions.iter_mut().filter(|asked| asked.approval.id == *id) {
                (asked.answer, asked.approval.state) = (None, ApprovalState::Expired);
            }
            let expired = inner.questions.iter().filter(|asked| asked.answer.is_none()).count();
            let mut over = expired.saturating_sub(MAX_EXPIRED);
            inner.questions.retain(|asked| {
                let goes = asked.answer.is_none() && over > 0;
                over -= usize::from(goes);
                !goes
            });
        } else {
            inner.questions.retain(|asked| asked.approval.id != *id);
        }
        drop(inner);
        self.changed();
    }

    /// Passes an answer on; `false` if nobody waits for it.
    fn answer(&self, id: &ApprovalId, answer: ApprovalAnswer) -> bool {
        let mut inner = self.inner.lock();
        let Some(at) = inner.questions.iter().position(|asked| asked.approval.id == *id) else {
            return false;
        };
        let Some(waiting) = inner.questions[at].answer.take_if(|waiting| !waiting.is_closed()) else {
            return false;
        };
        let asked = inner.questions.remove(at);
        let verdict = match answer {
            ApprovalAnswer::Allow { .. } if asked.allows.is_none() => {
                Verdict::Allowed { scope: ApprovalScope::Once }
            }
            ApprovalAnswer::Allow { scope } => Verdict::Allowed { scope },
            ApprovalAnswer::Deny { word } => Verdict::Denied { word: word.chars().take(MAX_WORD).collect() },
        };
        let for_session = verdict == Verdict::Allowed { scope: ApprovalScope::Session };
        let heard = waiting.send(verdict).is_ok();
        if heard && for_session {
            inner.allowed.extend(asked.allows);
        }
        drop(inner);
        self.changed();
        heard
    }

    /// Takes an unanswered question off the list; `false` if there is none.
    fn dismiss(&self, id: &ApprovalId) -> bool {
        let mut inner = self.inner.lock();
        let before = inner.questions.len();
        inner.questions.retain(|asked| asked.approval.id != *id || asked.answer.is_some());
        let gone = inner.questions.len() < before;
        drop(inner);
        self.changed();
        gone
    }
}

/// Asks a person about `call` and waits for the answer, no longer than the question and the settings say.
pub(crate) async fn ask(call: &Call<'_>, question: Question) -> Verdict {
    let control = &call.app.control;
    if !control.is_listened_to() {
        return Verdict::NobodyThere;
    }
    let most = call.app.settings.read().approval_seconds.saturating_mul(1000);
    let within = question.within_ms.min(most);
    let incoming = call.incoming;
    let kind = Kind::of(&question.asks);
    let allows = Who::of(call).map(|who| Allowed {
        who,
        kind,
        project: question.project,
        asks_since: question.asks_since,
    });
    let client = incoming.client_name.as_deref().or(incoming.program.as_deref());
    let approval = Approval {
        id: ApprovalId::of(call.id),
        call: call.id.clone(),
        asked_at: now_ms(),
        expires_at: now_ms() + within,
        client: client_label(client),
        project: question.project_name,
        folder: question.folder,
        because: purpose(call).await,
        for_session: allows.is_some(),
        asks: question.asks,
        state: ApprovalState::Waiting,
    };
    let mut shown = Shown { approvals: &control.approvals, id: approval.id.clone(), unanswered: false };
    let Some(answered) = control.approvals.show(approval, allows) else {
        let scope = ApprovalScope::Session;
        control.book.person_answered(call.id, Some(AllowedBy::Person { scope }), None);
        return Verdict::Allowed { scope };
    };
    control.book.waits_for_person(call.id);
    let verdict = match timeout(Duration::from_millis(within), answered).await {
        Ok(Ok(verdict)) => verdict,
        _ => {
            shown.unanswered = true;
            Verdict::Unanswered
        }
    };
    let (allowed_by, word) = match &verdict {
        Verdict::Allowed { scope } => (Some(AllowedBy::Person { scope: *scope }), None),
        Verdict::Denied { word } => (None, Some(word.clone()).filter(|word| !word.is_empty())),
        Verdict::Unanswered | Verdict::NobodyThere => (None, None),
    };
    control.book.person_answered(call.id, allowed_by, word);
    verdict
}

/// What the model said its session is for.
async fn purpose(call: &Call<'_>) -> Option<String> {
    let session = call.app.store.anyones_session(call.session.as_ref()?).await.ok().flatten()?;
    let purpose = redact::one_line(&session.title, MAX_PURPOSE);
    (!purpose.is_empty()).then_some(purpose)
}

/// A question in sight. However its call ends, it does not stay as one that waits.
struct Shown<'a> {
    approvals: &'a Approvals,
    id: ApprovalId,
    unanswered: bool,
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.approvals.ended(&self.id, self.unanswered);
    }
}

/// A person's answer.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<ApprovalId>,
    request: Request,
) -> Response<Body> {
    let answer: ApprovalAnswer = match read(request).await {
        Ok(answer) => answer,
        Err(refused) => return *refused,
    };
    match app.control.approvals.answer(&id, answer) {
        true => done(),
        false => {
            let message = "the call does not wait any more; nothing was done";
            failure(StatusCode::CONFLICT, ErrorCode::ApprovalMissing, message, "The model may ask again.")
        }
    }
}

/// Takes an unanswered question off the list.
pub(super) async fn dismiss(State(app): State<Arc<App>>, Path(id): Path<ApprovalId>) -> Response<Body> {
    match app.control.approvals.dismiss(&id) {
        true => done(),
        false => {
            let message = "there is no unanswered question of this id";
            failure(
                StatusCode::NOT_FOUND,
                ErrorCode::NotFound,
                message,
                "Answer a question that still waits.",
            )
        }
    }
}

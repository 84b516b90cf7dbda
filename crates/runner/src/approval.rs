//! Asking the person first, in projects that are set so.
//!
//! A call waits here with nothing in its hands: no lock, no process, no open file. It goes on only when a person has
//! said yes while the caller still waits; after any other end nothing is left that could run later.

mod command;

use std::time::{Duration, Instant};

use webcodex_contracts::call::CallContext;
use webcodex_contracts::control::ApprovalAsks;
use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_link::{Caller, Question, Verdict};
use webcodex_projects::Project;

pub(crate) use command::{in_full, line};

/// Most time kept back from a person's for the work itself.
const MOST_FOR_WORK: Duration = Duration::from_secs(5);

/// Asks the person whether this may be done, as long as there is time. `began` is when the call arrived.
pub(crate) async fn ask(
    call: &CallContext,
    caller: &Caller,
    project: &Project,
    folder: String,
    asks: ApprovalAsks,
    began: Instant,
) -> Result<(), ToolError> {
    let left = call.policy.deadline().saturating_sub(began.elapsed());
    let within = left - MOST_FOR_WORK.min(left / 4);
    let what = match &asks {
        ApprovalAsks::Command { .. } => "command",
        ApprovalAsks::Edit { .. } => "edit",
    };
    let question = Question {
        project: project.id.clone(),
        project_name: project.name.clone(),
        folder,
        asks,
        asks_since: project.terms.asks_since,
        within_ms: u64::try_from(within.as_millis()).unwrap_or(u64::MAX),
    };
    match caller.ask(question).await {
        Verdict::Allowed { .. } => Ok(()),
        Verdict::Denied { word } => Err(denied(what, &project.name, &word)),
        Verdict::Unanswered => Err(unanswered(what, &project.name)),
        Verdict::NobodyThere => Err(nobody_there(what, &project.name)),
    }
}

fn denied(what: &str, project: &str, word: &str) -> ToolError {
    let said = match word.trim() {
        "" => "without saying why".to_owned(),
        word => format!("and said: \"{word}\""),
    };
    ToolError::new(
        ErrorCode::ApprovalDenied,
        format!("the person at the computer refused this {what} in `{project}` {said}"),
    )
    .hint("Go by what they want; do not try the same in another way.")
    .changed(false)
}

fn unanswered(what: &str, project: &str) -> ToolError {
    let message = format!(
        "`{project}` asks the person first, and nobody answered in time; the {what} was not done and will not be done later"
    );
    ToolError::new(ErrorCode::ApprovalMissing, message)
        .hint("Tell the person that WebCodex asks for their approval, then call again.")
        .changed(false)
}

/// It was allowed, but nobody waits for it any more.
pub(crate) fn too_late(what: &str, project: &str) -> ToolError {
    unanswered(what, project)
}

fn nobody_there(what: &str, project: &str) -> ToolError {
    let message = format!(
        "`{project}` asks the person first, but the WebCodex app is not open, so nobody could be asked; the {what} was not done"
    );
    ToolError::new(ErrorCode::ApprovalMissing, message)
        .hint("Ask the person to start the WebCodex app, or to switch off asking first for this project.")
        .changed(false)
}

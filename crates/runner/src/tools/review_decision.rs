//! Notes or carries out what the person decides about a change.

use std::sync::Arc;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::decode::invalid;
use webcodex_contracts::tools::review_decision::{ReviewAction, ReviewDecisionOutput, ReviewDecisionParams};
use webcodex_contracts::{ToolError, ToolResult};
use webcodex_git::{Decided, DecisionAsked};
use webcodex_link::Caller;

use crate::access::write_access;
use crate::attribution::within;
use crate::{Runner, error, put_back};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ReviewDecisionParams,
    caller: &Caller,
) -> ToolResult<ReviewDecisionOutput> {
    check(&params)?;
    let project = runner.project(call, &params.project)?;
    let access = write_access(call, &project).await?;
    let (git, interrupt) = (Arc::clone(&runner.git), within(call));
    let params = Arc::new(params);
    let asked = Arc::clone(&params);
    let deciding = move || {
        let asked = DecisionAsked {
            session: &asked.session_id,
            action: asked.action,
            snapshot: asked.snapshot_id.as_ref(),
            path: asked.path.as_deref(),
            hunk: asked.hunk_id.as_deref(),
            rejection: asked.rejection_id.as_deref(),
            note: asked.note.as_deref(),
        };
        git.decide(&access, &asked, &interrupt).map_err(|error| error::snapshots::to_failure(&error))
    };
    let undo = match runner.blocking(call, deciding).await? {
        Decided::Noted(output) => return Ok(output),
        Decided::PutBack(undo) => undo,
    };
    let made = put_back::carry_out(runner, call, caller, &params.project, &undo.plan.files).await;
    let (git, access, settled) = (Arc::clone(&runner.git), project.read_access(), made.is_ok());
    let settling = move || {
        git.settle_decision(&access, &params.session_id, *undo, settled)
            .map_err(|error| error::snapshots::to_failure(&error))
    };
    let output = runner.blocking(call, settling).await;
    made.and(output)
}

/// Each action needs its own arguments.
fn check(params: &ReviewDecisionParams) -> Result<(), ToolError> {
    let missing = |field: &str, why: &str| Err(invalid(field, format!("`{field}` is required {why}")));
    if params.action == ReviewAction::TakeBack && params.rejection_id.is_some() {
        return Ok(());
    }
    if params.snapshot_id.is_none() {
        return missing("snapshot_id", "to say which state the person looks at");
    }
    if params.path.is_none() {
        return missing("path", "to say which file is meant");
    }
    Ok(())
}

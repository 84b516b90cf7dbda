//! What a caller is told when a Runner cannot be reached or does not answer: what is certain, and the way to find out
//! the rest. Nothing is ever sent again by itself.

use serde_json::{Value, json};
use webcodex_contracts::execution::ExecutionState;
use webcodex_contracts::{Effect, ErrorCode, ToolError, ToolFailure, ToolName, table};
use webcodex_link::CallError;

/// The Runner `client` is not linked.
pub(crate) fn offline(client: &str) -> ToolFailure {
    let message = format!("the Runner `{client}` is not linked, so the call was not started");
    not_started(
        ErrorCode::AgentOffline,
        message,
        "Start it on the machine that has the project, then call again.",
    )
}

/// No Runner is linked at all.
pub(crate) fn no_runner() -> ToolFailure {
    let message = "no Runner is linked, so the call was not started";
    not_started(ErrorCode::AgentOffline, message.to_owned(), "Start `webcodex runner`, then call again.")
}

/// The link to `client` failed before or while `tool` was called with `arguments`.
pub(crate) fn link(error: CallError, tool: ToolName, arguments: &Value, client: &str) -> ToolFailure {
    match error {
        CallError::Offline => offline(client),
        CallError::Busy => {
            let message =
                format!("the Runner `{client}` has too many calls in flight; this one was not started");
            not_started(ErrorCode::Busy, message, "Call again in a moment.")
        }
        CallError::Lost => {
            let message = format!("the link to the Runner `{client}` broke while the call was in flight");
            uncertain(ErrorCode::RunnerUnresponsive, message, tool, arguments)
        }
        CallError::Unresponsive => {
            let message = format!("the Runner `{client}` has stopped answering");
            uncertain(ErrorCode::RunnerUnresponsive, message, tool, arguments)
        }
    }
}

/// The Runner lives but did not answer this call in time.
pub(crate) fn overdue(tool: ToolName, arguments: &Value, client: &str) -> ToolFailure {
    let message = format!("the Runner `{client}` did not finish `{tool}` in the time that the host waits");
    uncertain(ErrorCode::DeadlineExceeded, message, tool, arguments)
}

fn not_started(code: ErrorCode, message: String, hint: &str) -> ToolFailure {
    let error = ToolError::new(code, message).hint(hint).changed(false);
    ToolFailure::new(error).with_output(json!({"execution_state": ExecutionState::NotStarted}))
}

fn uncertain(code: ErrorCode, message: String, tool: ToolName, arguments: &Value) -> ToolFailure {
    if table::get(tool).effect == Effect::Read {
        let error =
            ToolError::new(code, message).hint("It only reads, so it may be called again.").changed(false);
        return ToolFailure::new(error);
    }
    let hint = "What it did is not known. Look before you repeat anything.";
    let failure = ToolFailure::new(ToolError::new(code, message).hint(hint))
        .with_output(json!({"execution_state": ExecutionState::Unknown}));
    match way_to_find_out(tool, arguments) {
        Some((tool, arguments)) => failure.with_recovery(tool, arguments),
        None => failure,
    }
}

/// A reading call that shows what became of `tool`.
fn way_to_find_out(tool: ToolName, arguments: &Value) -> Option<(ToolName, Value)> {
    let project = arguments.get("project");
    match tool {
        ToolName::EditProjectFiles => Some((ToolName::ReadWorkspaceChanges, json!({"project": project?}))),
        ToolName::StopJob => {
            let job = arguments.get("job_id")?;
            Some((ToolName::ObserveJobs, json!({"jobs": [{"job_id": job}]})))
        }
        ToolName::WorkOnProject | ToolName::RegisterProject => Some((ToolName::ListProjects, json!({}))),
        _ => Some((ToolName::ListJobs, json!({"project": project?}))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(tool: ToolName, arguments: Value) -> ToolFailure {
        link(CallError::Lost, tool, &arguments, "laptop")
    }

    #[test]
    fn what_was_not_started_says_so() {
        for error in [CallError::Offline, CallError::Busy] {
            let failure = link(error, ToolName::RunShell, &json!({}), "laptop");
            assert_eq!(failure.output["execution_state"], "not_started");
            assert_eq!(failure.error.changed, Some(false));
            assert!(failure.recovery.is_none());
        }
    }

    #[test]
    fn a_lost_read_may_be_repeated_and_a_lost_effect_may_not() {
        let read = lost(ToolName::ReadFiles, json!({"project": "agent:laptop:web"}));
        assert!(read.error.to_text().contains("may be called again"));
        assert!(read.output.is_empty());
        let run = lost(ToolName::RunShell, json!({"project": "agent:laptop:web", "script": "make"}));
        assert_eq!(run.output["execution_state"], "unknown");
        assert_eq!(run.error.changed, None, "nobody knows");
    }

    #[test]
    fn every_way_to_find_out_fits_its_tools_schema() {
        let arguments = json!({"project": "agent:laptop:web", "job_id": "wcj_ab_1"});
        let mut checked = 0;
        for descriptor in table::all().iter().filter(|tool| tool.effect != Effect::Read) {
            let Some(recovery) = lost(descriptor.name, arguments.clone()).recovery else { continue };
            let target = table::get(recovery.tool);
            assert!(target.effect.is_read_only(), "{}", descriptor.name);
            let schema = jsonschema::validator_for(&target.input_schema).unwrap();
            assert!(schema.is_valid(&Value::Object(recovery.arguments)), "{}", descriptor.name);
            checked += 1;
        }
        assert!(checked >= 7, "{checked}");
    }
}

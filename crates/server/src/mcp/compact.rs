//! `_wc.compact_execution`: results of execution tools as control facts and details.

use serde_json::{Map, Value};
use webcodex_contracts::ToolName;

/// What decides the next step.
const CONTROL: [&str; 11] = [
    "execution_state",
    "job_id",
    "outcome",
    "exit_code",
    "signal",
    "ready",
    "reason",
    "terminal",
    "stopped",
    "observation_token",
    "continuation",
];

/// Splits `output` into `execution` and `details`; leaves tools alone that execute nothing.
pub(super) fn project(tool: ToolName, output: &mut Map<String, Value>) {
    match tool {
        ToolName::ObserveJobs => {
            for item in output.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(item) = item.as_object_mut() {
                    project_item(item);
                }
            }
        }
        ToolName::RunProcess
        | ToolName::RunShell
        | ToolName::RunScript
        | ToolName::RunDetachedProcess
        | ToolName::WaitForJobReadiness
        | ToolName::WaitForJobTerminal
        | ToolName::StopJob
            if output.contains_key("execution_state") =>
        {
            let (execution, details) = split(std::mem::take(output));
            output.insert("execution".to_owned(), Value::Object(execution));
            output.insert("details".to_owned(), Value::Object(details));
        }
        _ => {}
    }
}

/// An observed job keeps its own place for the control facts and gets the details beside it.
fn project_item(item: &mut Map<String, Value>) {
    let Some(Value::Object(execution)) = item.remove("execution") else { return };
    let (execution, details) = split(execution);
    item.insert("execution".to_owned(), Value::Object(execution));
    item.insert("details".to_owned(), Value::Object(details));
}

fn split(fields: Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    fields.into_iter().partition(|(name, _)| CONTROL.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn projected(tool: ToolName, output: Value) -> Value {
        let Value::Object(mut output) = output else { panic!("an object") };
        project(tool, &mut output);
        Value::Object(output)
    }

    #[test]
    fn nothing_is_lost_between_control_and_details() {
        let output = json!({"execution_state": "finished", "job_id": "wcj_a_b", "outcome": "failed", "exit_code": 1,
            "duration_ms": 5, "stdout": {"text": "x", "total_bytes": 1}, "notes": ["n"]});
        assert_eq!(
            projected(ToolName::RunShell, output),
            json!({
                "execution": {"execution_state": "finished", "job_id": "wcj_a_b", "outcome": "failed", "exit_code": 1},
                "details": {"duration_ms": 5, "stdout": {"text": "x", "total_bytes": 1}, "notes": ["n"]},
            })
        );
    }

    #[test]
    fn observed_jobs_are_split_one_by_one() {
        let item = json!({"job_id": "wcj_a_b", "success": true,
            "execution": {"execution_state": "pending", "job_id": "wcj_a_b", "duration_ms": 5}});
        let lost = json!({"job_id": "wcj_a_c", "success": false, "error": {"code": "job_not_found", "message": "m"}});
        assert_eq!(
            projected(ToolName::ObserveJobs, json!({"items": [item, lost]})),
            json!({"items": [
                {"job_id": "wcj_a_b", "success": true,
                    "execution": {"execution_state": "pending", "job_id": "wcj_a_b"}, "details": {"duration_ms": 5}},
                lost,
            ]})
        );
    }

    #[test]
    fn other_tools_keep_their_output() {
        let output = json!({"items": [], "execution_state": "unknown"});
        assert_eq!(projected(ToolName::ReadFiles, output.clone()), output);
        let refused = json!({"clamped": {}});
        assert_eq!(projected(ToolName::RunShell, refused.clone()), refused, "nothing was executed");
    }
}

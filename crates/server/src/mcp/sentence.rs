//! The one short sentence about a result that people see. Never the data.

use serde_json::{Map, Value};
use webcodex_contracts::{CanonicalResult, ToolName};

/// A sentence about `result` of `tool`.
pub(super) fn about(tool: Option<ToolName>, result: &CanonicalResult) -> String {
    match (&result.error, tool) {
        (Some(error), _) => error.to_text(),
        (None, None) => "Done.".to_owned(),
        (None, Some(tool)) => success(tool, &result.output),
    }
}

fn success(tool: ToolName, output: &Map<String, Value>) -> String {
    match tool {
        ToolName::WorkOnProject => opened(output),
        ToolName::ReadFiles => batch(output, "Read", "file"),
        ToolName::SearchProjectTexts => searched(output),
        ToolName::EditProjectFiles => edited(output),
        ToolName::RunProcess
        | ToolName::RunShell
        | ToolName::RunScript
        | ToolName::RunDetachedProcess
        | ToolName::WaitForJobReadiness
        | ToolName::WaitForJobTerminal
        | ToolName::StopJob => execution(output),
        ToolName::ReadWorkspaceChanges => {
            format!("{} changed.", count(number(output, "file_count"), "file"))
        }
        ToolName::ObserveJobs => batch(output, "Observed", "job"),
        ToolName::ReadGitHistory => format!("{}.", count(length(output, "commits"), "commit")),
        ToolName::ListJobs => format!("{}.", count(length(output, "jobs"), "job")),
        ToolName::ListProjects => format!("{}.", count(length(output, "projects"), "project")),
        ToolName::RegisterProject => format!("Registered `{}`.", text(output, "project")),
        ToolName::GetRuntimeStatus => match output.get("ready") {
            Some(Value::Bool(true)) => "Server and Runner are ready.".to_owned(),
            _ => "The Server answers; no Runner does.".to_owned(),
        },
        ToolName::FinishCodingTask => finished(output),
        ToolName::PresentWorkResult => "The user sees the work now.".to_owned(),
        ToolName::WorkResultThreadPanel => "The Work Result is open.".to_owned(),
        ToolName::RestoreChanges => restored(output),
        ToolName::ReviewDecision => match output.get("changed") {
            Some(Value::Bool(true)) => format!("Changed `{}`.", text(output, "path")),
            _ => "Noted.".to_owned(),
        },
        ToolName::ReadToolManifest
        | ToolName::CallRuntimeTool
        | ToolName::WorkResultState
        | ToolName::ChangesFileDiff
        | ToolName::ChangesFileText => "Here is what was asked for.".to_owned(),
    }
}

fn opened(output: &Map<String, Value>) -> String {
    let project = output.get("project").and_then(|project| project.get("name")).and_then(Value::as_str);
    let session = output.get("session");
    let resumed = session.and_then(|session| session.get("resumed")).and_then(Value::as_bool) == Some(true);
    let verb = if resumed { "Resumed work" } else { "Ready to work" };
    format!("{verb} on `{}`.", project.unwrap_or("the project"))
}

/// "Read 2 files." or, where some failed, "Read 1 of 2 files."
fn batch(output: &Map<String, Value>, verb: &str, noun: &str) -> String {
    let items = output.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let all = items.len() as u64;
    let good = items.iter().filter(|item| item.get("success") == Some(&Value::Bool(true))).count() as u64;
    if good == all {
        format!("{verb} {}.", count(all, noun))
    } else {
        format!("{verb} {good} of {}.", count(all, noun))
    }
}

fn searched(output: &Map<String, Value>) -> String {
    let items = output.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let matches = items.iter().filter_map(|item| item.get("match_count")?.as_u64()).sum();
    let complete = items.iter().all(|item| item.get("completed") == Some(&Value::Bool(true)));
    let found = format!("Found {}", count(matches, "matching line"));
    if complete { format!("{found}.") } else { format!("{found}; the search is not complete.") }
}

fn edited(output: &Map<String, Value>) -> String {
    let files = count(length(output, "files"), "file");
    match output.get("changed") {
        Some(Value::Bool(true)) => format!("Changed {files}."),
        _ if output.get("would_change") == Some(&Value::Bool(true)) => {
            format!("Dry run: would change {files}. Nothing was changed.")
        }
        _ => "Nothing was changed.".to_owned(),
    }
}

fn finished(output: &Map<String, Value>) -> String {
    let evidence = output.get("evidence").and_then(Value::as_object);
    let files = evidence.map_or(0, |evidence| number(evidence, "file_count"));
    let sealed = format!("Closed; {} sealed as Final Changes", count(files, "changed file"));
    match length(output, "advisory") {
        0 => format!("{sealed}."),
        advisory => format!("{sealed}, {} to tell the user.", count(advisory, "thing")),
    }
}

fn restored(output: &Map<String, Value>) -> String {
    let files = count(length(output, "restored"), "file");
    let left = match length(output, "refused") {
        0 => String::new(),
        refused => format!(" {} left as it is.", count(refused, "file")),
    };
    match output.get("changed") {
        Some(Value::Bool(true)) => format!("Put {files} back.{left}"),
        _ => format!("Nothing was changed; {files} would be put back.{left}"),
    }
}

fn execution(output: &Map<String, Value>) -> String {
    let job = text(output, "job_id");
    match (text(output, "execution_state"), text(output, "outcome")) {
        ("pending", _) => format!("Still running as job `{job}`; observe it, do not run it again."),
        ("finished", "passed") => "Finished: passed.".to_owned(),
        ("finished", outcome) => match output.get("exit_code").and_then(Value::as_i64) {
            Some(code) => format!("Finished: {outcome}, exit code {code}."),
            None => format!("Finished: {outcome}."),
        },
        (state, _) => format!("The execution's state is {state}."),
    }
}

fn text<'a>(output: &'a Map<String, Value>, field: &str) -> &'a str {
    output.get(field).and_then(Value::as_str).unwrap_or("unknown")
}

fn number(output: &Map<String, Value>, field: &str) -> u64 {
    output.get(field).and_then(Value::as_u64).unwrap_or(0)
}

fn length(output: &Map<String, Value>, field: &str) -> u64 {
    output.get(field).and_then(Value::as_array).map_or(0, |items| items.len() as u64)
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sentence(tool: ToolName, output: Value) -> String {
        about(Some(tool), &CanonicalResult::success(output))
    }

    #[test]
    fn sentences_say_what_happened_and_stay_short() {
        let cases = [
            (
                ToolName::ReadFiles,
                json!({"items": [{"success": true}, {"success": false}]}),
                "Read 1 of 2 files.",
            ),
            (
                ToolName::SearchProjectTexts,
                json!({"items": [{"match_count": 1, "completed": true}]}),
                "Found 1 matching line.",
            ),
            (
                ToolName::SearchProjectTexts,
                json!({"items": [{"match_count": 0, "completed": false}]}),
                "Found 0 matching lines; the search is not complete.",
            ),
            (ToolName::EditProjectFiles, json!({"changed": true, "files": [1, 2]}), "Changed 2 files."),
            (
                ToolName::EditProjectFiles,
                json!({"changed": false, "would_change": true, "files": [1]}),
                "Dry run: would change 1 file. Nothing was changed.",
            ),
            (
                ToolName::RunShell,
                json!({"execution_state": "pending", "job_id": "wcj_a_b"}),
                "Still running as job `wcj_a_b`; observe it, do not run it again.",
            ),
            (
                ToolName::RunShell,
                json!({"execution_state": "finished", "outcome": "failed", "exit_code": 2}),
                "Finished: failed, exit code 2.",
            ),
            (ToolName::ReadWorkspaceChanges, json!({"file_count": 3}), "3 files changed."),
            (
                ToolName::WorkOnProject,
                json!({"project": {"name": "web"}, "session": {"resumed": true}}),
                "Resumed work on `web`.",
            ),
        ];
        for (tool, output, expected) in cases {
            assert_eq!(sentence(tool, output), expected);
        }
    }

    #[test]
    fn every_tool_has_a_sentence_even_for_an_empty_output() {
        for tool in ToolName::ALL {
            let sentence = sentence(*tool, json!({}));
            assert!(sentence.ends_with('.') && sentence.len() < 100, "{tool}: {sentence}");
        }
    }
}

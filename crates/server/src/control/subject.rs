//! What a call is about, in the few words that people are shown: paths, a pattern, a command without its secrets.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use webcodex_contracts::control::{LineCount, Subject};
use webcodex_contracts::execution::ExecutionState;
use webcodex_contracts::{CanonicalResult, JobId, ToolName, redact};
use webcodex_store::CallDetails;

/// Files named at most.
const MAX_FILES: usize = 64;
/// Longest text, in characters.
const MAX_TEXT: usize = 400;

/// What a call with these canonical arguments is about.
pub(crate) fn of(tool: ToolName, arguments: &Value) -> Subject {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match tool {
        ToolName::ReadFiles => Subject::Read { files: files(arguments, "items") },
        ToolName::SearchProjectTexts => Subject::Search { query: patterns(arguments), matches: None },
        ToolName::EditProjectFiles => Subject::Edit { files: files(arguments, "changes") },
        ToolName::RunShell => command(text("script")),
        ToolName::RunScript => command(&format!("{} {}", text("interpreter"), text("script"))),
        ToolName::RunProcess | ToolName::RunDetachedProcess => command(&process(arguments)),
        ToolName::WorkOnProject => {
            Subject::Session { title: redact::one_line(text("instruction"), MAX_TEXT) }
        }
        ToolName::ReadWorkspaceChanges => Subject::Review { files: 0 },
        _ => Subject::Other,
    }
}

/// The files that a successful edit changed.
pub(crate) fn changed_files(result: &CanonicalResult) -> Vec<String> {
    let changed = result.output.get("changed") == Some(&Value::Bool(true));
    let files = if changed { list(&result.output, "files") } else { &[] };
    files.iter().filter_map(|file| file.get("path")?.as_str()).map(str::to_owned).collect()
}

/// Adds what the result tells: counts, exit code, the job it became.
pub(crate) fn complete(details: &mut CallDetails, result: &CanonicalResult) -> Option<JobId> {
    let output = &result.output;
    match &mut details.subject {
        Some(Subject::Search { matches, .. }) => *matches = sum(output, "items", "match_count"),
        Some(Subject::Review { files }) => *files = list(output, "files").len() as u64,
        Some(Subject::Edit { files }) => {
            let named = list(output, "files").iter().filter_map(|file| file.get("path")?.as_str());
            let named: Vec<String> = named.take(MAX_FILES).map(str::to_owned).collect();
            if !named.is_empty() {
                *files = named;
            }
        }
        _ => {}
    }
    details.lines = lines(output);
    details.exit_code = output.get("exit_code").and_then(Value::as_i64);
    details.cut = is_cut(output);
    let pending = serde_json::to_value(ExecutionState::Pending).ok();
    let is_job = output.get("execution_state") == pending.as_ref() || output.get("detached").is_some();
    let job = output.get("job_id").and_then(Value::as_str).filter(|_| is_job)?;
    JobId::parse(job).ok()
}

fn list<'a>(output: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    output.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn sum(output: &Map<String, Value>, items: &str, field: &str) -> Option<u64> {
    let counts = list(output, items).iter().filter_map(|item| item.get(field)?.as_u64());
    counts.fold(None, |sum, count| Some(sum.unwrap_or(0) + count))
}

fn lines(output: &Map<String, Value>) -> Option<LineCount> {
    let changed = output.get("changed").and_then(Value::as_bool)?;
    let count = |field| sum(output, "files", field).unwrap_or(0);
    changed.then(|| LineCount { added: count("added_lines"), removed: count("removed_lines") })
}

/// Whether the answer leaves something out that another call returns.
fn is_cut(output: &Map<String, Value>) -> bool {
    let says_so = |item: &Value| {
        item.get("truncated") == Some(&Value::Bool(true))
            || item.get("continuation").is_some_and(Value::is_object)
    };
    let pending = output.contains_key("job_id");
    let whole = output.get("truncated") == Some(&Value::Bool(true))
        || (!pending && output.get("continuation").is_some_and(Value::is_object));
    whole || list(output, "items").iter().any(says_so)
}

fn files(arguments: &Value, items: &str) -> Vec<String> {
    let items = arguments.get(items).and_then(Value::as_array).into_iter().flatten();
    let mut seen = BTreeSet::new();
    let paths = items.filter_map(|item| item.get("path")?.as_str()).filter(|path| seen.insert(*path));
    paths.take(MAX_FILES).map(str::to_owned).collect()
}

fn patterns(arguments: &Value) -> String {
    let queries = arguments.get("queries").and_then(Value::as_array).into_iter().flatten();
    let patterns: Vec<&str> = queries.filter_map(|query| query.get("pattern")?.as_str()).collect();
    redact::one_line(&patterns.join(" · "), MAX_TEXT)
}

fn process(arguments: &Value) -> String {
    let executable = arguments.get("executable").and_then(Value::as_str);
    let args =
        arguments.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let quoted = |word: &str| if word.contains(' ') { format!("'{word}'") } else { word.to_owned() };
    executable.into_iter().chain(args).map(quoted).collect::<Vec<_>>().join(" ")
}

fn command(text: &str) -> Subject {
    Subject::Command { command: redact::one_line(text, MAX_TEXT) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_told_by_its_paths_pattern_or_command() {
        let subject = |tool, arguments: Value| of(tool, &arguments);
        assert_eq!(
            subject(ToolName::ReadFiles, json!({"items": [{"path": "a"}, {"path": "b"}, {"path": "a"}]})),
            Subject::Read { files: vec!["a".to_owned(), "b".to_owned()] }
        );
        assert_eq!(
            subject(
                ToolName::RunShell,
                json!({"script": "TOKEN=abc make\nmake test", "env": {"KEY": "abc"}})
            ),
            Subject::Command { command: "TOKEN=••• make; make test".to_owned() }
        );
        assert_eq!(
            subject(ToolName::RunProcess, json!({"executable": "git", "args": ["commit", "-m", "a b"]})),
            Subject::Command { command: "git commit -m 'a b'".to_owned() }
        );
        assert_eq!(
            subject(ToolName::SearchProjectTexts, json!({"queries": [{"pattern": "x"}, {"pattern": "y"}]})),
            Subject::Search { query: "x · y".to_owned(), matches: None }
        );
        assert_eq!(subject(ToolName::StopJob, json!({"job_id": "wcj_a_b"})), Subject::Other);
    }

    #[test]
    fn the_result_adds_counts_and_the_job() {
        let mut details =
            CallDetails { subject: Some(Subject::Edit { files: Vec::new() }), ..CallDetails::default() };
        let output = json!({"changed": true, "files": [{"path": "a", "added_lines": 3}, {"path": "b", "removed_lines": 1}]});
        assert_eq!(complete(&mut details, &CanonicalResult::success(output)), None);
        assert_eq!(details.lines, Some(LineCount { added: 3, removed: 1 }));
        assert_eq!(details.subject, Some(Subject::Edit { files: vec!["a".to_owned(), "b".to_owned()] }));
        let pending = json!({"execution_state": "pending", "job_id": "wcj_a_b", "continuation": {}});
        let job = complete(&mut CallDetails::default(), &CanonicalResult::success(pending));
        assert_eq!(job, JobId::parse("wcj_a_b").ok());
        let finished = json!({"execution_state": "finished", "job_id": "wcj_a_b", "exit_code": 3});
        let mut details = CallDetails::default();
        assert_eq!(complete(&mut details, &CanonicalResult::success(finished)), None);
        assert_eq!(details.exit_code, Some(3));
    }
}

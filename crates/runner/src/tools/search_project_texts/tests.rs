use serde_json::{Value, json};
use webcodex_contracts::{ProjectId, table};
use webcodex_files::Files;
use webcodex_files::search::Searcher;
use webcodex_projects::Project;

use super::*;

const PROJECT: &str = "agent:me:demo";

/// Searches a project with these files and answers as a call would.
fn call(files: &[(&str, &str)], queries: Value) -> ToolResult<SearchProjectTextsOutput> {
    let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let project = Project::new(ProjectId::parse(PROJECT).unwrap(), "demo", folder.path()).unwrap();
    let params: SearchProjectTextsParams =
        serde_json::from_value(json!({"project": PROJECT, "queries": queries, "session_id": "wcs_1"}))
            .unwrap();
    let searcher = Searcher::new(&Files::open(data.path()).unwrap());
    let deadline = Deadline::within(Duration::from_secs(60));
    let answers = searcher.search(&project.read_access(), &params.queries, &deadline);
    all_failed(&params, answers)
}

#[test]
fn a_continuation_fits_the_published_schema_and_goes_on() {
    let files = [("a.txt", "x\nx\nx\n")];
    let output =
        call(&files, json!([{"pattern": "y"}, {"pattern": "x", "limit": 2, "include": ["*.txt"]}])).unwrap();
    assert!(output.items[0].completed && output.items[0].continuation.is_none());
    let next = output.items[1].continuation.clone().unwrap();
    assert_eq!(next.tool, ToolName::SearchProjectTexts);
    let arguments = Value::Object(next.arguments);
    assert_eq!(table::get(next.tool).canonicalise(arguments.clone()).unwrap(), arguments);
    assert_eq!(arguments["session_id"], "wcs_1");
    let rest = call(&files, arguments["queries"].clone()).unwrap();
    assert_eq!(rest.items[0].matches.iter().map(|found| found.line).collect::<Vec<_>>(), [3]);
}

#[test]
fn every_item_says_what_searched_and_how_the_pattern_was_read() {
    let output =
        call(&[("a", "a.b\n")], json!([{"pattern": "a.b"}, {"pattern": "a.b", "syntax": "regex"}])).unwrap();
    let items = serde_json::to_value(&output.items).unwrap();
    assert_eq!((&items[0]["syntax"], &items[1]["syntax"]), (&json!("literal"), &json!("regex")));
    for item in items.as_array().unwrap() {
        assert_eq!((&item["backend"], &item["completed"]), (&json!("ripgrep-libraries"), &json!(true)));
        assert!(item.get("failure_stage").is_none() && item.get("skipped").is_none(), "success is sparse");
    }
}

#[test]
fn a_failed_item_leaves_the_others_alone() {
    let output =
        call(&[("a", "x\n")], json!([{"pattern": "x"}, {"pattern": "x", "paths": ["gone"]}])).unwrap();
    let (found, failed) = (&output.items[0], &output.items[1]);
    assert!(found.success && !failed.success && !failed.completed);
    let error = failed.error.clone().unwrap();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NotFound, Some("queries[1].paths[0]")));
    let codes = [&failed.failure_stage, &failed.reason_code, &failed.detail_code]
        .map(|code| code.as_deref().unwrap());
    assert_eq!(codes, ["scope", "not_found", "path_missing"]);
}

#[test]
fn a_failed_search_says_stage_and_reason_and_what_may_be_meant() {
    let failure = call(&[], json!([{"pattern": "f(x", "syntax": "regex"}])).unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::PatternInvalid);
    assert!(failure.error.message.contains("at character 2: unclosed group"), "{}", failure.error.message);
    assert_eq!(failure.error.field.as_deref(), Some("queries[0].pattern"));
    assert_eq!(failure.output["failure_stage"], "pattern");
    assert_eq!(failure.output["reason_code"], "pattern_syntax");
    let recovery = failure.recovery.unwrap();
    let arguments = Value::Object(recovery.arguments);
    assert_eq!(table::get(recovery.tool).canonicalise(arguments.clone()).unwrap(), arguments);
    assert_eq!(arguments["queries"][0], json!({"pattern": "f(x"}));
}

#[test]
fn finding_nothing_where_not_everything_was_seen_is_a_failure() {
    let found = Found {
        completed: false,
        match_count: 0,
        file_count: 0,
        matches: Vec::new(),
        files: Vec::new(),
        truncated: false,
        cursor: Some("c".to_owned()),
        skipped: vec!["2 binary files".to_owned(), "cannot be read: `a` (permission denied)".to_owned()],
        shortfall: Some(webcodex_files::search::Shortfall::FileUnreadable),
    };
    let params = json!({"project": PROJECT, "queries": [{"pattern": "x"}]});
    let params: SearchProjectTextsParams = serde_json::from_value(params).unwrap();
    let failure = all_failed(&params, vec![Ok(found.clone())]).unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::SearchIncomplete);
    assert!(
        failure.error.message.contains("(cannot be read: `a` (permission denied))"),
        "{}",
        failure.error.message
    );
    assert_eq!(failure.output["items"][0]["completed"], false);
    assert_eq!(
        (&failure.output["failure_stage"], &failure.output["reason_code"]),
        (&json!("read"), &json!("file_unreadable"))
    );
    assert_eq!(failure.recovery.unwrap().arguments["queries"][0]["cursor"], "c");

    let some = Found { match_count: 1, ..found };
    let output = all_failed(&params, vec![Ok(some)]).unwrap();
    assert!(output.items[0].success && !output.items[0].completed, "what was found is true");
    assert_eq!(output.items[0].reason_code.as_deref(), Some("search_incomplete"));
}

//! `read_files` and `edit_project_files` as the Server calls them: canonical results, errors that explain themselves,
//! and suggested calls that can be made as they are.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::{CallContext, Grant};
use webcodex_contracts::policy::{HostProfile, WaitingPolicy};
use webcodex_contracts::{CallId, CanonicalResult, ClientId, ToolName, table};
use webcodex_link::{Call, CallHandler, Caller};
use webcodex_process::PathSource;
use webcodex_projects::FolderRules;
use webcodex_runner::{Runner, RunnerConfig};

struct House {
    folder: tempfile::TempDir,
    runner: Arc<Runner>,
    project: String,
}

impl House {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir(&root).unwrap();
        for (path, bytes) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), bytes).unwrap();
        }
        let runner = Runner::open(RunnerConfig {
            data_dir: folder.path().join("data"),
            client: ClientId::parse("test").unwrap(),
            version: "0".to_owned(),
            rules: FolderRules::default(),
            path_source: PathSource::Environment,
            region: None,
        })
        .unwrap();
        let registered = runner.projects().register(root.to_str().unwrap(), None, None).unwrap();
        let project = registered.project.id.as_str().to_owned();
        Self { folder, runner, project }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("project").join(path)
    }

    async fn call(&self, tool: ToolName, arguments: Value) -> CanonicalResult {
        self.call_within(55, tool, arguments).await
    }

    /// Calls a tool with arguments checked as the Server checks them.
    async fn call_within(&self, budget_secs: u64, tool: ToolName, mut arguments: Value) -> CanonicalResult {
        arguments["project"] = json!(self.project);
        let canonical = table::get(tool).canonicalise(arguments).unwrap();
        let call = Call {
            tool,
            arguments: serde_json::value::to_raw_value(&canonical).unwrap(),
            context: CallContext {
                call_id: CallId::parse("wcc_test").unwrap(),
                grant: Grant::All,
                session_id: None,
                policy: WaitingPolicy::new(HostProfile::Direct, budget_secs),
            },
        };
        let result = Arc::clone(&self.runner).call(call, Caller::silent(CancellationToken::new())).await;
        let result = serde_json::to_value(&result).unwrap();
        check_suggestions(&result);
        serde_json::from_value(result).unwrap()
    }

    async fn read(&self, items: Value) -> CanonicalResult {
        self.call(ToolName::ReadFiles, json!({"items": items})).await
    }

    async fn revision(&self, path: &str) -> Value {
        self.read(json!([{"path": path}])).await.output["items"][0]["read_revision"].clone()
    }

    async fn edit(&self, changes: Value) -> CanonicalResult {
        self.call(ToolName::EditProjectFiles, json!({"changes": changes})).await
    }
}

/// Every suggested call in an answer fits the schema of its tool as it is.
fn check_suggestions(value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(check_suggestions),
        Value::Object(fields) => {
            if let (Some(Value::String(tool)), Some(arguments)) =
                (fields.get("tool"), fields.get("arguments"))
            {
                let canonical = table::find(tool).unwrap().canonicalise(arguments.clone()).unwrap();
                assert_eq!(&canonical, arguments, "already canonical");
            }
            fields.values().for_each(check_suggestions);
        }
        _ => {}
    }
}

fn code(result: &CanonicalResult) -> &str {
    result.error.as_ref().map_or("success", |error| error.code.as_str())
}

fn field(result: &CanonicalResult) -> &str {
    result.error.as_ref().and_then(|error| error.field.as_deref()).unwrap_or_default()
}

#[tokio::test]
async fn a_read_is_followed_to_its_end_by_its_continuations() {
    let text = format!("head\n{}\ntail\n", "é0123456789".repeat(20_000));
    let house = House::new(&[("a.txt", text.as_bytes())]);
    let mut result = house.read(json!([{"path": "a.txt", "encoding": "utf-8"}])).await;
    let mut joined = String::new();
    loop {
        let item = result.output["items"][0].clone();
        joined.push_str(item["text"].as_str().unwrap());
        assert_eq!(item["sha256"].as_str().unwrap().len(), 64);
        let Some(next) = item.get("continuation") else { break };
        assert_eq!((&next["tool"], &item["partial"]), (&json!("read_files"), &json!(true)));
        assert_eq!(next["arguments"]["items"][0]["encoding"], "utf-8");
        result = house.call(ToolName::ReadFiles, next["arguments"].clone()).await;
    }
    assert_eq!(joined, text);
}

#[tokio::test]
async fn items_fail_alone_and_the_call_only_if_all_do() {
    let house = House::new(&[("a.txt", b"one\n"), ("b.bin", b"\x89PNG\r\n\x1a\n\0"), ("src/main.rs", b"")]);
    let items = json!([{"path": "a.txt"}, {"path": "missing"}, {"path": "src"}, {"path": "b.bin"}]);
    let result = house.read(items).await;
    assert!(result.success);
    let items = result.output["items"].as_array().unwrap();
    let codes: Vec<&Value> = items[1..].iter().map(|item| &item["error"]["code"]).collect();
    assert_eq!(codes, ["not_found", "not_a_file", "binary_file"]);
    assert_eq!(items[1]["error"]["field"], "items[1].path");
    assert!(items[3]["read_revision"].is_number() && items[3].get("text").is_none());

    let result = house.read(json!([{"path": "src/mian.rs"}, {"path": "missing"}])).await;
    assert_eq!((result.success, code(&result), field(&result)), (false, "not_found", "items[0].path"));
    let error = result.error.unwrap();
    assert!(error.to_text().contains("Did you mean `src/main.rs`?"), "{}", error.to_text());
    assert_eq!(result.output["items"].as_array().unwrap().len(), 2, "what is known is kept");
}

#[tokio::test]
async fn an_edit_reports_what_it_did_and_a_dry_run_does_nothing() {
    let house = House::new(&[("a.txt", b"one\r\ntwo\r\n")]);
    let revision = house.revision("a.txt").await;
    let change = json!({
        "kind": "replace_exact", "path": "a.txt", "old_text": "one\ntwo", "new_text": "1\n1.5\ntwo",
        "expected_read_revision": revision,
    });
    let dry = house.call(ToolName::EditProjectFiles, json!({"changes": [change], "dry_run": true})).await;
    assert_eq!(
        (&dry.output["changed"], &dry.output["state_changed"], &dry.output["would_change"]),
        (&json!(false), &json!(false), &json!(true))
    );
    assert!(dry.output["files"][0].get("read_revision").is_none());
    assert_eq!(std::fs::read(house.at("a.txt")).unwrap(), b"one\r\ntwo\r\n");

    let result = house.edit(json!([change])).await;
    assert_eq!(result.output["changed"], true);
    let file = &result.output["files"][0];
    assert_eq!(
        (
            &file["action"],
            &file["places"],
            &file["added_lines"],
            &file["removed_lines"],
            &file["first_changed_line"]
        ),
        (&json!("modified"), &json!(1), &json!(2), &json!(1), &json!(1))
    );
    assert_eq!(file["read_revision"], house.revision("a.txt").await);
    assert_eq!(std::fs::read(house.at("a.txt")).unwrap(), b"1\r\n1.5\r\ntwo\r\n");
}

#[tokio::test]
async fn a_stale_guard_tells_the_present_state_and_how_to_read_it() {
    let house = House::new(&[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    let (a, b) = (house.revision("a.txt").await, house.revision("b.txt").await);
    std::fs::write(house.at("a.txt"), "changed\nsince\n").unwrap();
    // Stale, foreign, made up, and from another file: all told in the same way.
    for guard in [a, b.clone(), json!(1), json!(9_007_199_254_740_991_u64)] {
        let change =
            json!({"kind": "write", "path": "a.txt", "new_text": "x", "expected_read_revision": guard});
        let result = house.edit(json!([change])).await;
        assert_eq!((code(&result), field(&result)), ("stale_revision", "changes[0].expected_read_revision"));
        let current = &result.output["current"];
        assert_eq!(
            (&current["exists"], &current["size_bytes"], &current["total_lines"]),
            (&json!(true), &json!(14), &json!(2))
        );
        assert_eq!(current["sha256"].as_str().unwrap().len(), 64);
        let recovery = serde_json::to_value(result.recovery.unwrap()).unwrap();
        assert_eq!(
            (&recovery["posture"], &recovery["tool"]),
            (&json!("fallback_recovery"), &json!("read_files"))
        );
        assert_eq!(recovery["arguments"]["items"], json!([{"path": "a.txt"}]));
    }
    std::fs::remove_file(house.at("b.txt")).unwrap();
    let change = json!({"kind": "delete", "path": "b.txt", "expected_read_revision": b});
    let result = house.edit(json!([change])).await;
    assert_eq!((code(&result), &result.output["current"]["exists"]), ("stale_revision", &json!(false)));
}

#[tokio::test]
async fn refusals_name_code_field_and_that_nothing_was_changed() {
    let house = House::new(&[("a.txt", b"foo\n\tbar\nfoo\n"), ("b.txt", b"two\n")]);
    let revision = house.revision("a.txt").await;
    let replace = |old: &str| json!({"kind": "replace_exact", "path": "a.txt", "old_text": old, "new_text": "x", "expected_read_revision": revision});
    let long_name = "x".repeat(300);
    for (change, expected_code, expected_field) in [
        (
            json!({"kind": "write", "path": "a.txt", "new_text": "x"}),
            "invalid_arguments",
            "expected_read_revision",
        ),
        (json!({"kind": "create", "path": "a.txt", "new_text": "x"}), "already_exists", "path"),
        (json!({"kind": "create", "path": "nul.txt", "new_text": "x"}), "path_refused", "path"),
        (json!({"kind": "create", "path": ".git/hooks/pre-commit", "new_text": "x"}), "path_refused", "path"),
        (
            json!({"kind": "rename", "path": "a.txt", "to_path": "b.txt", "expected_read_revision": revision}),
            "already_exists",
            "to_path",
        ),
        (json!({"kind": "delete", "path": "missing"}), "not_found", "path"),
        (
            json!({"kind": "insert", "path": "a.txt", "new_text": "x", "line": 9, "expected_read_revision": revision}),
            "invalid_arguments",
            "line",
        ),
        (replace("foo"), "match_ambiguous", "old_text"),
        (replace("    bar"), "match_not_found", "old_text"),
        (json!({"kind": "create", "path": long_name, "new_text": "x"}), "io_failed", "path"),
    ] {
        let result =
            house.edit(json!([{"kind": "create", "path": "new.txt", "new_text": "x"}, change])).await;
        assert_eq!(code(&result), expected_code, "{change}: {result:?}");
        if !field(&result).is_empty() {
            assert_eq!(field(&result), format!("changes[1].{expected_field}"), "{change}");
        }
        let error = result.error.unwrap();
        assert_eq!(error.changed, Some(false), "{change}");
        assert!(!house.at("new.txt").exists(), "{change}");
        assert!(error.to_text().ends_with("Nothing was changed."), "{}", error.to_text());
    }
    let result = house.edit(json!([replace("    bar")])).await;
    let text = result.error.unwrap().to_text();
    assert!(text.contains("line 2") && text.contains("1 tab where you sent 4 spaces"), "{text}");
    assert_eq!(result.recovery.unwrap().arguments["items"][0]["start_line"], 1);
    let result = house.edit(json!([replace("foo")])).await;
    assert_eq!((&result.output["match_count"], &result.output["lines"]), (&json!(2), &json!([1, 3])));
}

#[tokio::test]
async fn edits_of_one_file_at_the_same_time_are_each_applied_or_refused() {
    let house = Arc::new(House::new(&[("a.txt", b"start\n")]));
    let revision = house.revision("a.txt").await;
    let edits = (0..8).map(|number| {
        let (house, revision) = (Arc::clone(&house), revision.clone());
        tokio::spawn(async move {
            let change = json!({"kind": "insert", "path": "a.txt", "line": 1, "new_text": format!("{number}"), "expected_read_revision": revision});
            house.edit(json!([change])).await
        })
    });
    let results = futures_util::future::join_all(edits.collect::<Vec<_>>()).await;
    let applied = results.iter().filter(|result| result.as_ref().unwrap().success).count();
    assert_eq!(applied, 1, "all were based on the same content");
    assert!(
        results
            .iter()
            .map(|result| code(result.as_ref().unwrap()))
            .all(|code| ["success", "stale_revision"].contains(&code))
    );
    assert_eq!(std::fs::read_to_string(house.at("a.txt")).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn an_edit_does_not_wait_for_ever_for_one_that_is_stuck() {
    let house = House::new(&[("a.txt", b"one\n")]);
    let id = webcodex_contracts::ProjectId::parse(&house.project).unwrap();
    let stuck = house.runner.projects().find(&id).unwrap().write_access().await.unwrap();
    let changes = json!([{"kind": "create", "path": "b.txt", "new_text": ""}]);
    let result = house.call_within(2, ToolName::EditProjectFiles, json!({"changes": changes})).await;
    assert_eq!(code(&result), "busy");
    assert!(house.read(json!([{"path": "a.txt"}])).await.success, "reading goes on");
    drop(stuck);
    assert!(house.edit(changes).await.success);
}

#[tokio::test]
async fn the_first_edit_of_a_folder_without_git_counts_as_a_change() {
    let house = House::new(&[("old.txt", b"old\n")]);
    let changes = json!({"changes": [{"kind": "create", "path": "new.txt", "new_text": "new\n"}]});
    assert!(house.call(ToolName::EditProjectFiles, changes).await.success);
    let seen = house.call(ToolName::ReadWorkspaceChanges, json!({})).await;
    assert_eq!(seen.output["file_count"], 1, "{:?}", seen.output);
    assert_eq!(seen.output["files"][0]["path"], "new.txt");
}

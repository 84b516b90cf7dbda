//! The tools for commands and jobs as the Server calls them: canonical results, errors that carry what is known, and
//! suggested calls that can be made as they are.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by them")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::{CallContext, Grant};
use webcodex_contracts::policy::{HostProfile, WaitingPolicy};
use webcodex_contracts::{CallId, ClientId, ProjectId, ToolName, table};
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
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir(&root).unwrap();
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

    /// Calls a tool for a caller who may see `grant` and waits 6 s, so that commands are handed over after one.
    async fn call_as(&self, grant: Grant, tool: ToolName, arguments: Value) -> Value {
        let canonical = table::get(tool).canonicalise(arguments).unwrap();
        let call = Call {
            tool,
            arguments: serde_json::value::to_raw_value(&canonical).unwrap(),
            context: CallContext {
                call_id: CallId::parse("wcc_test").unwrap(),
                grant,
                session_id: None,
                policy: WaitingPolicy::new(HostProfile::Direct, 6),
            },
        };
        let result = Arc::clone(&self.runner).call(call, Caller::silent(CancellationToken::new())).await;
        serde_json::to_value(&result).unwrap()
    }

    async fn call(&self, tool: ToolName, arguments: Value) -> Value {
        self.call_as(Grant::All, tool, arguments).await
    }

    async fn shell(&self, script: &str) -> Value {
        self.call(ToolName::RunShell, json!({"project": self.project, "script": script})).await
    }

    fn write(&self, name: &str) {
        std::fs::write(self.folder.path().join("project").join(name), "").unwrap();
    }
}

#[tokio::test]
async fn a_command_that_passes_is_a_sparse_success() {
    let house = House::new();
    let arguments = json!({"project": house.project, "executable": "printf", "args": ["%s", "a b"]});
    let result = house.call(ToolName::RunProcess, arguments).await;
    let output = &result["output"];
    assert_eq!(result["success"], true);
    assert_eq!((&output["outcome"], &output["exit_code"]), (&json!("passed"), &json!(0)));
    assert_eq!(output["stdout"], json!({"text": "a b", "total_bytes": 3}));
    for absent in ["stderr", "notes", "continuation", "observation_token", "signal"] {
        assert!(output.get(absent).is_none(), "{absent} in {output}");
    }
}

#[tokio::test]
async fn a_command_that_fails_is_an_error_with_all_that_is_known() {
    let house = House::new();
    let result = house.shell("echo doing; echo 'it broke' >&2; exit 101").await;
    assert_eq!((&result["success"], &result["error"]["code"]), (&json!(false), &json!("command_failed")));
    let message = result["error"]["message"].as_str().unwrap();
    assert!(message.contains("ended with exit code 101: it broke"), "{message}");
    let output = &result["output"];
    assert_eq!((&output["execution_state"], &output["exit_code"]), (&json!("finished"), &json!(101)));
    assert_eq!(output["stdout"]["text"], "doing\n");
}

#[tokio::test]
async fn a_command_that_did_not_start_says_so() {
    let house = House::new();
    for (arguments, code, field) in [
        (json!({"executable": "no-such-program"}), "start_failed", "executable"),
        (json!({"executable": "../outside"}), "path_refused", "executable"),
        (json!({"executable": "true", "cwd": "nowhere"}), "start_failed", "cwd"),
        (json!({"executable": "true", "env": {"WEBCODEX_TOKEN": "x"}}), "invalid_arguments", "env"),
    ] {
        let mut arguments = arguments;
        arguments["project"] = json!(house.project);
        let result = house.call(ToolName::RunProcess, arguments).await;
        let error = &result["error"];
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{result}");
        assert_eq!(
            (&error["changed"], &result["output"]["execution_state"]),
            (&json!(false), &json!("not_started"))
        );
        assert!(error["hint"].is_string());
    }
    let list = house.call(ToolName::ListJobs, json!({"project": house.project})).await;
    assert_eq!(list["output"]["jobs"], json!([]));
}

#[tokio::test]
async fn a_time_limit_is_an_error_that_gives_the_job() {
    let house = House::new();
    let arguments = json!({"project": house.project, "script": "echo so far; sleep 1000", "timeout_secs": 1});
    // The same second may hand it over first; then the job tells the rest.
    let mut result = house.call(ToolName::RunShell, arguments).await;
    if result["output"]["execution_state"] == "pending" {
        let job = result["output"]["job_id"].clone();
        result = house.call(ToolName::WaitForJobReadiness, json!({"job_id": job})).await;
        assert_eq!(result["output"]["outcome"], "timed_out", "{result}");
        return;
    }
    assert_eq!(result["error"]["code"], "command_timed_out");
    let message = result["error"]["message"].as_str().unwrap();
    assert!(message.contains("effects") && message.contains(result["output"]["job_id"].as_str().unwrap()));
    assert_eq!(result["output"]["stdout"]["text"], "so far\n");
}

#[tokio::test]
async fn a_pending_command_is_followed_by_its_continuation_and_is_run_once() {
    let house = House::new();
    let pending =
        house.shell("echo one >> runs; echo first; while [ ! -e go ]; do sleep 0.01; done; echo last").await;
    let output = &pending["output"];
    assert_eq!(
        (&pending["success"], &output["execution_state"]),
        (&json!(true), &json!("pending")),
        "{pending}"
    );
    let continuation = &output["continuation"];
    house.write("go");
    let mut arguments = continuation["arguments"].clone();
    let mut text = String::new();
    loop {
        let tool = ToolName::parse(continuation["tool"].as_str().unwrap()).unwrap();
        let seen = house.call(tool, arguments).await;
        let execution = &seen["output"]["items"][0]["execution"];
        text += execution["stdout"]["text"].as_str().unwrap_or_default();
        if execution["execution_state"] == "finished" {
            assert_eq!((&execution["outcome"], &execution["job_id"]), (&json!("passed"), &output["job_id"]));
            break;
        }
        arguments = execution["continuation"]["arguments"].clone();
    }
    assert_eq!(text, "last\n", "only what is new");
    let runs = std::fs::read_to_string(house.folder.path().join("project/runs")).unwrap();
    assert_eq!(runs, "one\n");
}

#[tokio::test]
async fn jobs_of_projects_that_a_caller_may_not_see_are_not_there() {
    let house = House::new();
    let job = house.shell("true").await["output"]["job_id"].clone();
    let other = || Grant::Projects(vec![ProjectId::parse("agent:test:other").unwrap()]);
    for (tool, arguments) in [
        (ToolName::ObserveJobs, json!({"jobs": [{"job_id": job}]})),
        (ToolName::StopJob, json!({"job_id": job})),
        (ToolName::WaitForJobReadiness, json!({"job_id": job})),
        (ToolName::WaitForJobTerminal, json!({"job_id": job})),
    ] {
        let result = house.call_as(other(), tool, arguments.clone()).await;
        assert_eq!(result["error"]["code"], "job_not_found", "{tool}: {result}");
        assert_eq!(house.call(tool, arguments).await["success"], true, "{tool}");
    }
}

#[tokio::test]
async fn one_bad_item_fails_alone_and_names_its_field() {
    let house = House::new();
    let job = house.shell("echo fine").await["output"]["job_id"].clone();
    let jobs = json!([{"job_id": job}, {"job_id": "wcj_x_y"}, {"job_id": job, "observation_token": "odd"}]);
    let result = house.call(ToolName::ObserveJobs, json!({"jobs": jobs, "wait_secs": 60})).await;
    let items = &result["output"]["items"];
    assert_eq!(items[0]["execution"]["stdout"]["text"], "fine\n");
    assert_eq!(
        (&items[1]["error"]["code"], &items[1]["error"]["field"]),
        (&json!("job_not_found"), &json!("jobs[1].job_id"))
    );
    assert_eq!(items[2]["error"]["code"], "cursor_invalid");
    assert_eq!(items[2]["error"]["field"], "jobs[2].observation_token");
    let raw = json!({"jobs": [{"job_id": job, "raw_stream": "stdout", "raw_offset": 1}]});
    let raw = house.call(ToolName::ObserveJobs, raw).await;
    assert_eq!(
        raw["output"]["items"][0]["raw"],
        json!({"offset": 1, "base64": "aW5lCg==", "total_bytes": 5})
    );
}

#[tokio::test]
async fn a_detached_program_is_waited_for_listed_and_stopped() {
    let house = House::new();
    let script = "echo ready; while :; do sleep 0.05; done";
    let arguments = json!({"project": house.project, "executable": "sh", "args": ["-c", script]});
    let started = house.call(ToolName::RunDetachedProcess, arguments).await;
    assert_eq!(started["output"]["execution_state"], "pending", "{started}");
    let job = started["output"]["job_id"].clone();
    let ready =
        house.call(ToolName::WaitForJobReadiness, json!({"job_id": job, "ready_text": "ready"})).await;
    assert_eq!((&ready["output"]["ready"], &ready["output"]["reason"]), (&json!(true), &json!("text")));
    let list = house.call(ToolName::ListJobs, json!({"project": house.project, "running_only": true})).await;
    assert_eq!(
        (&list["output"]["jobs"][0]["job_id"], &list["output"]["jobs"][0]["detached"]),
        (&job, &json!(true))
    );
    let stopped = house.call(ToolName::StopJob, json!({"job_id": job})).await;
    assert_eq!(
        (&stopped["output"]["stopped"], &stopped["output"]["outcome"]),
        (&json!(true), &json!("stopped"))
    );
    let again = house.call(ToolName::StopJob, json!({"job_id": job})).await;
    assert_eq!(again["output"]["stopped"], false);
    let terminal = house.call(ToolName::WaitForJobTerminal, json!({"job_id": job})).await;
    assert_eq!(
        (&terminal["output"]["terminal"], &terminal["output"]["wake_arranged"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn scripts_run_in_their_interpreter_and_lists_go_on_by_their_continuation() {
    let house = House::new();
    let arguments =
        json!({"project": house.project, "interpreter": "sh", "script": "echo \"$1\"", "args": ["x y"]});
    for _ in 0..3 {
        let result = house.call(ToolName::RunScript, arguments.clone()).await;
        assert_eq!(result["output"]["stdout"]["text"], "x y\n", "{result}");
    }
    let first = house.call(ToolName::ListJobs, json!({"project": house.project, "limit": 2})).await;
    let next = &first["output"]["continuation"];
    let second =
        house.call(ToolName::parse(next["tool"].as_str().unwrap()).unwrap(), next["arguments"].clone()).await;
    let count = |page: &Value| page["output"]["jobs"].as_array().unwrap().len();
    assert_eq!((count(&first), count(&second)), (2, 1));
    assert!(second["output"].get("continuation").is_none());
}

#[tokio::test]
async fn in_a_folder_without_git_a_command_that_comes_first_is_seen_as_a_change() {
    let house = House::new();
    house.write("before.txt");
    let ran = house.shell("echo made > made.txt; rm before.txt").await;
    assert_eq!(ran["output"]["outcome"], "passed", "{ran}");
    let changes = house.call(ToolName::ReadWorkspaceChanges, json!({"project": house.project})).await;
    let seen: Vec<(&str, &str)> = changes["output"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["status"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [("before.txt", "deleted"), ("made.txt", "added")]);
    // Whoever opens the project is told how many, as soon as they can be counted in the time there is.
    let counted = async {
        loop {
            let arguments = json!({"project": house.project, "context": ["status"]});
            let opened = house.call(ToolName::WorkOnProject, arguments).await;
            if let Some(count) = opened["output"]["context"][0]["status"]["changed_files"].as_u64() {
                return count;
            }
        }
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), counted).await.unwrap(), 2);
}

//! Dispatch: what is checked, which Runner is asked, what a caller learns when it does not answer, what is recorded.

use serde_json::{Value, json};
use webcodex_contracts::call::Grant;
use webcodex_contracts::{CanonicalResult, ClientId, ProjectId, Scope};
use webcodex_store::{CallOutcome, CredentialKind, NewCredential};

use crate::support::{PROJECT, TestServer, follow_ups_fit, ordinary};

fn read_one() -> Value {
    json!({"project": PROJECT, "items": [{"path": "a"}]})
}

#[tokio::test]
async fn a_call_reaches_its_runner_once_and_in_canonical_form() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let items = r#"[{"path": "./src//lib.rs", "start_line": 2.0}]"#;
    let result = server.api("read_files", json!({"project": PROJECT, "items": items})).await;
    assert_eq!(result["success"], true);
    let seen = runner.only();
    assert_eq!(
        seen.arguments,
        json!({"project": PROJECT, "items": [{"path": "src/lib.rs", "start_line": 2}]})
    );
    assert_eq!(seen.context.grant, Grant::All);
}

#[tokio::test]
async fn arguments_are_refused_before_a_runner_is_asked() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    for (arguments, field) in [
        (json!({"project": PROJECT, "items": []}), "items"),
        (json!({"project": PROJECT, "items": [{"path": "../x"}]}), "items[0].path"),
        (json!({"project": PROJECT, "items": [{"path": "a"}], "sesion_id": "~s1"}), "sesion_id"),
        (json!({"items": [{"path": "a"}]}), "project"),
    ] {
        let result = server.api("read_files", arguments).await;
        assert_eq!(result["error"]["code"], "invalid_arguments");
        assert_eq!(result["error"]["field"], field);
        assert_eq!(result["error"]["changed"], false);
    }
    let nested = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let deep = server.api("read_files", json!({"project": PROJECT, "items": nested})).await;
    assert!(deep["error"]["message"].as_str().unwrap().contains("64 levels"), "{deep}");
    let unknown = server.api("files_read", json!({})).await;
    assert_eq!(unknown["error"]["code"], "unknown_tool");
    assert!(unknown["error"]["hint"].as_str().unwrap().contains("read_files"));
    assert_eq!(runner.calls(), 0);
}

#[tokio::test]
async fn a_body_that_is_no_call_is_a_bad_request_with_a_canonical_error() {
    let server = TestServer::start().await;
    for body in [
        "",
        "[]",
        "{\"tool\": 5}",
        "{\"arguments\": {}}",
        "{\"tool\": \"x\", \"arguments\": null}",
        "{\"tool\": \"x\", \"y\": 1}",
    ] {
        let request =
            server.request("POST", "/api/tools/call").header("content-type", "application/json").body(body);
        let answer = request.send().await;
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.body_json()["error"]["code"], "invalid_arguments", "{body}");
        assert_eq!(answer.body_json()["success"], false, "{body}");
    }
}

#[tokio::test]
async fn limits_beyond_their_maximum_are_clamped_and_reported() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let items = json!([{"path": "a", "line_count": 9_999_999}, {"path": "b", "line_count": 10}]);
    let result = server.api("read_files", json!({"project": PROJECT, "items": items})).await;
    assert_eq!(result["output"]["clamped"], json!({"items[0].line_count": 4000}));
    assert_eq!(runner.only().arguments["items"][0]["line_count"], 4000);
    let result = server.api("read_files", read_one()).await;
    assert!(result["output"].get("clamped").is_none());
}

#[tokio::test]
async fn a_credential_does_what_its_scopes_and_grant_say() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let reader =
        NewCredential { scopes: vec![Scope::ProjectRead], ..NewCredential::new(CredentialKind::Client, "r") };
    let reader = server.issue(reader).await;
    let shell = json!({"project": PROJECT, "script": "make"});
    let denied = server.api_as(&reader, "run_shell", shell.clone()).await;
    assert_eq!(denied["error"]["code"], "scope_denied");
    assert!(denied["error"]["message"].as_str().unwrap().contains("job:run"));
    let through_gateway = json!({"tool": "run_shell", "arguments": shell});
    let denied = server.api_as(&reader, "call_runtime_tool", through_gateway).await;
    assert_eq!(denied["error"]["code"], "scope_denied", "the gateway opens nothing");
    assert_eq!(server.api_as(&reader, "read_files", read_one()).await["success"], true);

    let other = ProjectId::parse("agent:laptop:other").unwrap();
    let bound = NewCredential::new(CredentialKind::Project, "other").for_projects(vec![other.clone()]);
    let bound = server.issue(bound).await;
    let calls = runner.calls();
    let hidden = server.api_as(&bound, "read_files", read_one()).await;
    assert_eq!(hidden["error"]["code"], "project_not_found");
    assert_eq!(runner.calls(), calls);
    let own = json!({"project": other, "items": [{"path": "a"}]});
    assert_eq!(server.api_as(&bound, "read_files", own).await["success"], true);
    assert_eq!(runner.last().context.grant, Grant::Projects(vec![other]), "the Runner checks it too");
}

#[tokio::test]
async fn calls_go_to_the_runner_of_their_project_or_job() {
    let server = TestServer::start().await;
    let laptop = server.link("laptop", ordinary).await;
    let desk = server.link("desk", ordinary).await;
    server.api("read_files", json!({"project": "agent:desk:x", "items": [{"path": "a"}]})).await;
    assert_eq!((laptop.calls(), desk.calls()), (0, 1));
    let tag = ClientId::parse("laptop").unwrap().routing_tag();
    server.api("stop_job", json!({"job_id": format!("wcj_{tag}_1")})).await;
    assert_eq!((laptop.calls(), desk.calls()), (1, 1));
    let unowned = server.api("stop_job", json!({"job_id": "wcj_ffffffff_1"})).await;
    assert_eq!(unowned["error"]["code"], "job_not_found");
    let offline =
        server.api("read_files", json!({"project": "agent:attic:x", "items": [{"path": "a"}]})).await;
    assert_eq!(offline["error"]["code"], "agent_offline");
    assert_eq!(offline["output"]["execution_state"], "not_started");
}

#[tokio::test]
async fn a_link_that_breaks_leaves_a_truthful_failure_with_a_way_to_find_out() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let call = async |tool: &str, arguments: Value| server.api(tool, arguments).await;
    let broken = async {
        while runner.calls() < 1 {
            tokio::task::yield_now().await;
        }
        runner.unlink();
    };
    let shell = json!({"project": PROJECT, "script": "hang"});
    let (result, ()) = tokio::join!(call("run_shell", shell), broken);
    assert_eq!(result["error"]["code"], "runner_unresponsive");
    assert_eq!(result["output"]["execution_state"], "unknown");
    assert_eq!(result["recovery"]["posture"], "fallback_recovery");
    assert_eq!(result["recovery"]["tool"], "list_jobs");
    assert_eq!(result["recovery"]["arguments"], json!({"project": PROJECT}));
    follow_ups_fit(&result);
    let again = call("read_files", read_one()).await;
    assert_eq!(again["error"]["code"], "agent_offline");
    assert_eq!(runner.calls(), 1, "nothing is sent again by itself");
}

#[tokio::test]
async fn the_gateway_keeps_the_targets_rules() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let through = async |arguments: Value| server.api("call_runtime_tool", arguments).await;
    let direct = server.api("read_files", read_one()).await;
    assert_eq!(through(json!({"tool": "read_files", "arguments": read_one()})).await, direct);
    assert_eq!(runner.last().tool.as_str(), "read_files");
    let itself = through(json!({"tool": "call_runtime_tool", "arguments": {}})).await;
    assert_eq!(itself["error"]["code"], "not_callable_through_gateway");
    let wrong = through(json!({"tool": "read_files", "arguments": {"project": PROJECT}})).await;
    assert_eq!(
        (&wrong["error"]["code"], &wrong["error"]["field"]),
        (&json!("invalid_arguments"), &json!("items"))
    );
    let unknown = through(json!({"tool": "edits_apply", "arguments": {}})).await;
    assert!(unknown["error"]["hint"].as_str().unwrap().contains("edit_project_files"));
    let nested = through(json!({"tool": "read_files", "arguments": {"_wc": {}}})).await;
    assert!(nested["error"]["message"].as_str().unwrap().contains("outer call"));
    assert_eq!(through(json!({"tool": "list_projects"})).await["success"], true, "arguments may be left out");
}

#[tokio::test]
async fn the_manifest_describes_every_tool_with_its_routes() {
    let server = TestServer::start().await;
    let all = server.api("read_tool_manifest", json!({})).await;
    let for_models = webcodex_contracts::table::all().iter().filter(|tool| !tool.is_app_only()).count();
    assert_eq!(all["output"]["tools"].as_array().unwrap().len(), for_models);
    let manifest = |name: &'static str| {
        let server = &server;
        async move {
            let body = json!({"tool": "read_tool_manifest", "arguments": {"tool_name": name}});
            server.request("POST", "/api/tools/call").json(&body).send().await.body_json()["output"].clone()
        }
    };
    let direct = manifest("read_files").await;
    assert_eq!(direct["route"]["primary"], json!({"tool": "read_files"}));
    assert_eq!(
        direct["route"]["fallback"],
        json!({"tool": "call_runtime_tool", "arguments": {"tool": "read_files"}})
    );
    assert_eq!(direct["tool"]["input_schema"]["required"], json!(["project", "items"]));
    let tail = manifest("list_jobs").await;
    assert_eq!(tail["route"]["primary"]["arguments"], json!({"tool": "list_jobs"}));
    let unknown = server.api("read_tool_manifest", json!({"tool_name": "task_start"})).await;
    assert_eq!(unknown["error"]["field"], "tool_name");
}

#[tokio::test]
async fn the_status_tells_what_serves_and_what_the_caller_may_do() {
    let server = TestServer::start().await;
    let before = server.api("get_runtime_status", json!({})).await["output"].clone();
    assert_eq!((&before["ready"], &before["runners"]), (&json!(false), &json!([])));
    let _runner = server.link("laptop", ordinary).await;
    let status = server.api("get_runtime_status", json!({})).await["output"].clone();
    assert_eq!(status["ready"], true);
    assert_eq!(status["runners"][0]["client_id"], "laptop");
    assert_eq!(status["scopes"], json!(["runtime:read", "project:read", "project:write", "job:run"]));
    assert_eq!(
        status["mcp_host"],
        json!({"profile": "direct", "budget_secs": 55, "handoff_secs": 10, "max_wait_secs": 50})
    );
}

#[tokio::test]
async fn every_call_leaves_a_record_without_its_arguments() {
    let mut server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    server.api("read_files", json!({"project": PROJECT, "items": [{"path": "secret-name"}]})).await;
    server.api("edits_apply", json!({})).await;
    let gateway = json!({"tool": "run_shell", "arguments": {"project": PROJECT, "script": "echo"}});
    let meta = json!({"name": "call_runtime_tool", "arguments": gateway, "_meta": {"openai/session": "conversation"}});
    let answer = server.modern("tools/call", meta).send().await;
    let left = json!({"tool": "run_shell", "arguments": {"project": PROJECT, "script": "hang"}});
    let calls = runner.calls();
    server.request("POST", "/api/tools/call").json(&left).send_and_leave(|| runner.calls() > calls).await;
    let stored = loop {
        let stored = server.store.recent_calls(10).await.unwrap();
        let ended = stored.iter().all(|call| call.outcome != CallOutcome::Running);
        if stored.len() == 4 && ended {
            break stored;
        }
        tokio::task::yield_now().await;
    };
    let seen: Vec<_> = stored
        .iter()
        .rev()
        .map(|call| (call.tool, call.outcome.as_str(), call.outcome.code(), call.door.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            ("read_files", "succeeded", None, "api"),
            ("unknown", "failed", Some("unknown_tool"), "api"),
            ("run_shell", "succeeded", None, "mcp_modern"),
            ("run_shell", "abandoned", None, "api"),
        ]
    );
    let through_gateway = &stored[1];
    assert!(through_gateway.gateway);
    assert_eq!(through_gateway.client_name.as_deref(), Some("test-client"));
    assert_eq!(through_gateway.project.as_ref().map(ProjectId::as_str), Some(PROJECT));
    assert_eq!(through_gateway.response_bytes, Some(answer.body.len() as u64));
    assert!(!format!("{stored:?}").contains("secret-name"));
    server.stop().await;
}

#[tokio::test]
async fn many_calls_at_once_each_get_their_own_answer() {
    let server = TestServer::start().await;
    let _runner = server
        .link("laptop", |call| {
            let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
            CanonicalResult::success(
                json!({"items": [{"path": arguments["items"][0]["path"], "success": true}]}),
            )
        })
        .await;
    let calls = (0..64).map(|number| {
        let path = format!("file-{number}");
        let server = &server;
        async move {
            let result =
                server.api("read_files", json!({"project": PROJECT, "items": [{"path": path}]})).await;
            assert_eq!(result["output"]["items"][0]["path"], path);
        }
    });
    futures_util::future::join_all(calls).await;
}

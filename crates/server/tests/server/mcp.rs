//! MCP in both eras: messages that are none, lists, results, the waiting policy and the `_wc` envelope.

use serde_json::{Value, json};
use webcodex_contracts::policy::{HostProfile, WaitingPolicy};
use webcodex_contracts::table;
use webcodex_server::ServerConfig;

use crate::support::{PROJECT, TestServer, ordinary};

fn read_one() -> Value {
    json!({"project": PROJECT, "items": [{"path": "a"}]})
}

#[tokio::test]
async fn every_bad_body_gets_a_json_rpc_error() {
    let server = TestServer::start().await;
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let wrong_arguments =
        r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read_files","arguments":[1]}}"#;
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("{} {}", -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        ("5", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32602),
        (&deep, -32600),
    ] {
        let request = server.request("POST", "/mcp").header("content-type", "application/json").body(body);
        let answer = request.send().await;
        assert_eq!((answer.status, &answer.body_json()["error"]["code"]), (400, &json!(code)), "{body:.80}");
        assert_eq!(answer.body_json()["jsonrpc"], "2.0");
    }
    let answer =
        server.request("POST", "/mcp").header("content-type", "application/json").body(wrong_arguments);
    let answer = answer.send().await.body_json();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32602), &json!(9)));
}

#[tokio::test]
async fn any_accept_header_gets_an_answer() {
    let server = TestServer::start().await;
    for accept in ["*/*", "application/json", "text/event-stream", "text/html, */*;q=0.1", ""] {
        let answer = server.legacy("ping", json!({})).replace("accept", accept).send().await;
        assert_eq!((answer.status, &answer.body_json()["result"]), (200, &json!({})), "{accept}");
    }
    assert_eq!(server.legacy("ping", json!({})).without("accept").send().await.status, 200);
}

#[tokio::test]
async fn the_older_era_shakes_hands_without_a_session() {
    let server = TestServer::start().await;
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        let answer = server.legacy("initialize", params).without("mcp-protocol-version").send().await;
        let result = &answer.body_json()["result"];
        assert_eq!(result["protocolVersion"], answered, "{}", answer.text());
        assert_eq!(result["serverInfo"]["name"], "webcodex");
        assert!(result["instructions"].as_str().unwrap().contains("work_on_project"));
        assert_eq!(answer.header("mcp-session-id"), "", "none is kept");
    }
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = server.legacy("x", json!({})).json(&notice).send().await;
    assert_eq!((answer.status, answer.body.len()), (202, 0));
    let unknown = server.legacy("ping", json!({})).replace("mcp-protocol-version", "1999-01-01").send().await;
    assert_eq!((unknown.status, &unknown.body_json()["error"]["code"]), (400, &json!(-32600)));
}

#[tokio::test]
async fn the_modern_era_is_discovered_and_checked_by_its_headers() {
    let server = TestServer::start().await;
    let answer = server.modern("server/discover", json!({})).send().await.body_json();
    let versions = answer["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{answer}");
    assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "webcodex");
    let call = || server.modern("tools/call", json!({"name": "get_runtime_status", "arguments": {}}));
    assert_eq!(call().send().await.status, 200);
    for broken in [
        call().without("mcp-method"),
        call().without("mcp-name"),
        call().without("mcp-protocol-version"),
        call().replace("mcp-name", "read_files"),
        call().replace("mcp-method", "tools/list"),
        call().replace("mcp-protocol-version", "2025-11-25"),
    ] {
        let answer = broken.send().await;
        assert_eq!(
            (answer.status, &answer.body_json()["error"]["code"]),
            (400, &json!(-32020)),
            "{}",
            answer.text()
        );
    }
    let unknown = server.modern("no/such/method", json!({})).send().await;
    assert_eq!((unknown.status, &unknown.body_json()["error"]["code"]), (404, &json!(-32601)));
    let ping = server.modern("ping", json!({})).send().await;
    assert_eq!(ping.status, 404, "gone in this era");
}

#[tokio::test]
async fn the_tools_are_listed_the_same_for_everybody() {
    let server = TestServer::start().await;
    let modern = server.modern("tools/list", json!({})).send().await;
    let runner = server.link("laptop", ordinary).await;
    let legacy = server.legacy("tools/list", json!({})).send().await;
    let openai = server.modern_as("tools/list", json!({}), "openai-mcp").send().await;
    let tools = modern.body_json()["result"]["tools"].clone();
    assert_eq!(legacy.body_json()["result"]["tools"], tools, "era and state of the Runner change nothing");
    assert_eq!(openai.body_json(), modern.body_json());
    assert_eq!(runner.calls(), 0, "nobody had to be asked");
    assert!(modern.body.len() < 24_000, "{} bytes", modern.body.len());
    let result = &modern.body_json()["result"];
    assert!(result["ttlMs"].as_u64().is_some() && result["cacheScope"].is_string());
    assert!(
        legacy.body_json()["result"].get("_meta").is_none(),
        "the older era knows no server info in results"
    );
    insta::assert_json_snapshot!("tools", tools);
}

#[tokio::test]
async fn the_other_lists_exist_and_are_empty() {
    let server = TestServer::start().await;
    for (method, field) in [("resources/templates/list", "resourceTemplates"), ("prompts/list", "prompts")] {
        let result = server.modern(method, json!({})).send().await.body_json()["result"].clone();
        assert_eq!(result[field], json!([]), "{method}");
        assert!(result["ttlMs"].is_u64(), "{method}");
        assert_eq!(
            server.legacy(method, json!({})).send().await.body_json()["result"][field],
            json!([]),
            "{method}"
        );
    }
    let read = server.legacy("resources/read", json!({"uri": "test://x"})).send().await.body_json();
    assert_eq!((&read["error"]["code"], &read["error"]["data"]["uri"]), (&json!(-32002), &json!("test://x")));
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_names_todays() {
    let server = TestServer::start().await;
    for (name, today) in [
        ("edits_apply", "edit_project_files"),
        ("task_start", "work_on_project"),
        ("read_fils", "read_files"),
    ] {
        let params = json!({"name": name, "arguments": {}});
        for request in [server.modern("tools/call", params.clone()), server.legacy("tools/call", params)] {
            let error = request.send().await.body_json()["error"].clone();
            assert_eq!(error["code"], -32602, "{name}");
            assert!(error["message"].as_str().unwrap().contains(today), "{error}");
        }
    }
}

#[tokio::test]
async fn results_are_structured_with_one_sentence() {
    let server = TestServer::start().await;
    let _runner = server.link("laptop", ordinary).await;
    let result = server.modern_call("read_files", read_one()).await;
    assert_eq!(result["isError"], false);
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["content"], json!([{"type": "text", "text": "Read 1 file."}]));
    assert_eq!(result["structuredContent"]["output"]["items"][0]["read_revision"], 8_535_043_794_784_493_u64);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "webcodex");
    let schema = jsonschema::validator_for(&table::find("read_files").unwrap().result_schema).unwrap();
    assert!(schema.is_valid(&result["structuredContent"]));

    let legacy =
        server.legacy("tools/call", json!({"name": "read_files", "arguments": read_one()})).send().await;
    let legacy = legacy.body_json()["result"].clone();
    assert_eq!(legacy["structuredContent"], result["structuredContent"]);
    assert!(legacy.get("resultType").is_none() && legacy.get("_meta").is_none());
    let api = server.api("read_files", read_one()).await;
    assert_eq!(api, result["structuredContent"], "one result, whatever the door");
}

#[tokio::test]
async fn arguments_that_arrive_as_json_text_are_understood() {
    let server = TestServer::start().await;
    let _runner = server.link("laptop", ordinary).await;
    let wrapped = json!({"name": "read_files", "arguments": read_one().to_string()});
    let plain = json!({"name": "read_files", "arguments": read_one()});
    for (wrapped, plain) in [
        (server.modern("tools/call", wrapped.clone()), server.modern("tools/call", plain.clone())),
        (server.legacy("tools/call", wrapped), server.legacy("tools/call", plain)),
    ] {
        assert_eq!(wrapped.send().await.body_json(), plain.send().await.body_json());
    }
}

#[tokio::test]
async fn only_the_exact_openai_client_gets_failures_as_values() {
    let server = TestServer::start().await;
    let _runner = server.link("laptop", ordinary).await;
    let missing =
        json!({"name": "read_files", "arguments": {"project": PROJECT, "items": [{"path": "missing"}]}});
    for (client, is_error) in
        [("openai-mcp", false), ("openai-mcp-2", true), ("OpenAI-MCP", true), ("claude", true)]
    {
        let result =
            server.modern_as("tools/call", missing.clone(), client).send().await.body_json()["result"]
                .clone();
        assert_eq!(result["isError"], is_error, "{client}");
        assert_eq!(result["structuredContent"]["success"], false);
        assert_eq!(result["structuredContent"]["error"]["code"], "not_found");
        assert_eq!(result["content"][0]["text"], "no such file. Nothing was changed.");
    }
    let legacy = server.legacy("tools/call", missing).send().await.body_json();
    assert_eq!(legacy["result"]["isError"], true);
    // A protocol error stays one, whoever asks.
    let unknown =
        server.modern_as("tools/call", json!({"name": "nope", "arguments": {}}), "openai-mcp").send().await;
    assert!(unknown.body_json()["error"].is_object());
}

#[tokio::test]
async fn the_text_repeats_the_json_where_the_deployment_wants_it() {
    let server = TestServer::with(ServerConfig { text_json_compat: true, ..ServerConfig::temporary() }).await;
    let _runner = server.link("laptop", ordinary).await;
    let result = server.modern_call("read_files", read_one()).await;
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
}

#[tokio::test]
async fn the_waiting_policy_is_chosen_per_request_and_forgotten() {
    let policy = WaitingPolicy::new(HostProfile::Direct, 55);
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let call = || server.modern("tools/call", json!({"name": "read_files", "arguments": read_one()}));
    let profile = "x-webcodex-mcp-profile";
    let budget = "x-webcodex-mcp-budget-secs";
    for (request, expected) in [
        (call(), policy),
        (call().header(profile, "host_code_mode"), WaitingPolicy::new(HostProfile::HostCodeMode, 55)),
        (call().header(budget, "20"), WaitingPolicy::new(HostProfile::Direct, 20)),
        (call().header(budget, "340282366920938463463374607431768211456"), policy),
        (call(), policy),
    ] {
        assert_eq!(request.send().await.status, 200);
        assert_eq!(runner.last().context.policy, expected);
    }
    let before = runner.calls();
    for request in [
        call().header(budget, "0"),
        call().header(budget, "-5"),
        call().header(budget, "20.0"),
        call().header(budget, "0x14"),
        call().header(budget, ""),
        call().raw_header(budget, b"\xf6"),
        call().header(budget, "20").header(budget, "20"),
        call().header(profile, "brand-x"),
        call().header(profile, ""),
    ] {
        let answer = request.send().await;
        assert_eq!(
            (answer.status, &answer.body_json()["error"]["code"]),
            (400, &json!(-32600)),
            "{}",
            answer.text()
        );
        assert_eq!(answer.body_json()["id"], 1);
        assert!(!answer.text().contains("brand-x"), "never repeated");
    }
    assert_eq!(runner.calls(), before, "refused before dispatch");
    let api = server.request("POST", "/api/tools/call").header(budget, "0").header(profile, "brand-x");
    let answer = api.json(&json!({"tool": "read_files", "arguments": read_one()})).send().await;
    assert_eq!(
        (answer.status, runner.last().context.policy),
        (200, policy),
        "the plain API has no such headers"
    );
}

#[tokio::test]
async fn the_envelope_is_for_the_modern_era_and_never_reaches_the_tool() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let mut arguments =
        json!({"project": PROJECT, "script": "make", "_wc": {"compact_execution": true, "ack": ["m1"]}});
    let result = server.modern_call("run_shell", arguments.clone()).await;
    let output = &result["structuredContent"]["output"];
    assert_eq!(
        output["execution"],
        json!({"execution_state": "finished", "job_id": "wcj_1_2", "outcome": "passed", "exit_code": 0})
    );
    assert_eq!(output["details"]["stdout"]["text"], "hello\n");
    assert_eq!(result["content"][0]["text"], "Finished: passed.");
    assert!(runner.last().arguments.get("_wc").is_none());

    let gateway = json!({"tool": "run_shell", "arguments": {"project": PROJECT, "script": "make"}, "_wc": {"compact_execution": true}});
    let result = server.modern_call("call_runtime_tool", gateway).await;
    assert_eq!(result["structuredContent"]["output"]["execution"]["outcome"], "passed");

    arguments["_wc"] = json!({"compact_exec": true});
    let result = server.modern_call("run_shell", arguments.clone()).await;
    assert_eq!(result["structuredContent"]["error"]["field"], "_wc.compact_exec");
    let nested = json!({"tool": "run_shell", "arguments": arguments});
    let result = server.modern_call("call_runtime_tool", nested).await;
    assert!(result["structuredContent"]["error"]["message"].as_str().unwrap().contains("outer call"));

    let calls = runner.calls();
    let old_name = json!({"project": PROJECT, "script": "make", "window_reply": {}});
    let result = server.modern_call("run_shell", old_name).await;
    assert!(result["structuredContent"]["error"]["message"].as_str().unwrap().contains("_wc.reply"));
    let legacy = json!({"name": "run_shell", "arguments": {"project": PROJECT, "script": "make", "_wc": {}}});
    let result = server.legacy("tools/call", legacy).send().await.body_json()["result"].clone();
    assert_eq!(result["structuredContent"]["error"]["field"], "_wc", "an unknown field there");
    let api = server.api("run_shell", json!({"project": PROJECT, "script": "make", "_wc": {}})).await;
    assert_eq!(api["error"]["field"], "_wc");
    assert_eq!(runner.calls(), calls);
}

//! Pages for hosts of MCP Apps: how they are listed, read and refused, and how their tools are told apart.

use serde_json::{Value, json};
use webcodex_contracts::table;

use crate::support::TestServer;

const PAGE: &str = "ui://webcodex/work-result/v1";
const EXTENSION: &str = "io.modelcontextprotocol/ui";

#[tokio::test]
async fn both_eras_declare_list_and_read_the_same_page() {
    let server = TestServer::start().await;
    let discovered = server.modern("server/discover", json!({})).send().await.body_json();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let greeted = server.legacy("initialize", params).send().await.body_json();
    for answer in [&discovered, &greeted] {
        let declared = &answer["result"]["capabilities"]["extensions"][EXTENSION];
        assert_eq!(declared["mimeTypes"], json!(["text/html;profile=mcp-app"]), "{answer}");
    }

    let modern = server.modern("resources/list", json!({})).send().await.body_json()["result"].clone();
    let legacy = server.legacy("resources/list", json!({})).send().await.body_json()["result"].clone();
    assert_eq!(modern["resources"], legacy["resources"]);
    let listed = &modern["resources"][0];
    assert_eq!((&listed["uri"], &listed["mimeType"]), (&json!(PAGE), &json!("text/html;profile=mcp-app")));
    assert_eq!(listed["_meta"]["ui"]["csp"]["connectDomains"], json!([]));
    assert!(modern["ttlMs"].is_u64() && modern["cacheScope"].is_string());

    let params = json!({"uri": PAGE});
    let modern =
        server.modern("resources/read", params.clone()).header("mcp-name", PAGE).send().await.body_json();
    let legacy = server.legacy("resources/read", params).send().await.body_json();
    let (modern, legacy) = (&modern["result"], &legacy["result"]);
    assert_eq!(modern["contents"], legacy["contents"], "one page for everybody");
    assert_eq!((&modern["resultType"], legacy.get("resultType")), (&json!("complete"), None));
    assert!(modern["ttlMs"].is_u64() && modern["cacheScope"].is_string(), "{modern}");
    let content = &modern["contents"][0];
    assert_eq!(content["_meta"], listed["_meta"], "both places say the same");
    let html = content["text"].as_str().unwrap();
    assert!(html.starts_with("<!doctype html>"));
    assert_eq!(listed["size"], html.len());
}

#[tokio::test]
async fn other_versions_of_a_page_are_refused_with_todays_address() {
    let server = TestServer::start().await;
    for uri in ["ui://webcodex/work-result/v0", "ui://webcodex/work-result/v2"] {
        let params = json!({"uri": uri});
        let modern =
            server.modern("resources/read", params.clone()).header("mcp-name", uri).send().await.body_json();
        let legacy = server.legacy("resources/read", params).send().await.body_json();
        assert_eq!((&modern["error"]["code"], &legacy["error"]["code"]), (&json!(-32602), &json!(-32002)));
        for error in [&modern["error"], &legacy["error"]] {
            assert_eq!(error["data"]["uri"], uri);
            assert!(error["message"].as_str().unwrap().contains(PAGE), "{error}");
        }
    }
}

#[tokio::test]
async fn tools_of_the_page_are_kept_from_models() {
    let server = TestServer::start().await;
    let listed = server.modern("tools/list", json!({})).send().await.body_json()["result"]["tools"].clone();
    let meta = |name: &str| -> Value {
        let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == name);
        tool.unwrap_or_else(|| panic!("{name} is not listed"))["_meta"].clone()
    };
    for tool in table::all().iter().filter(|tool| tool.is_app_only()) {
        let name = tool.name.as_str();
        assert_eq!(meta(name)["ui"], json!({"visibility": ["app"]}), "{name}");
        let manifest = server.api("read_tool_manifest", json!({"tool_name": name})).await;
        assert_eq!(manifest["error"]["code"], "unknown_tool", "{name}");
        let through = server.api("call_runtime_tool", json!({"tool": name, "arguments": {}})).await;
        assert_eq!(through["error"]["code"], "not_callable_through_gateway", "{name}");
    }
    for name in ["present_work_result", "work_result_thread_panel"] {
        assert_eq!(meta(name)["ui"]["resourceUri"], PAGE, "{name}");
        assert_eq!(meta(name)["openai/outputTemplate"], PAGE, "{name}");
    }
    assert_eq!(meta("work_result_thread_panel")["openai/ui"]["entrypoints"], json!([{"type": "thread"}]));
    assert_eq!(meta("read_files"), Value::Null);
    let overview = server.api("read_tool_manifest", json!({})).await.to_string();
    assert!(!overview.contains("work_result_state") && overview.contains("present_work_result"));
}

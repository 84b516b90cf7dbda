//! Pages and tools of the desktop window.

use serde_json::{Value, json};
use webcodex_store::{CredentialKind, NewCredential};

use crate::support::http::Response;
use crate::support::{PROJECT, TestServer, ordinary};

async fn ask(server: &TestServer, secret: &str, method: &str, path: &str, body: Option<Value>) -> Response {
    let request = server.request(method, path).replace("authorization", &format!("Bearer {secret}"));
    match body {
        Some(body) => request.json(&body).send().await,
        None => request.send().await,
    }
}

#[tokio::test]
async fn the_window_gets_the_same_page_as_other_hosts_and_calls_its_tools_only() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let app = server.issue(NewCredential::new(CredentialKind::Bootstrap, "app")).await;
    let uri = "ui://webcodex/work-result/v1";
    let page =
        ask(&server, &app, "GET", "/control/apps?uri=ui%3A%2F%2Fwebcodex%2Fwork-result%2Fv1", None).await;
    let page = page.body_json();
    let read = server.modern("resources/read", json!({"uri": uri})).header("mcp-name", uri).send().await;
    let read = read.body_json()["result"]["contents"][0].clone();
    assert_eq!(page["html"], read["text"]);
    assert_eq!(page["csp"], read["_meta"]["ui"]["csp"]);
    assert!(page["tools"].as_array().unwrap().contains(&json!("review_decision")));
    let gone =
        ask(&server, &app, "GET", "/control/apps?uri=ui%3A%2F%2Fwebcodex%2Fwork-result%2Fv0", None).await;
    assert_eq!(gone.status, 404);

    let call = |tool: &str| Some(json!({"tool": tool, "arguments": {"project": PROJECT}}));
    let state = ask(&server, &app, "POST", "/control/apps/call", call("work_result_state")).await;
    assert_eq!(state.status, 200, "{}", state.text());
    let before = runner.calls();
    for tool in ["edit_project_files", "run_shell", "call_runtime_tool", "no_such"] {
        let refused = ask(&server, &app, "POST", "/control/apps/call", call(tool)).await;
        assert_eq!(refused.status, 403, "{tool}: {}", refused.text());
    }
    assert_eq!(runner.calls(), before);
    let refused = ask(&server, &server.secret, "POST", "/control/apps/call", call("work_result_state")).await;
    assert_eq!(refused.status, 403);
}

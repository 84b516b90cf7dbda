//! Settings hold from the moment they are changed.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use webcodex_testkit::ToolClient;

use crate::house::House;

async fn change(house: &House, change: Value) {
    let (status, failure) = house.ask(Method::PATCH, "/control/settings", change).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{failure}");
}

#[tokio::test]
async fn waits_and_the_public_address_change_without_a_restart() {
    let house = House::open().await;
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    change(&house, json!({"waitSeconds": 20, "waitProfile": "code_mode"})).await;
    let status = tools.output("get_runtime_status", json!({})).await.unwrap();
    assert_eq!(status["mcp_host"]["budget_secs"], 20, "{status}");
    let public = ToolClient::connect(house.addr, &house.client).await.unwrap();
    let mut public = public.with_header("x-forwarded-host", "code.example.org");
    public.output("get_runtime_status", json!({})).await.unwrap();
    change(&house, json!({"publicAddress": "https://code.example.org"})).await;
    lines
        .until("the address", |state| state.address.public.as_deref() == Some("https://code.example.org"))
        .await;
    change(&house, json!({"publicAddress": ""})).await;
    lines.until("no address", |state| state.address.public.is_none()).await;
    for bad in [json!({"waitSeconds": 1}), json!({"publicAddress": "code"}), json!({"unknown": 1})] {
        let (status, failure) = house.ask(Method::PATCH, "/control/settings", bad.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bad}");
        assert!(failure["message"].is_string());
    }
}

#[tokio::test]
async fn models_register_folders_only_where_they_may() {
    let house = House::open().await;
    let (known, _) = house.project("known");
    for folder in ["open/a", "closed/b"] {
        std::fs::create_dir_all(house.work.join(folder)).unwrap();
    }
    let path = |name: &str| json!({"path": house.work.join(name)});
    let mut tools = house.tools().await;
    change(&house, json!({"allowedRoots": []})).await;
    let refused = tools.call("register_project", path("open/a")).await.unwrap();
    assert_eq!(refused["error"]["code"], "folder_refused");
    let again = tools.output("register_project", path("known")).await.unwrap();
    assert_eq!((&again["project"], &again["already_registered"]), (&json!(known), &json!(true)));
    change(&house, json!({"allowedRoots": [house.work.join("open")], "newProjects": {"permission": "read", "askFirst": false}})).await;
    let opened = tools.output("register_project", path("open/a")).await.unwrap();
    assert_eq!(
        tools.call("work_on_project", path("closed/b")).await.unwrap()["error"]["code"],
        "folder_refused"
    );
    let edit =
        json!({"project": opened["project"], "changes": [{"kind": "create", "path": "x", "new_text": ""}]});
    assert_eq!(tools.call("edit_project_files", edit).await.unwrap()["error"]["code"], "permission_denied");
    // The person is not held to what models are held to.
    let body = json!({"path": house.work.join("closed/b")});
    let (_, result) = house.ask(Method::POST, "/control/projects", body).await;
    assert_eq!(result["kind"], "added");
}

#[tokio::test]
async fn a_new_secret_replaces_the_old_one_and_sessions_go_on() {
    let house = House::open().await;
    let (project, _) = house.project("web");
    let mut tools = house.tools().await;
    let opened = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let secret = "wc_client_0123456789abcdef0123456789abcdef";
    let (status, _) = house.ask(Method::PUT, "/control/credential", json!({"secret": secret})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let refused = tools.call("list_projects", json!({})).await.unwrap();
    assert_eq!(refused["error"]["code"], "unauthenticated");
    let mut renewed = ToolClient::connect(house.addr, secret).await.unwrap();
    let resumed = json!({"session_id": opened["session"]["session_id"]});
    assert_eq!(renewed.output("work_on_project", resumed).await.unwrap()["session"]["resumed"], true);
    let (status, failure) = house.ask(Method::PUT, "/control/credential", json!({"secret": "short"})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(!failure.to_string().contains("short\""), "a secret is not repeated");
}

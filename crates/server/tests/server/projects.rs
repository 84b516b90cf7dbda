//! Projects, sessions and short references: what the Server adds to the Runner's part.

use serde_json::{Value, json};
use webcodex_contracts::{CanonicalResult, ProjectId, ToolName};
use webcodex_server::ServerConfig;
use webcodex_store::{CredentialKind, NewCredential};

use crate::support::{PROJECT, TestServer, opened, ordinary, project_info};

#[tokio::test]
async fn work_starts_a_session_and_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        ServerConfig { database: Some(folder.path().join("server.db")), ..ServerConfig::temporary() };
    let mut server = TestServer::with(config.clone()).await;
    let runner = server.link("laptop", ordinary).await;
    let started = server.api("work_on_project", json!({"project": PROJECT, "instruction": "Fix it"})).await;
    let session = &started["output"]["session"];
    let id = session["session_id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("wcs_"));
    assert_eq!((&session["reference"], &session["resumed"]), (&json!("~s1"), &json!(false)));
    assert_eq!(started["output"]["project"]["reference"], "~p1");
    assert_eq!(started["output"].as_object().unwrap().keys().next().unwrap(), "session", "comes first");

    let read = json!({"project": "~p1", "items": [{"path": "a"}], "session_id": "~s1"});
    assert_eq!(server.api("read_files", read).await["success"], true);
    let seen = runner.last();
    assert_eq!((&seen.arguments["project"], &seen.arguments["session_id"]), (&json!(PROJECT), &json!(id)));
    assert_eq!(seen.context.session_id.unwrap().as_str(), id);
    server.stop().await;

    // The same caller after a restart of the Server, from another conversation.
    let restarted = TestServer::with(config).await;
    let _runner = restarted.link("laptop", ordinary).await;
    let resumed = restarted.api_as(&server.secret, "work_on_project", json!({"session_id": "~s1"})).await;
    let session = &resumed["output"]["session"];
    assert_eq!((&session["session_id"], &session["resumed"]), (&json!(id), &json!(true)));
    let stranger = restarted.api("work_on_project", json!({"session_id": id})).await;
    assert_eq!(stranger["error"]["code"], "session_not_found", "another caller's session");
}

#[tokio::test]
async fn sessions_and_references_that_are_not_the_callers_are_unknown() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    server.api("work_on_project", json!({"project": PROJECT})).await;
    let other = server.issue(NewCredential::new(CredentialKind::Client, "other")).await;
    let calls = runner.calls();
    let read = |project: &str, session: &str| json!({"project": project, "items": [{"path": "a"}], "session_id": session});
    for (arguments, code, field) in [
        (read("~p1", "~s1"), "project_not_found", "project"),
        (read("~p9", "~s1"), "project_not_found", "project"),
        (read(PROJECT, "~s1"), "session_not_found", "session_id"),
        (read(PROJECT, "wcs_unknown"), "session_not_found", "session_id"),
    ] {
        let result = server.api_as(&other, "read_files", arguments).await;
        assert_eq!((&result["error"]["code"], &result["error"]["field"]), (&json!(code), &json!(field)));
    }
    let recorded = json!({"project": PROJECT, "items": [{"path": "a"}], "_wc": {"record": "wcs_unknown"}});
    let result = server.modern_call("read_files", recorded).await;
    assert_eq!(result["structuredContent"]["error"]["field"], "_wc.record");
    assert_eq!(runner.calls(), calls);
}

#[tokio::test]
async fn the_only_visible_project_needs_no_name() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let result = server.api("work_on_project", json!({})).await;
    assert_eq!(result["output"]["project"]["project"], PROJECT);
    assert_eq!(runner.last().arguments["project"], PROJECT, "the Runner is told which one");

    let two = TestServer::start().await;
    let several = |call: &webcodex_link::Call| match call.tool {
        ToolName::ListProjects => CanonicalResult::success(json!({"projects": [
            project_info("agent:laptop:web", "web"), project_info("agent:laptop:api", "api")]})),
        _ => opened("agent:laptop:api", "api"),
    };
    let _runner = two.link("laptop", several).await;
    let result = two.api("work_on_project", json!({})).await;
    assert_eq!(
        (&result["error"]["code"], &result["error"]["field"]),
        (&json!("invalid_arguments"), &json!("project"))
    );
    let hint = result["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("agent:laptop:api") && hint.contains("/src/web"), "{hint}");
    let bound = NewCredential::new(CredentialKind::Project, "api");
    let bound = two.issue(bound.for_projects(vec![ProjectId::parse("agent:laptop:api").unwrap()])).await;
    let result = two.api_as(&bound, "work_on_project", json!({})).await;
    assert_eq!(
        result["output"]["project"]["project"], "agent:laptop:api",
        "the only one this caller may see"
    );

    let none = TestServer::start().await;
    assert_eq!(none.api("work_on_project", json!({})).await["error"]["code"], "agent_offline");
    let empty = |_: &webcodex_link::Call| CanonicalResult::success(json!({"projects": []}));
    let _runner = none.link("laptop", empty).await;
    assert_eq!(none.api("work_on_project", json!({})).await["error"]["code"], "project_not_configured");
}

#[tokio::test]
async fn a_session_belongs_to_its_project() {
    let server = TestServer::start().await;
    let _runner = server.link("laptop", ordinary).await;
    let started = server.api("work_on_project", json!({"project": PROJECT})).await;
    let session = started["output"]["session"]["session_id"].clone();
    let other = json!({"project": "agent:laptop:other", "session_id": session});
    assert_eq!(server.api("work_on_project", other).await["error"]["field"], "session_id");
    let both = json!({"project": PROJECT, "path": "/src/web"});
    assert_eq!(server.api("work_on_project", both).await["error"]["field"], "path");
}

#[tokio::test]
async fn the_projects_of_all_runners_are_listed_with_references() {
    let server = TestServer::start().await;
    let _laptop = server.link("laptop", ordinary).await;
    let desk = |_: &webcodex_link::Call| {
        CanonicalResult::success(json!({"projects": [project_info("agent:desk:api", "api")]}))
    };
    let desk = server.link("desk", desk).await;
    let listed = server.api("list_projects", json!({})).await["output"].clone();
    let names: Vec<_> = listed["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| (project["name"].as_str().unwrap(), project["reference"].as_str().unwrap()))
        .collect();
    assert_eq!(names, [("api", "~p1"), ("web", "~p2")]);
    assert!(listed.get("offline").is_none());
    desk.unlink();
    while server.runners.find("desk").is_some() {
        tokio::task::yield_now().await;
    }
    let listed = server.api("list_projects", json!({})).await["output"].clone();
    assert_eq!(listed["projects"][0]["reference"], "~p2", "a reference is for ever");
    assert_eq!(listed["offline"], json!(["desk"]));
}

#[tokio::test]
async fn a_registration_names_its_runner_where_there_are_several() {
    let server = TestServer::start().await;
    let laptop = server.link("laptop", ordinary).await;
    let registered = server.api("register_project", json!({"path": "/src/web"})).await;
    assert_eq!(registered["output"]["reference"], "~p1");
    let desk = server.link("desk", ordinary).await;
    let ambiguous = server.api("register_project", json!({"path": "/src/web"})).await;
    assert_eq!(ambiguous["error"]["field"], "client_id");
    assert!(ambiguous["error"]["hint"].as_str().unwrap().contains("desk, laptop"));
    let ambiguous = server.api("work_on_project", json!({"path": "/src/web"})).await;
    assert_eq!(ambiguous["error"]["field"], "path");
    server.api("register_project", json!({"path": "/src/web", "client_id": "desk"})).await;
    assert_eq!((laptop.calls(), desk.calls()), (1, 1));
    let gone = server.api("register_project", json!({"path": "/src/web", "client_id": "attic"})).await;
    assert_eq!(gone["error"]["code"], "agent_offline");
}

#[tokio::test]
async fn a_bound_caller_gets_its_worktree_and_nothing_else() {
    let server = TestServer::start().await;
    let worktree = |call: &webcodex_link::Call| match call.tool {
        ToolName::WorkOnProject => {
            let mut project = project_info("agent:laptop:web-2", "web-2");
            let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
            if arguments["mode"] == "worktree" {
                project["worktree_of"] = json!(PROJECT);
            }
            CanonicalResult::success(json!({"project": project, "context": []}))
        }
        _ => ordinary(call),
    };
    let _runner = server.link("laptop", worktree).await;
    let bound = NewCredential::new(CredentialKind::Project, "web")
        .for_projects(vec![ProjectId::parse(PROJECT).unwrap()]);
    let bound = server.issue(bound).await;
    let read = json!({"project": "agent:laptop:web-2", "items": [{"path": "a"}]});
    assert_eq!(server.api_as(&bound, "read_files", read.clone()).await["error"]["code"], "project_not_found");
    let stray = server.api_as(&bound, "work_on_project", json!({"project": PROJECT})).await;
    assert_eq!(stray["error"]["code"], "project_not_found", "a Runner cannot widen a grant by itself");
    let opened =
        server.api_as(&bound, "work_on_project", json!({"project": PROJECT, "mode": "worktree"})).await;
    assert_eq!(opened["output"]["project"]["project"], "agent:laptop:web-2");
    assert_eq!(server.api_as(&bound, "read_files", read).await["success"], true);
}

//! How the review of a session stands: what the model does, what the person decides, and what a restart leaves.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use webcodex_contracts::control::{Session, SessionReview};

use crate::house::House;

/// Calls a tool as the window does and expects it to succeed.
async fn window(house: &House, tool: &str, arguments: Value) -> Value {
    let call = json!({"tool": tool, "arguments": arguments});
    let (status, answer) = house.ask(Method::POST, "/control/apps/call", call).await;
    assert_eq!((status, &answer["success"]), (StatusCode::OK, &json!(true)), "{answer}");
    answer["output"].clone()
}

fn counts(session: &Session) -> (u64, u64) {
    (session.changed_files, session.accepted_files)
}

fn is_sealed(session: &Session) -> bool {
    matches!(session.review, SessionReview::Finished { sealed: true, .. })
}

#[tokio::test]
async fn a_review_is_followed_from_the_first_edit_to_the_seal_and_over_a_restart() {
    let house = House::open().await;
    let (project, _) = house.project("web");
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let opened = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let session = opened["session"]["session_id"].clone();
    let scope = json!({"project": project, "session_id": session});
    let with = |more: Value| {
        let mut given = scope.clone();
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        given
    };
    let create = |path: &str| json!({"kind": "create", "path": path, "new_text": "1\n"});
    let changes = json!([create("a.txt"), create("b.txt"), create("c.txt")]);
    tools.output("edit_project_files", with(json!({"changes": changes}))).await.unwrap();
    lines.until("three files", |state| state.sessions.first().is_some_and(|one| counts(one) == (3, 0))).await;
    assert_eq!(lines.state.sessions[0].project_id.to_string(), project);
    assert_eq!(lines.state.sessions[0].review, SessionReview::Running, "it has just worked");

    let seen = window(&house, "work_result_state", scope.clone()).await;
    let snapshot = seen["review"]["snapshot_id"].clone();
    let decide =
        |action: &str, path: &str| with(json!({"action": action, "snapshot_id": snapshot, "path": path}));
    window(&house, "review_decision", decide("accept", "a.txt")).await;
    lines.until("one is accepted", |state| counts(&state.sessions[0]) == (3, 1)).await;
    let rejected = window(&house, "review_decision", decide("reject", "b.txt")).await;
    lines.until("a rejected one is none of its changes", |state| counts(&state.sessions[0]) == (2, 1)).await;
    let again = with(json!({"action": "take_back", "rejection_id": rejected["rejection"]["rejection_id"]}));
    window(&house, "review_decision", again).await;
    lines.until("it is one again", |state| counts(&state.sessions[0]) == (3, 1)).await;
    window(&house, "restore_changes", with(json!({"paths": ["c.txt"]}))).await;
    lines.until("one was undone", |state| counts(&state.sessions[0]) == (2, 1)).await;
    assert_eq!(lines.state.sessions[0].calls, 2, "what the person does is no call of the session");

    tools.output("finish_coding_task", scope.clone()).await.unwrap();
    lines.until("it is sealed", |state| is_sealed(&state.sessions[0])).await;
    drop((lines, tools));
    let house = house.again().await;
    let mut lines = house.listen().await;
    lines.message().await;
    assert!(is_sealed(&lines.state.sessions[0]), "{:?}", lines.state.sessions[0]);
    assert_eq!(counts(&lines.state.sessions[0]), (2, 1));
}

#[tokio::test]
async fn work_that_goes_on_opens_a_sealed_session_and_a_page_corrects_what_was_gathered() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let opened = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let scope = json!({"project": project, "session_id": opened["session"]["session_id"]});
    let edit = |path: &str| {
        let mut given = scope.clone();
        given["changes"] = json!([{"kind": "create", "path": path, "new_text": "1\n"}]);
        given
    };
    tools.output("edit_project_files", edit("a.txt")).await.unwrap();
    tools.output("finish_coding_task", scope.clone()).await.unwrap();
    lines.until("it is sealed", |state| state.sessions.first().is_some_and(is_sealed)).await;
    tools.output("edit_project_files", edit("b.txt")).await.unwrap();
    let is_open = |one: &Session| !is_sealed(one) && counts(one) == (2, 0);
    lines.until("it is open again", |state| is_open(&state.sessions[0])).await;
    // The person throws a file away behind everybody's back; the page sees it.
    std::fs::remove_file(folder.join("b.txt")).unwrap();
    window(&house, "work_result_state", scope).await;
    lines.until("one is left", |state| counts(&state.sessions[0]) == (1, 0)).await;
}

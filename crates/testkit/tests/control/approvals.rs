//! Questions to the person: allowed once, for the session, denied with a word, unanswered.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use webcodex_contracts::control::{ApprovalAsks, ApprovalState, Outcome, RecordLevel, ServerSettings};
use webcodex_testkit::ToolClient;

use crate::house::{House, Lines};

/// A project that asks first, and somebody who looks.
async fn asking(settings: ServerSettings) -> (House, String, Lines) {
    let house = House::with(ServerSettings { record: RecordLevel::Subjects, ..settings }).await;
    let (project, _) = house.project("web");
    let route = format!("/control/projects/{project}");
    let (status, _) = house.ask(Method::PATCH, &route, json!({"askFirst": true})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let mut lines = house.listen().await;
    lines.until("the terms", |state| state.projects.first().is_some_and(|project| project.ask_first)).await;
    (house, project, lines)
}

async fn answer(house: &House, lines: &mut Lines, answer: Value) {
    lines.until("the question", |state| state.approvals.len() == 1).await;
    lines.until("the waiting call", |state| state.calls[0].outcome == Outcome::Waiting).await;
    let route = format!("/control/approvals/{}", lines.state.approvals[0].id);
    let (status, failure) = house.ask(Method::POST, &route, answer.clone()).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{failure}");
    let (status, _) = house.ask(Method::POST, &route, answer).await;
    assert_eq!(status, StatusCode::CONFLICT, "an answer counts once");
    lines.until("no question", |state| state.approvals.is_empty()).await;
}

#[tokio::test]
async fn an_edit_is_done_once_allowed_and_not_when_denied() {
    let (house, project, mut lines) = asking(ServerSettings::default()).await;
    let edit = |path: &str| {
        let changes = json!([{"kind": "create", "path": path, "new_text": "1\n"}]);
        json!({"project": project, "changes": changes})
    };
    let mut tools = house.tools().await;
    let arguments = edit("a.txt");
    let call = tokio::spawn(async move { tools.call("edit_project_files", arguments).await.unwrap() });
    lines.until("the question", |state| state.approvals.len() == 1).await;
    let asked = lines.state.approvals[0].clone();
    let ApprovalAsks::Edit { files } = &asked.asks else { panic!("{asked:?}") };
    assert_eq!((files[0].path.as_str(), files[0].added), ("a.txt", 1));
    assert!(!house.work.join("web/a.txt").exists(), "nothing is done before the answer");
    answer(&house, &mut lines, json!({"kind": "allow", "scope": "once"})).await;
    assert_eq!(call.await.unwrap()["success"], true);
    assert!(house.work.join("web/a.txt").exists());
    let detail = house.get(&format!("/control/calls/{}", asked.call)).await;
    assert_eq!(detail["allowedBy"], json!({"kind": "person", "scope": "once"}));
    assert!(
        detail["steps"].as_array().unwrap().iter().any(|step| step["kind"] == "waited_person"),
        "{detail}"
    );

    let mut tools = house.tools().await;
    let arguments = edit("b.txt");
    let call = tokio::spawn(async move { tools.call("edit_project_files", arguments).await.unwrap() });
    answer(&house, &mut lines, json!({"kind": "deny", "word": "not in this folder"})).await;
    let refused = call.await.unwrap();
    assert_eq!(refused["error"]["code"], "approval_denied");
    assert!(refused["error"]["message"].as_str().unwrap().contains("not in this folder"));
    assert!(!house.work.join("web/b.txt").exists());
    lines.until("the refusal", |state| state.calls[0].outcome == Outcome::Denied).await;
    let detail = house.get(&format!("/control/calls/{}", lines.state.calls[0].id)).await;
    assert_eq!((&detail["word"], &detail["allowedBy"]), (&json!("not in this folder"), &Value::Null));
}

#[tokio::test]
async fn what_is_allowed_for_a_session_is_not_asked_again_in_it() {
    let (house, project, mut lines) = asking(ServerSettings::default()).await;
    let mut tools = house.tools().await;
    let opening = json!({"project": project, "instruction": "greet"});
    let opened = tools.output("work_on_project", opening).await.unwrap();
    let run = |session: &Value| json!({"project": project, "script": "echo hi", "session_id": session});
    let arguments = run(&opened["session"]["session_id"]);
    let first = tokio::spawn({
        let arguments = arguments.clone();
        let mut tools = house.tools().await;
        async move { tools.call("run_shell", arguments).await.unwrap() }
    });
    lines.until("the question", |state| state.approvals.len() == 1).await;
    assert_eq!(lines.state.approvals[0].because.as_deref(), Some("greet"), "what the session is for");
    answer(&house, &mut lines, json!({"kind": "allow", "scope": "session"})).await;
    assert_eq!(first.await.unwrap()["success"], true);
    assert_eq!(tools.call("run_shell", arguments).await.unwrap()["success"], true);
    let changes = json!([{"kind": "create", "path": "a.txt", "new_text": "1\n"}]);
    let session = &opened["session"]["session_id"];
    let arguments = json!({"project": project, "changes": changes, "session_id": session});
    let edit = tokio::spawn({
        let mut tools = house.tools().await;
        async move { tools.call("edit_project_files", arguments).await.unwrap() }
    });
    answer(&house, &mut lines, json!({"kind": "deny", "word": "only commands"})).await;
    assert_eq!(edit.await.unwrap()["error"]["code"], "approval_denied", "leave to run is no leave to edit");
    let other = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let arguments = run(&other["session"]["session_id"]);
    let asked = tokio::spawn(async move { tools.call("run_shell", arguments).await.unwrap() });
    answer(&house, &mut lines, json!({"kind": "deny", "word": ""})).await;
    assert_eq!(asked.await.unwrap()["error"]["code"], "approval_denied");
}

#[tokio::test]
async fn without_a_session_every_call_is_asked_about() {
    let (house, project, mut lines) = asking(ServerSettings::default()).await;
    let run = |tools| runs(tools, json!({"project": project, "script": "echo hi"}));
    let first = run(house.tools().await);
    lines.until("the question", |state| state.approvals.len() == 1).await;
    assert!(!lines.state.approvals[0].for_session, "nobody can tell whose the next call is");
    answer(&house, &mut lines, json!({"kind": "allow", "scope": "session"})).await;
    assert_eq!(first.await.unwrap()["success"], true);
    let detail = house.get(&format!("/control/calls/{}", lines.state.calls[0].id)).await;
    assert_eq!(detail["allowedBy"], json!({"kind": "person", "scope": "once"}));
    let another = run(house.tools().await);
    answer(&house, &mut lines, json!({"kind": "deny", "word": ""})).await;
    assert_eq!(another.await.unwrap()["error"]["code"], "approval_denied");
}

/// A command whose answer a person has to allow first.
fn runs(mut tools: ToolClient, arguments: Value) -> tokio::task::JoinHandle<Value> {
    tokio::spawn(async move { tools.call("run_shell", arguments).await.unwrap() })
}

#[tokio::test]
async fn switching_asking_off_and_on_ends_what_was_allowed_for_a_session() {
    let (house, project, mut lines) = asking(ServerSettings::default()).await;
    let opened = house.tools().await.output("work_on_project", json!({"project": project})).await.unwrap();
    let session = &opened["session"]["session_id"];
    let run = |tools| runs(tools, json!({"project": project, "script": "echo hi", "session_id": session}));
    let first = run(house.tools().await);
    answer(&house, &mut lines, json!({"kind": "allow", "scope": "session"})).await;
    assert_eq!(first.await.unwrap()["success"], true);
    assert_eq!(run(house.tools().await).await.unwrap()["success"], true, "not asked again");
    for ask_first in [false, true] {
        let route = format!("/control/projects/{project}");
        house.ask(Method::PATCH, &route, json!({"askFirst": ask_first})).await;
    }
    let again = run(house.tools().await);
    answer(&house, &mut lines, json!({"kind": "deny", "word": ""})).await;
    assert_eq!(again.await.unwrap()["error"]["code"], "approval_denied");
}

#[tokio::test]
async fn two_questions_at_once_get_their_own_answers() {
    let (house, project, mut lines) = asking(ServerSettings::default()).await;
    let run = |tools, name| runs(tools, json!({"project": project, "script": format!("touch {name}")}));
    let (first, second) = (run(house.tools().await, "first"), run(house.tools().await, "second"));
    lines.until("both questions", |state| state.approvals.len() == 2).await;
    for asked in lines.state.approvals.clone() {
        let ApprovalAsks::Command { command } = &asked.asks else { panic!("{asked:?}") };
        let answer = match command.as_str() {
            "touch second" => json!({"kind": "allow", "scope": "once"}),
            _ => json!({"kind": "deny", "word": "one is enough"}),
        };
        let route = format!("/control/approvals/{}", asked.id);
        assert_eq!(house.ask(Method::POST, &route, answer).await.0, StatusCode::NO_CONTENT);
    }
    assert_eq!(first.await.unwrap()["error"]["code"], "approval_denied");
    assert_eq!(second.await.unwrap()["success"], true);
    let there = |name: &str| house.work.join("web").join(name).exists();
    assert_eq!((there("first"), there("second")), (false, true));
}

#[tokio::test]
async fn nobodys_answer_is_a_refusal_and_nothing_runs_later() {
    let settings = ServerSettings { approval_seconds: 1, ..ServerSettings::default() };
    let (house, project, mut lines) = asking(settings).await;
    let mut tools = house.tools().await;
    let arguments = json!({"project": project, "script": "touch ran"});
    let call = tokio::spawn(async move { tools.call("run_shell", arguments).await.unwrap() });
    lines.until("the question", |state| state.approvals.len() == 1).await;
    assert_eq!(call.await.unwrap()["error"]["code"], "approval_missing");
    lines.until("its end", |state| state.approvals[0].state == ApprovalState::Expired).await;
    lines.until("the outcome", |state| state.calls[0].outcome == Outcome::NoAnswer).await;
    let route = format!("/control/approvals/{}", lines.state.approvals[0].id);
    let (status, _) = house.ask(Method::POST, &route, json!({"kind": "allow", "scope": "once"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(!house.work.join("web/ran").exists());
    let (status, _) = house.ask(Method::DELETE, &route, Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    lines.until("nothing", |state| state.approvals.is_empty()).await;
}

#[tokio::test]
async fn without_a_window_nobody_is_kept_waiting() {
    let (house, project, lines) = asking(ServerSettings::default()).await;
    drop(lines);
    let mut tools = house.tools().await;
    let arguments = json!({"project": project, "script": "touch ran"});
    // The Server notices at its next word that the listener has gone.
    let refused = tools.call("run_shell", arguments).await.unwrap();
    assert_eq!(refused["error"]["code"], "approval_missing");
    assert!(!house.work.join("web/ran").exists());
}

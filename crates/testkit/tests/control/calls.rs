//! Calls as they happen, in detail, in pages, and after a restart.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use webcodex_contracts::control::{
    Call, CallDoor, ClientState, HopName, HopState, LineCount, Outcome, RecordLevel, ServerSettings,
    SessionReview, StepKind, Subject,
};

use crate::house::{House, waits_for};

#[tokio::test]
async fn a_call_is_seen_running_and_then_how_it_ended() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await.with_header("user-agent", "openai-mcp/1.0 (ChatGPT)");
    let opened =
        tools.output("work_on_project", json!({"project": project, "instruction": "Fix it"})).await.unwrap();
    let session = opened["session"]["session_id"].clone();
    let script = "API_KEY=hunter2 sleep 0; while [ ! -e go ]; do sleep 0.05; done; exit 3";
    let call = tokio::spawn({
        let arguments = json!({"project": project, "script": script, "session_id": session});
        async move { tools.call("run_shell", arguments).await.unwrap() }
    });
    lines
        .until("the running call", |state| {
            let is_it = |call: &Call| call.tool == "run_shell" && call.outcome == Outcome::Running;
            state.calls.first().is_some_and(is_it)
        })
        .await;
    let running = lines.state.calls[0].clone();
    assert_eq!(
        (running.tool.as_str(), running.client.as_str(), running.took_ms),
        ("run_shell", "ChatGPT", None)
    );
    lines
        .until("work in the project", |state| state.projects.first().is_some_and(|project| project.working))
        .await;
    assert_eq!(lines.state.sessions[0].review, SessionReview::Running);
    let Subject::Command { command } = &running.subject else { panic!("{running:?}") };
    assert!(command.starts_with("API_KEY=•••") && !command.contains("hunter2"), "{command}");
    std::fs::write(folder.join("go"), "").unwrap();
    assert_eq!(call.await.unwrap()["success"], false);
    lines.until("its end", |state| state.calls[0].outcome == Outcome::Exit { code: 3 }).await;
    assert_eq!(lines.state.calls[0].id, running.id);
    lines.until("quiet", |state| !state.projects[0].working).await;
    assert_eq!(lines.state.sessions[0].title, "Fix it");
    assert_eq!(lines.state.sessions[0].calls, 2);
    assert_eq!(lines.state.sessions[0].project_id.to_string(), project);
    let detail = house.get(&format!("/control/calls/{}", running.id)).await;
    assert_eq!((&detail["door"], &detail["session"]), (&json!("local"), &session));
    assert_eq!(detail["allowedBy"], json!({"kind": "permission", "permission": "edit_run"}));
    assert!(detail["answer"]["bytes"].as_u64().unwrap() > 0);
    assert_eq!(detail["failure"]["code"], "command_failed");
    let steps: Vec<_> = detail["steps"].as_array().unwrap().iter().map(|step| step["kind"].clone()).collect();
    assert_eq!(steps, ["arrived", "worked", "answered"]);
    let whole = serde_json::to_string(&lines.state).unwrap();
    assert!(!whole.contains("hunter2") && !whole.contains(&house.client), "nothing secret is told");
}

#[tokio::test]
async fn edits_count_lines_and_files() {
    let house = House::open().await;
    let (project, _) = house.project("web");
    let mut tools = house.tools().await;
    let opened = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let changes = json!([
        {"kind": "create", "path": "a.txt", "new_text": "1\n2\n"},
        {"kind": "create", "path": "b.txt", "new_text": "1\n"}]);
    let session = &opened["session"]["session_id"];
    tools
        .output("edit_project_files", json!({"project": project, "changes": changes, "session_id": session}))
        .await
        .unwrap();
    let mut lines = house.listen().await;
    lines.message().await;
    let edit = &lines.state.calls[0];
    assert_eq!(edit.subject, Subject::Edit { files: vec!["a.txt".to_owned(), "b.txt".to_owned()] });
    assert_eq!(edit.lines, Some(LineCount { added: 3, removed: 0 }));
    assert_eq!(lines.state.sessions[0].changed_files, 2);
}

#[tokio::test]
async fn changed_files_are_counted_whatever_is_kept_of_calls() {
    let house = House::open().await;
    let (project, _) = house.project("web");
    house.ask(Method::PATCH, "/control/settings", json!({"record": "times"})).await;
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let opened = tools.output("work_on_project", json!({"project": project})).await.unwrap();
    let change = json!([{"kind": "create", "path": "a.txt", "new_text": "1\n"}]);
    let session = &opened["session"]["session_id"];
    tools
        .output("edit_project_files", json!({"project": project, "changes": change, "session_id": session}))
        .await
        .unwrap();
    lines
        .until("it is counted", |state| state.sessions.first().is_some_and(|one| one.changed_files == 1))
        .await;
    assert!(
        !serde_json::to_string(&lines.state.calls).unwrap().contains("a.txt"),
        "and nothing more is told"
    );
}

#[tokio::test]
async fn earlier_calls_come_in_pages_and_survive_a_restart() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    std::fs::write(folder.join("a.txt"), "a\n").unwrap();
    let mut tools = house.tools().await;
    let read = json!({"project": project, "items": [{"path": "a.txt"}]});
    for _ in 0..450 {
        tools.output("read_files", read.clone()).await.unwrap();
    }
    drop(tools);
    let house = house.again().await;
    let mut lines = house.listen().await;
    lines.message().await;
    let all: Vec<_> = lines.state.calls.iter().map(|call| call.id.clone()).collect();
    assert_eq!((all.len(), lines.state.calls_today, lines.state.earlier_calls), (450, 450, false));
    assert_eq!(lines.state.calls[0].subject, Subject::Read { files: vec!["a.txt".to_owned()] });
    let page = house.get(&format!("/control/calls?before={}", all[0])).await;
    let ids = |page: &Value| -> Vec<String> {
        page["calls"].as_array().unwrap().iter().map(|call| call["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((ids(&page).len(), &page["more"]), (200, &json!(true)));
    assert_eq!(ids(&page)[0], all[1].as_str());
    let last = house.get(&format!("/control/calls?before={}", all[300])).await;
    assert_eq!((ids(&last).len(), &last["more"]), (149, &json!(false)));
    let (status, _) = house.ask(Method::GET, "/control/calls/c-none", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_kept_is_the_persons_choice() {
    for (level, kept, subject) in
        [(RecordLevel::Off, 0, false), (RecordLevel::Times, 2, false), (RecordLevel::Subjects, 2, true)]
    {
        let house = House::with(ServerSettings { record: level, ..ServerSettings::default() }).await;
        let (project, _) = house.project("web");
        let mut lines = house.listen().await;
        lines.message().await;
        let mut tools = house.tools().await;
        let search = json!({"project": project, "queries": [{"pattern": "needle-in-here"}]});
        tools.output("search_project_texts", search).await.unwrap();
        let missing = json!({"project": project, "items": [{"path": "needle-in-here"}]});
        assert_eq!(tools.call("read_files", missing).await.unwrap()["success"], false);
        lines
            .until("both calls", |state| {
                state.calls.iter().filter(|call| call.took_ms.is_some()).count() == 2
            })
            .await;
        let stored = house.store.recent_calls(10).await.unwrap();
        assert_eq!(stored.len(), kept, "{level:?}");
        assert_eq!(format!("{stored:?}").contains("needle"), subject, "{level:?}");
        let shown = serde_json::to_string(&lines.state.calls).unwrap();
        assert_eq!(shown.contains("needle"), subject, "{level:?}");
    }
}

#[tokio::test]
async fn clients_are_told_apart_and_a_rejected_one_needs_its_person() {
    let house = House::open().await;
    let mut lines = house.listen().await;
    lines.message().await;
    let agent = "claude-code/2.0";
    let mut tools = house.tools().await.with_header("user-agent", agent);
    tools.mcp("tools/list", json!({})).await.unwrap();
    tools.output("list_projects", json!({})).await.unwrap();
    lines.until("the client", |state| state.clients.len() == 1).await;
    let client = &lines.state.clients[0];
    assert_eq!(
        (client.name.as_str(), client.state, client.old_tools_from),
        ("Claude Code", ClientState::Online, None)
    );
    assert!(client.hops.iter().all(|hop| hop.state == HopState::Ok), "{:?}", client.hops);
    let mut stranger = webcodex_testkit::ToolClient::connect(house.addr, "wc_client_old")
        .await
        .unwrap()
        .with_header("user-agent", agent);
    stranger.call("list_projects", json!({})).await.unwrap();
    lines.until("the rejection", |state| state.clients[0].state == ClientState::NeedsYou).await;
    let broken: Vec<_> = lines.state.clients[0]
        .hops
        .iter()
        .filter(|hop| hop.state == HopState::Broken)
        .map(|hop| hop.name)
        .collect();
    assert_eq!(broken, [HopName::Credential]);
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_an_interrupted_call() {
    let house = House::open().await;
    let (project, folder) = house.project("web");
    let mut lines = house.listen().await;
    lines.message().await;
    let mut tools = house.tools().await;
    let arguments = json!({"project": project, "script": waits_for("go")});
    let call = tokio::spawn(async move { tools.call("run_shell", arguments).await });
    lines.until("the running call", |state| !state.calls.is_empty()).await;
    call.abort();
    lines.until("its interruption", |state| state.calls[0].outcome == Outcome::Interrupted).await;
    std::fs::write(folder.join("go"), "").unwrap();
    let detail = house.get(&format!("/control/calls/{}", lines.state.calls[0].id)).await;
    assert_eq!(
        (&detail["answer"], detail["door"].clone()),
        (&Value::Null, serde_json::to_value(CallDoor::Local).unwrap())
    );
    assert_eq!(detail["steps"][1]["kind"], serde_json::to_value(StepKind::Worked).unwrap());
}

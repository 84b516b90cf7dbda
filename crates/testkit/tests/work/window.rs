//! The panel opens what the same window was shown, and looking counts as no work.

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{SplitServer, TempProject, ToolClient};

use crate::support::session;

/// Calls a tool through MCP as a host that names its window.
async fn in_window(
    client: &mut ToolClient,
    window: Option<&str>,
    tool: &str,
    arguments: Value,
) -> Result<Value> {
    let mut params = json!({"name": tool, "arguments": arguments});
    if let Some(window) = window {
        params["_meta"] = json!({"openai/session": window});
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut answer = client.post("/mcp", message.to_string()).await?.json()?;
    Ok(answer["result"]["structuredContent"].take())
}

#[tokio::test]
async fn the_panel_shows_what_this_window_was_shown_last() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", "a\n")?;
    project.commit("first")?;
    let mut house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let session = session(&mut client, &id, "panel").await?;
    let panel = "work_result_thread_panel";
    for window in [None, Some("w1")] {
        let nothing = in_window(&mut client, window, panel, json!({})).await?;
        assert_eq!(nothing["error"]["code"], "not_presented", "{window:?}");
    }
    let shown = json!({"project": id, "session_id": session});
    let card = in_window(&mut client, Some("w1"), "present_work_result", shown.clone()).await?;
    assert_eq!(
        card["output"],
        json!({"project": id, "session_id": session, "title": "panel", "view": "card"})
    );
    assert!(
        card.to_string().len() < 400,
        "what a presentation costs the model: {} bytes",
        card.to_string().len()
    );
    // Other operations and presentations that fail do not move the panel.
    in_window(&mut client, Some("w1"), "read_files", json!({"project": id, "items": [{"path": "a.txt"}]}))
        .await?;
    let failed =
        in_window(&mut client, Some("w1"), "present_work_result", json!({"project": "agent:x:y"})).await?;
    assert_eq!(failed["success"], false);
    house.restart_server().await?;
    let mut client = house.client().await?;
    let opened = in_window(&mut client, Some("w1"), panel, json!({})).await?;
    assert_eq!(
        opened["output"],
        json!({"project": id, "session_id": session, "title": "panel", "view": "panel"})
    );
    let other = in_window(&mut client, Some("w2"), panel, json!({})).await?;
    assert_eq!(other["error"]["code"], "not_presented");
    // Without a session the project itself is shown, and the panel follows.
    in_window(&mut client, Some("w1"), "present_work_result", json!({"project": id})).await?;
    let opened = in_window(&mut client, Some("w1"), panel, json!({})).await?;
    assert_eq!(opened["output"], json!({"project": id, "view": "panel"}));
    let state = client.output("work_result_state", json!({"project": id})).await?;
    assert_eq!((&state["review"]["base"]["kind"], &state["phase"]), (&json!("head"), &json!("empty")));
    Ok(())
}

#[tokio::test]
async fn a_refresh_keeps_to_what_the_caller_may_see() -> Result<()> {
    let project = TempProject::git()?;
    let house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let unknown =
        client.call("work_result_state", json!({"project": id, "session_id": "wcs_unknown"})).await?;
    assert_eq!(unknown["error"]["code"], "session_not_found");
    let foreign = client.call("work_result_state", json!({"project": "agent:other:web"})).await?;
    assert_eq!(foreign["success"], false);
    Ok(())
}

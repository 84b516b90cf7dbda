//! What the tests of the Work Result have in common.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::ToolClient;

/// Starts a session and waits until the files at its beginning are known.
pub(crate) async fn session(client: &mut ToolClient, project: &str, instruction: &str) -> Result<String> {
    let opened = client
        .output(
            "work_on_project",
            json!({"project": project, "instruction": instruction, "context": ["status"]}),
        )
        .await?;
    let session = opened["session"]["session_id"].as_str().context("no session")?.to_owned();
    for _ in 0..600 {
        let state = state(client, project, &session).await?;
        if state["review"].is_object() {
            return Ok(session);
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    anyhow::bail!("the beginning of the session was not recorded in time")
}

/// The state as the page asks for it.
pub(crate) async fn state(client: &mut ToolClient, project: &str, session: &str) -> Result<Value> {
    client.output("work_result_state", json!({"project": project, "session_id": session})).await
}

/// Writes a whole file as a model does: reads it first where it exists.
pub(crate) async fn write(
    client: &mut ToolClient,
    project: &str,
    session: &str,
    path: &str,
    text: &str,
) -> Result<Value> {
    // One that does not exist is a failure of the read and no fault here.
    let read = client.call("read_files", json!({"project": project, "items": [{"path": path}]})).await?;
    let change = match read["output"]["items"][0]["read_revision"].as_u64() {
        Some(revision) => {
            json!({"kind": "write", "path": path, "new_text": text, "expected_read_revision": revision})
        }
        None => json!({"kind": "create", "path": path, "new_text": text}),
    };
    let arguments = json!({"project": project, "session_id": session, "changes": [change]});
    client.output("edit_project_files", arguments).await
}

/// Path and whose work it is, of every file of a review.
pub(crate) fn listed(state: &Value) -> Vec<(String, String)> {
    let files = state["review"]["files"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    files.iter().map(|file| (text(&file["path"]), text(&file["by"]))).collect()
}

//! Snapshots that are not kept any more: it is said, and nothing else is shown or undone in their place.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use serde_json::json;
use webcodex_testkit::{SplitServer, TempProject};

use crate::flow::snapshots;
use crate::support::{session, state, write};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Lets time pass for everything in the folder of snapshots.
fn age(folder: &Path, by: Duration) -> Result<()> {
    let then = SystemTime::now() - by;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            age(&path, by)?;
        }
        File::open(&path)?.set_modified(then)?;
    }
    Ok(())
}

#[tokio::test]
async fn what_has_expired_is_said_to_be_and_replaced_by_nothing() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", "a\n")?;
    project.commit("first")?;
    let mut house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let session = session(&mut client, &id, "work").await?;
    write(&mut client, &id, &session, "a.txt", "b\n").await?;
    client.output("finish_coding_task", json!({"project": id, "session_id": session})).await?;
    let sealed = state(&mut client, &id, &session).await?["final_changes"].clone();
    let told_ms = sealed["expires_ms"].as_u64().unwrap_or_default();
    let kept_ms = told_ms.saturating_sub(sealed["sealed_ms"].as_u64().unwrap_or_default());
    let days = kept_ms / u64::try_from(DAY.as_millis())?;
    assert!((13..=14).contains(&days), "it says until when it is kept: {sealed}");
    let text =
        json!({"project": id, "session_id": session, "snapshot_id": sealed["snapshot_id"], "path": "a.txt"});
    assert_eq!(client.output("changes_file_text", text.clone()).await?["text"], "b\n");

    // Almost so long is not long enough.
    for (age_by, kept) in [(13 * DAY, true), (15 * DAY, false)] {
        age(&snapshots(house.data())?, age_by)?;
        house.restart_runner().await?;
        client = house.client().await?;
        let answer = client.call("changes_file_text", text.clone()).await?;
        assert_eq!(answer["success"], kept, "{age_by:?}: {answer}");
    }
    let gone = client.call("changes_file_text", text).await?;
    assert_eq!(gone["error"]["code"], "snapshot_expired", "{gone}");
    let seen = state(&mut client, &id, &session).await?;
    let why = seen["review_unavailable"].as_str().unwrap_or_default();
    assert!(why.contains("not kept any more") && seen["review"].is_null(), "{seen}");
    assert!(seen["final_changes"].is_null(), "nothing is shown in its place: {seen}");
    let undo = json!({"tool": "restore_changes", "arguments": {"project": id, "session_id": session}});
    let undone = client.call("call_runtime_tool", undo).await?;
    assert!(undone["output"]["restored"].as_array().is_none_or(Vec::is_empty), "{undone}");
    assert_eq!(project.read("a.txt")?, b"b\n", "and the file stays");
    Ok(())
}

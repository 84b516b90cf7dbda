//! From the first edit to Final Changes that no later edit, commit or restart changes.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{SplitServer, TempProject};

use crate::support::{listed, session, state, write};

fn numbered() -> String {
    (1..=40).map(|line| format!("line {line}\n")).collect()
}

#[tokio::test]
async fn work_is_reviewed_rejected_told_closed_and_sealed() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", numbered())?;
    project.write("user.txt", "user\n")?;
    project.commit("first")?;
    let mut house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let session = session(&mut client, &id, "Improve <b>things</b>").await?;

    let changed = numbered().replace("line 5\n", "LINE 5\n").replace("line 35\n", "LINE 35\n");
    write(&mut client, &id, &session, "a.txt", &changed).await?;
    write(&mut client, &id, &session, "src/new.txt", "new\n").await?;
    project.write("user.txt", "the user's own\n")?;
    let seen = state(&mut client, &id, &session).await?;
    let own = |path: &str, by: &str| (path.to_owned(), by.to_owned());
    assert_eq!(
        listed(&seen),
        [own("a.txt", "session"), own("src/new.txt", "session"), own("user.txt", "others")]
    );
    assert_eq!(
        (&seen["phase"], &seen["session"]["title"]),
        (&json!("open"), &json!("Improve <b>things</b>"))
    );
    assert!(seen["activity"].as_array().is_some_and(|calls| calls.len() >= 2), "{}", seen["activity"]);
    assert!(!seen["activity"].to_string().contains("work_result_state"), "looking is no work");

    let snapshot = seen["review"]["snapshot_id"].clone();
    let file =
        |path: &str| json!({"project": id, "session_id": session, "snapshot_id": snapshot, "path": path});
    let diff = client.output("changes_file_diff", file("a.txt")).await?;
    assert_eq!(
        (diff["hunks"].as_array().map(Vec::len), &diff["loaded_bytes"]),
        (Some(2), &diff["total_bytes"])
    );
    let text = client.output("changes_file_text", file("src/new.txt")).await?;
    assert_eq!(text["text"], "new\n");
    let unlisted = client.call("changes_file_text", file("../user.txt")).await?;
    assert_eq!(unlisted["error"]["code"], "not_found");

    // The person undoes the second hunk and says why.
    let mut reject = file("a.txt");
    reject["action"] = json!("reject");
    reject["hunk_id"] = diff["hunks"][1]["hunk_id"].clone();
    reject["note"] = json!("keep line 35");
    let rejected = client.output("review_decision", reject.clone()).await?;
    assert_eq!(rejected["changed"], true);
    assert_eq!(project.read("a.txt")?, numbered().replace("line 5\n", "LINE 5\n").into_bytes());
    let again = client.call("review_decision", reject).await?;
    assert_eq!(
        (&again["error"]["code"], &again["error"]["changed"]),
        (&json!("stale_revision"), &json!(false))
    );

    // The model cannot close what it does not know; this very answer tells it, and no later one does.
    let finish = json!({"project": id, "session_id": session, "summary": "done", "outputs": ["src/new.txt"]});
    let blocked = client.call("finish_coding_task", finish.clone()).await?;
    assert_eq!(blocked["error"]["code"], "finish_blocked");
    let told = &blocked["output"]["review_feedback"]["rejected"][0];
    assert_eq!((&told["path"], &told["user_says"]), (&json!("a.txt"), &json!("keep line 35")));
    let read = json!({"project": id, "session_id": session, "items": [{"path": "a.txt"}]});
    assert!(client.output("read_files", read).await?.get("review_feedback").is_none());

    let missing = json!({"project": id, "session_id": session, "outputs": ["src/new.txt", "dist/app.js"]});
    let blocked = client.call("finish_coding_task", missing).await?;
    assert_eq!(blocked["output"]["blocking"][0]["code"], "output_missing");
    let closed = client.output("finish_coding_task", finish).await?;
    assert_eq!((&closed["closed"], &closed["final_changes"]["attempt"]), (&json!(true), &json!(1)));
    let advisory = closed["advisory"].to_string();
    assert!(advisory.contains("not_checked") && advisory.contains("others_changed"), "{advisory}");

    let sealed = state(&mut client, &id, &session).await?;
    assert_eq!(sealed["phase"], "sealed");
    let seal = sealed["final_changes"].clone();
    let sealed_text = json!({"project": id, "session_id": session, "snapshot_id": seal["snapshot_id"], "path": "src/new.txt"});

    // Everything around it changes.
    project.write("src/new.txt", "something else\n")?;
    project.commit("later")?;
    project.run_git(&["gc", "--quiet", "--prune=now"])?;
    house.restart_server().await?;
    house.restart_runner().await?;
    let mut client = house.client().await?;
    let later = state(&mut client, &id, &session).await?;
    assert_eq!(later["final_changes"], seal, "sealed is sealed");
    assert_eq!(client.output("changes_file_text", sealed_text.clone()).await?["text"], "new\n");

    write(&mut client, &id, &session, "a.txt", "more work\n").await?;
    let later = state(&mut client, &id, &session).await?;
    assert_eq!((&later["phase"], &later["final_changes"]["work_went_on"]), (&json!("open"), &json!(true)));
    assert_eq!(later["diagnostics"]["attempt"], 2);

    // What is not kept any more is not replaced by the files on disk.
    std::fs::remove_dir_all(snapshots(house.data())?)?;
    let gone = client.call("changes_file_text", sealed_text).await?;
    assert_eq!(gone["error"]["code"], "snapshot_expired", "{gone}");
    Ok(())
}

/// The Runner's folder of snapshots.
pub(crate) fn snapshots(data: &Path) -> Result<PathBuf> {
    let mut folders = vec![data.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.ends_with("snapshots") {
                return Ok(path);
            }
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    anyhow::bail!("there is no folder of snapshots")
}

#[tokio::test]
async fn a_running_command_blocks_the_end_and_its_changes_are_the_commands() -> Result<()> {
    let project = TempProject::git()?;
    project.write("a.txt", "a\n")?;
    project.commit("first")?;
    let house = SplitServer::start_hasty(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let session = session(&mut client, &id, "run").await?;
    let script = if cfg!(windows) {
        "echo made> made.txt & ping -n 60 127.0.0.1"
    } else {
        "echo made > made.txt; sleep 60"
    };
    let run = json!({"project": id, "session_id": session, "script": script});
    let started = client.output("run_shell", run).await?;
    assert_eq!(started["execution_state"], "pending");
    let finish = json!({"project": id, "session_id": session});
    let blocked = client.call("finish_coding_task", finish.clone()).await?;
    assert_eq!(blocked["output"]["blocking"][0]["code"], "job_running", "{blocked}");
    assert_eq!(state(&mut client, &id, &session).await?["phase"], "running");
    client
        .call("call_runtime_tool", json!({"tool": "stop_job", "arguments": {"job_id": started["job_id"]}}))
        .await?;
    let mut by = String::new();
    for _ in 0..600 {
        let seen = state(&mut client, &id, &session).await?;
        by = listed(&seen).first().map(|(_, by)| by.clone()).unwrap_or_default();
        if by == "command" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(by, "command", "noted when the command had ended");
    let closed = client.output("finish_coding_task", finish).await?;
    assert!(closed["advisory"].to_string().contains("check_failed"), "{closed}");
    let checks = closed["evidence"]["checks"].as_array().cloned().unwrap_or_default();
    assert_eq!((checks.len(), &checks[0]["outcome"]), (1, &Value::from("stopped")));
    Ok(())
}

//! Undoing one session's work among others, and a kill in the middle of it.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{SplitServer, TempProject};

use crate::support::{session, write};

#[tokio::test]
async fn two_sessions_and_the_user_on_one_tree() -> Result<()> {
    let project = TempProject::git()?;
    for name in ["a", "b", "c"] {
        project.write(&format!("{name}.txt"), format!("{name}\n"))?;
    }
    project.commit("first")?;
    let house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let mut client = house.client().await?;
    let one = session(&mut client, &id, "one").await?;
    let two = session(&mut client, &id, "two").await?;
    write(&mut client, &id, &one, "a.txt", "a by one\n").await?;
    write(&mut client, &id, &two, "b.txt", "b by two\n").await?;
    write(&mut client, &id, &one, "both.txt", "one\n").await?;
    write(&mut client, &id, &two, "both.txt", "one\ntwo\n").await?;
    write(&mut client, &id, &one, "new/one.txt", "new\n").await?;
    project.write("c.txt", "c by the user\n")?;

    let undo = |session: &str, dry: bool| {
        let arguments = json!({"project": id, "session_id": session, "dry_run": dry});
        json!({"tool": "restore_changes", "arguments": arguments})
    };
    let planned = client.output("call_runtime_tool", undo(&one, true)).await?;
    assert_eq!((&planned["changed"], planned["restored"].as_array().map(Vec::len)), (&json!(false), Some(2)));
    assert_eq!(project.read("a.txt")?, b"a by one\n");
    let undone = client.output("call_runtime_tool", undo(&one, false)).await?;
    assert_eq!(undone["refused"], json!([{"path": "both.txt", "reason": "changed_since"}]));
    for (path, content) in
        [("a.txt", "a\n"), ("b.txt", "b by two\n"), ("c.txt", "c by the user\n"), ("both.txt", "one\ntwo\n")]
    {
        assert_eq!(String::from_utf8(project.read(path)?)?, content, "{path}");
    }
    assert!(!project.path().join("new/one.txt").exists());
    let nothing = client.call("call_runtime_tool", undo(&one, false)).await?;
    assert_eq!(
        (&nothing["error"]["code"], &nothing["error"]["changed"]),
        (&json!("changes_conflict"), &json!(false))
    );
    Ok(())
}

/// Files of one session's work; enough that a kill falls into the undoing of them.
const FILES: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_the_middle_of_undoing_is_all_or_nothing() -> Result<()> {
    let project = TempProject::git()?;
    let name = |file: usize| format!("folder{}/file{file}.txt", file % 5);
    for file in 0..FILES {
        project.write(&name(file), "old\n")?;
    }
    project.commit("first")?;
    let mut house = SplitServer::start(project.path()).await?;
    let id = house.project.clone();
    let contents = || -> Result<BTreeSet<String>> {
        (0..FILES).map(|file| Ok(String::from_utf8(project.read(&name(file))?)?)).collect()
    };
    let mut undone = 0;
    for round in 0..8_u64 {
        let mut client = house.client().await?;
        let session = session(&mut client, &id, "work").await?;
        let mut revisions: Vec<Value> = Vec::new();
        for first in (0..FILES).step_by(8) {
            let items: Vec<Value> =
                (first..FILES.min(first + 8)).map(|file| json!({"path": name(file)})).collect();
            let read = client.output("read_files", json!({"project": id, "items": items})).await?;
            revisions.extend(
                read["items"].as_array().into_iter().flatten().map(|item| item["read_revision"].clone()),
            );
        }
        let text = format!("round {round}\n");
        let changes: Vec<Value> = (0..FILES)
            .map(|file| json!({"kind": "write", "path": name(file), "new_text": text, "expected_read_revision": revisions[file]}))
            .collect();
        client
            .output("edit_project_files", json!({"project": id, "session_id": session, "changes": changes}))
            .await?;
        let arguments =
            json!({"tool": "restore_changes", "arguments": {"project": id, "session_id": session}});
        let undoing = tokio::spawn(async move { client.call("call_runtime_tool", arguments).await });
        tokio::time::sleep(Duration::from_micros(3_000 + round * 9_000)).await;
        house.restart_runner().await?;
        // The call may have been answered before the kill; what counts is what is on the disk.
        let _ = undoing.await?;
        let seen = contents()?;
        assert_eq!(seen.len(), 1, "round {round}: some are undone and some are not: {seen:?}");
        if seen.contains("old\n") {
            undone += 1;
        } else {
            let mut client = house.client().await?;
            let arguments =
                json!({"tool": "restore_changes", "arguments": {"project": id, "session_id": session}});
            let finished = client.output("call_runtime_tool", arguments).await?;
            assert_eq!(
                finished["restored"].as_array().map(Vec::len),
                Some(FILES),
                "round {round}: {finished}"
            );
            assert_eq!(contents()?, BTreeSet::from(["old\n".to_owned()]));
        }
    }
    assert_eq!(project.run_git(&["status", "--porcelain"])?, "", "nothing is left behind ({undone} at once)");
    Ok(())
}

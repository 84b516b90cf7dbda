//! A kill at any moment of an edit leaves every file old or every file new, and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tokio::sync::Notify;
use webcodex_testkit::{TempProject, TestServer, ToolClient};

const FILES: usize = 6;

fn name(file: usize) -> String {
    format!("folder{}/file{file}.txt", file % 3)
}

/// The files' contents; equal because each edit sets all of them to its number.
fn contents(project: &TempProject) -> Result<BTreeSet<String>> {
    (0..FILES).map(|file| Ok(String::from_utf8(project.read(&name(file))?)?)).collect()
}

/// Every file below the project but the edited ones.
fn litter(project: &TempProject) -> Result<Vec<String>> {
    let listed = project.run_git(&["ls-files", "--others", "--cached"])?;
    let known: BTreeSet<String> = (0..FILES).map(name).collect();
    Ok(listed.lines().filter(|file| !known.contains(*file)).map(str::to_owned).collect())
}

async fn revisions(client: &mut ToolClient, project: &str) -> Result<Vec<Value>> {
    let items: Vec<Value> = (0..FILES).map(|file| json!({"path": name(file)})).collect();
    let read = client.output("read_files", json!({"project": project, "items": items})).await?;
    Ok((0..FILES).map(|file| read["items"][file]["read_revision"].clone()).collect())
}

/// Edits all files again and again until the server is gone; tells when the first edit has been answered.
async fn edit_until_killed(
    mut client: ToolClient,
    project: String,
    mut revisions: Vec<Value>,
    arrived: Arc<Notify>,
) {
    for number in 0.. {
        let changes: Vec<Value> = (0..FILES)
            .map(|file| {
                let text = format!("edit {number}\n");
                json!({"kind": "write", "path": name(file), "new_text": text, "expected_read_revision": revisions[file]})
            })
            .collect();
        let arguments = json!({"project": project, "changes": changes});
        let Ok(edited) = client.output("edit_project_files", arguments).await else { return };
        arrived.notify_one();
        revisions = (0..FILES).map(|file| edited["files"][file]["read_revision"].clone()).collect();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_at_any_moment_leaves_all_files_old_or_all_new() -> Result<()> {
    let (project, data) = (TempProject::git()?, webcodex_testkit::left::folder()?);
    for file in 0..FILES {
        project.write(&name(file), "start\n")?;
    }
    for round in 0..20_u64 {
        let mut server = TestServer::share_in(data.path(), project.path()).await?;
        let mut client = server.client().await?;
        let revisions = revisions(&mut client, &server.project).await?;
        let arrived = Arc::new(Notify::new());
        let edits = edit_until_killed(client, server.project.clone(), revisions, Arc::clone(&arrived));
        let editing = tokio::spawn(edits);
        arrived.notified().await;
        // The kill falls into one of the next edits: spread over the milliseconds that one takes.
        tokio::time::sleep(Duration::from_micros(round * 1_900)).await;
        server.process.kill().await?;
        editing.await?;
        drop(server);
        // Recovery happens when the next server opens the project.
        let server = TestServer::share_in(data.path(), project.path()).await?;
        server.client().await?.output("read_workspace_changes", json!({"project": server.project})).await?;
        let contents = contents(&project)?;
        assert_eq!(contents.len(), 1, "round {round}: files of different edits: {contents:?}");
        assert!(!contents.contains("start\n"), "round {round}: the answered edit is gone");
        assert_eq!(litter(&project)?, Vec::<String>::new(), "round {round}: something was left behind");
    }
    Ok(())
}

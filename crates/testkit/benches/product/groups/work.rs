//! What sessions and the Work Result cost: snapshots and reviews against `git status` and `git diff`, calls of a session
//! against the same ones without it, and bytes.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use webcodex_testkit::{TestServer, ToolClient};

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::samples::{Pair, Samples, race};

const PAGE: &str = "ui://webcodex/work-result/v1";

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    snapshots(bench, report).await?;
    let real = bench.real()?;
    let server = bench.share(&real).await?;
    let mut client = server.client().await?;
    let mut opened = Samples::default();
    for _ in 0..bench.rounds(40) {
        opened.time(client.output("work_on_project", json!({"project": server.project}))).await?;
    }
    report.times("work_on_project, real", &opened, Target::AtMost(20.0));
    calls_of_a_session(bench, report, &server).await?;
    sizes(report, &mut client, &server.project).await
}

async fn snapshots(bench: &Bench, report: &mut Report) -> Result<()> {
    for (name, folder) in [("large", bench.large()?), ("real", bench.real()?)] {
        let snapshot = compare(bench, &folder, true, &[&["status", "--porcelain", "--untracked-files=all"]]);
        report.pair(
            format!("snapshot, nothing new, {name}, to git status"),
            &snapshot.await?,
            Target::Ratio(1.2),
        );
        let both: [&[&str]; 2] =
            [&["status", "--porcelain", "--untracked-files=all"], &["diff", "--numstat", "HEAD"]];
        let review = compare(bench, &folder, false, &both);
        report.pair(
            format!("review against HEAD, {name}, to git status and git diff"),
            &review.await?,
            Target::None,
        );
    }
    Ok(())
}

/// The state of a session that has changed nothing, or of the project against its last commit.
async fn compare(bench: &Bench, folder: &Path, of_session: bool, floor: &[&[&str]]) -> Result<Pair> {
    let server = bench.share(folder).await?;
    let mut client = server.client().await?;
    let mut arguments = json!({"project": server.project});
    if of_session {
        arguments["session_id"] = begin(&mut client, &server.project).await?;
    }
    race(
        bench.rounds(24),
        async |samples| samples.time(client.output("work_result_state", arguments.clone())).await.map(drop),
        async |samples| samples.time(git(folder, floor)).await,
    )
    .await
}

/// An edit and a command of a session, which note whose work it is, against the same ones of nobody.
async fn calls_of_a_session(bench: &Bench, report: &mut Report, server: &TestServer) -> Result<()> {
    let mut client = server.client().await?;
    let session = begin(&mut client, &server.project).await?;
    let mut own = Editor::new(server, "bench-of-a-session.txt", Some(session.clone())).await?;
    let mut nobodys = Editor::new(server, "bench-of-nobody.txt", None).await?;
    let edits = race(
        bench.rounds(100),
        async |samples| samples.time(own.act()).await,
        async |samples| samples.time(nobodys.act()).await,
    )
    .await?;
    report.pair("an edit of a session, real, to one of nobody", &edits, Target::None);
    let plain = json!({"project": server.project, "executable": "true"});
    let mut named = plain.clone();
    named["session_id"] = session;
    let mut other = server.client().await?;
    let commands = race(
        bench.rounds(100),
        async |samples| samples.time(client.output("run_process", named.clone())).await.map(drop),
        async |samples| samples.time(other.output("run_process", plain.clone())).await.map(drop),
    )
    .await?;
    report.pair("run_process of a session, real, to one of nobody", &commands, Target::None);
    own.end().await?;
    nobodys.end().await
}

/// Counts up in a file of its own.
struct Editor {
    client: ToolClient,
    arguments: Value,
    counter: u64,
}

impl Editor {
    async fn new(server: &TestServer, path: &str, session: Option<Value>) -> Result<Self> {
        let mut client = server.client().await?;
        let create = json!({"kind": "create", "path": path, "new_text": "counter = 0\n"});
        let mut arguments = json!({"project": server.project, "changes": [create]});
        if let Some(session) = session {
            arguments["session_id"] = session;
        }
        let made = client.output("edit_project_files", arguments.clone()).await?;
        arguments["changes"][0]["expected_read_revision"] = made["files"][0]["read_revision"].clone();
        Ok(Self { client, arguments, counter: 0 })
    }

    async fn act(&mut self) -> Result<()> {
        self.counter += 1;
        let change = &mut self.arguments["changes"][0];
        change["kind"] = json!("write");
        change["new_text"] = json!(format!("counter = {}\n", self.counter));
        self.send().await
    }

    async fn send(&mut self) -> Result<()> {
        let made = self.client.output("edit_project_files", self.arguments.clone()).await?;
        self.arguments["changes"][0]["expected_read_revision"] = made["files"][0]["read_revision"].clone();
        Ok(())
    }

    /// Leaves the repository as it was.
    async fn end(mut self) -> Result<()> {
        let change = &mut self.arguments["changes"][0];
        change["kind"] = json!("delete");
        change.as_object_mut().and_then(|change| change.remove("new_text"));
        self.send().await
    }
}

/// What reaches the model when work is shown, and the page that shows it.
async fn sizes(report: &mut Report, client: &mut ToolClient, project: &str) -> Result<()> {
    let shown = json!({"name": "present_work_result", "arguments": {"project": project}});
    let shown = client.mcp("tools/call", shown).await?;
    ensure!(shown["isError"] != true, "present_work_result: {shown}");
    let for_model = shown["content"].to_string().len() + shown["structuredContent"].to_string().len();
    report.value("a presentation to the model", "bytes", for_model as f64, Target::AtMost(1_000.0));
    let read = client.mcp("resources/read", json!({"uri": PAGE})).await?;
    let page = read["contents"][0]["text"].as_str().context("the page is not served")?;
    report.value("the page of the Work Result", "bytes", page.len() as f64, Target::AtMost(120_000.0));
    let packed = gzip(page).await? as f64;
    report.value("the page of the Work Result, gzip", "bytes", packed, Target::AtMost(40_000.0));
    Ok(())
}

/// Bytes of a text as it travels.
async fn gzip(text: &str) -> Result<usize> {
    let mut gzip = Command::new("gzip");
    let mut running = gzip.args(["-9", "-c"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = running.stdin.take().context("gzip takes no input")?;
    let text = text.to_owned();
    let feeding = tokio::spawn(async move { input.write_all(text.as_bytes()).await });
    let output = running.wait_with_output().await?;
    feeding.await??;
    ensure!(output.status.success(), "gzip failed");
    Ok(output.stdout.len())
}

/// A session whose beginning is recorded.
async fn begin(client: &mut ToolClient, project: &str) -> Result<Value> {
    let opened = client.output("work_on_project", json!({"project": project})).await?;
    let session = opened["session"]["session_id"].clone();
    for _ in 0..500 {
        let arguments = json!({"project": project, "session_id": session});
        if client.output("work_result_state", arguments).await?["review"].is_object() {
            return Ok(session);
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    anyhow::bail!("the beginning of the session was not recorded")
}

async fn git(folder: &Path, calls: &[&[&str]]) -> Result<()> {
    for arguments in calls {
        let mut git = Command::new("git");
        git.arg("--no-optional-locks").args(*arguments).current_dir(folder);
        let output = git.output().await.context("cannot start git")?;
        ensure!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

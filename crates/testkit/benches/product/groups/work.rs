//! Snapshots and reviews for the Work Result, against `git status` and `git diff`.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::process::Command;
use webcodex_testkit::ToolClient;

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::samples::{Pair, race};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
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

//! Changes of the work tree, against `git status`.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tokio::process::Command;

use crate::bench::Bench;
use crate::burst::{Crowd, Post};
use crate::report::{Report, Target};
use crate::samples::{Pair, Samples, race};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    for (name, folder) in [("large", bench.large()?), ("real", bench.real()?)] {
        for (diff, target) in [("none", Target::Ratio(1.0)), ("stat", Target::None), ("hunks", Target::None)]
        {
            let pair = compare(bench, &folder, diff).await?;
            report.pair(format!("changes, diff {diff}, {name}, to git status"), &pair, target);
        }
    }
    let real = bench.real()?;
    for count in [8, 32] {
        report.times(
            format!("changes, diff none, real, {count} clients"),
            &crowded(bench, &real, count).await?,
            Target::None,
        );
    }
    Ok(())
}

async fn compare(bench: &Bench, folder: &Path, diff: &str) -> Result<Pair> {
    let server = bench.share(folder).await?;
    let mut client = server.client().await?;
    let arguments = json!({"project": server.project, "diff": diff});
    race(
        bench.rounds(24),
        async |samples| {
            samples.time(client.output("read_workspace_changes", arguments.clone())).await.map(drop)
        },
        async |samples| samples.time(git_status(folder)).await,
    )
    .await
}

async fn crowded(bench: &Bench, folder: &Path, count: usize) -> Result<Samples> {
    let server = bench.share(folder).await?;
    let arguments = json!({"project": server.project, "diff": "none"});
    let body = json!({"tool": "read_workspace_changes", "arguments": arguments}).to_string();
    let mut clients = Vec::new();
    for _ in 0..count {
        clients.push(Post {
            client: server.client().await?,
            path: "/api/tools/call",
            body: body.clone().into(),
        });
    }
    let mut samples = Samples::default();
    Crowd::new(clients).burst(bench.rounds(12), &mut samples).await?;
    Ok(samples)
}

async fn git_status(folder: &Path) -> Result<()> {
    let mut git = Command::new("git");
    git.args(["--no-optional-locks", "status", "--porcelain", "--untracked-files=all"]).current_dir(folder);
    let output = git.output().await.context("cannot start git")?;
    ensure!(output.status.success(), "git status: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

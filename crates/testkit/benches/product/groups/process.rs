//! A trivial program, against starting it directly and reading both pipes.

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tokio::process::Command;
use webcodex_testkit::TempProject;

use crate::bench::Bench;
use crate::burst::{Crowd, Post};
use crate::report::{Report, Target};
use crate::samples::{Samples, race};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let project = TempProject::git()?;
    let server = bench.share(project.path()).await?;
    let mut client = server.client().await?;
    let arguments = json!({"project": server.project, "executable": "true"});
    let pair = race(
        bench.rounds(300),
        async |samples| samples.time(client.output("run_process", arguments.clone())).await.map(drop),
        async |samples| samples.time(spawn()).await,
    )
    .await?;
    report.pair("run_process of `true`, to its spawn", &pair, Target::Ratio(1.3));
    let body = json!({"tool": "run_process", "arguments": arguments}).to_string();
    for count in [8, 32] {
        let mut clients = Vec::new();
        for _ in 0..count {
            clients.push(Post {
                client: server.client().await?,
                path: "/api/tools/call",
                body: body.clone().into(),
            });
        }
        let mut samples = Samples::default();
        Crowd::new(clients).burst(bench.rounds(40), &mut samples).await?;
        report.times(format!("run_process of `true`, {count} clients"), &samples, Target::None);
    }
    Ok(())
}

async fn spawn() -> Result<()> {
    let output = Command::new("true").output().await.context("cannot start `true`")?;
    ensure!(output.status.success(), "`true` failed");
    Ok(())
}

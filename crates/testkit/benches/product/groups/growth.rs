//! What grows: with the number of calls nothing should, with the size of the repository at most in proportion.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::{TestServer, ToolClient};

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::repository::{RARE_WORD, SMALL_FILE};
use crate::samples::{Pair, Samples, race};

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    calls_made(bench, report).await?;
    repository_size(bench, report).await
}

async fn calls_made(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = bench.share(&bench.real()?).await?;
    let mut client = server.client().await?;
    let read = read(&server.project);
    let calls = bench.choose(20_000, 5_000);
    let mut first = Samples::default();
    repeat(&mut client, &read, 1_000, &mut Samples::default()).await?;
    repeat(&mut client, &read, 1_000, &mut first).await?;
    let memory_before = memory(&server)?;
    repeat(&mut client, &read, calls, &mut Samples::default()).await?;
    let mut last = Samples::default();
    repeat(&mut client, &read, 1_000, &mut last).await?;
    let times = (last.median() / 1e3, first.median() / 1e3);
    report.compared(format!("small read after {calls} calls, to before"), "ms", times, Target::Ratio(1.15));
    let sizes = (memory(&server)?, memory_before);
    report.compared(format!("memory after {calls} calls, to before"), "MB", sizes, Target::Ratio(1.15));
    let stored = folder_bytes(server.data())? / 1e6;
    report.value(format!("data folder after {calls} calls"), "MB", stored, Target::None);
    Ok(())
}

async fn repository_size(bench: &Bench, report: &mut Report) -> Result<()> {
    let (large, quarter) = (bench.share(&bench.large()?).await?, bench.share(&bench.quarter()?).await?);
    let search = |project: &str| json!({"project": project, "queries": [{"pattern": RARE_WORD}]});
    let changes = |project: &str| json!({"project": project, "diff": "none"});
    let pair = compare(
        bench.rounds(400),
        "read_files",
        (&large, read(&large.project)),
        (&quarter, read(&quarter.project)),
    )
    .await?;
    report.pair("small read, large repository to a quarter of it", &pair, Target::Ratio(1.15));
    let of_large = (&large, search(&large.project));
    let pair =
        compare(bench.rounds(16), "search_project_texts", of_large, (&quarter, search(&quarter.project)))
            .await?;
    report.pair("search, large repository to a quarter of it", &pair, Target::Ratio(4.4));
    let of_large = (&large, changes(&large.project));
    let pair =
        compare(bench.rounds(16), "read_workspace_changes", of_large, (&quarter, changes(&quarter.project)))
            .await?;
    report.pair("changes, large repository to a quarter of it", &pair, Target::Ratio(4.4));
    Ok(())
}

async fn compare(
    rounds: usize,
    tool: &str,
    large: (&TestServer, Value),
    quarter: (&TestServer, Value),
) -> Result<Pair> {
    let (mut first, mut second) = (large.0.client().await?, quarter.0.client().await?);
    race(
        rounds,
        async |samples| samples.time(first.output(tool, large.1.clone())).await.map(drop),
        async |samples| samples.time(second.output(tool, quarter.1.clone())).await.map(drop),
    )
    .await
}

fn read(project: &str) -> Value {
    json!({"project": project, "items": [{"path": SMALL_FILE, "line_count": 10}]})
}

async fn repeat(
    client: &mut ToolClient,
    arguments: &Value,
    times: usize,
    samples: &mut Samples,
) -> Result<()> {
    for _ in 0..times {
        samples.time(client.output("read_files", arguments.clone())).await?;
    }
    Ok(())
}

fn memory(server: &TestServer) -> Result<f64> {
    super::idle::memory(&[server.server_pid, server.runner_pid].into())
}

fn folder_bytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0.0;
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let kind = entry.file_type()?;
        bytes += if kind.is_dir() { folder_bytes(&entry.path())? } else { entry.metadata()?.len() as f64 };
    }
    Ok(bytes)
}

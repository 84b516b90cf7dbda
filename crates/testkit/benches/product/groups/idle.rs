//! Memory and processor time of the processes when nobody calls, before and after a load. Linux only: read from /proc.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use webcodex_testkit::TestServer;

use crate::bench::Bench;
use crate::burst::{Crowd, Post};
use crate::report::{Report, Target};
use crate::repository::{COMMON_WORD, SMALL_FILE};
use crate::samples::Samples;

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = bench.share(&bench.large()?).await?;
    let pids = BTreeSet::from([server.server_pid, server.runner_pid]);
    server.client().await?.output("work_on_project", json!({"project": server.project})).await?;
    rest(5).await;
    report.value("memory when idle, Server + Runner", "MB", memory(&pids)?, Target::AtMost(25.0));
    report.value("processor time when idle", "%", idle_share(bench, &pids).await?, Target::AtMost(0.05));
    load(bench, &server).await?;
    report.value("memory at the end of the load", "MB", memory(&pids)?, Target::None);
    rest(5).await;
    report.value("memory 5 s after the load", "MB", memory(&pids)?, Target::AtMost(40.0));
    Ok(())
}

async fn rest(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

/// 32 clients at once that read, search and look at changes.
async fn load(bench: &Bench, server: &TestServer) -> Result<()> {
    let project = &server.project;
    let files: Vec<_> = (0..8).map(|_| json!({"path": SMALL_FILE})).collect();
    let calls = [
        json!({"tool": "read_files", "arguments": {"project": project, "items": files}}),
        json!({"tool": "search_project_texts", "arguments": {"project": project, "queries": [{"pattern": COMMON_WORD}]}}),
        json!({"tool": "read_workspace_changes", "arguments": {"project": project, "diff": "hunks"}}),
    ];
    for call in calls {
        let mut clients = Vec::new();
        for _ in 0..32 {
            clients.push(Post {
                client: server.client().await?,
                path: "/api/tools/call",
                body: call.to_string().into(),
            });
        }
        Crowd::new(clients).burst(bench.choose(10, 3), &mut Samples::default()).await?;
    }
    Ok(())
}

/// Resident memory in MB.
pub(super) fn memory(pids: &BTreeSet<u32>) -> Result<f64> {
    let mut kilobytes = 0.0;
    for pid in pids {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).context("the process has ended")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        kilobytes += line.trim().trim_end_matches(" kB").parse::<f64>()?;
    }
    Ok(kilobytes / 1000.0 * 1.024)
}

/// Processor time used while nothing is asked, in per cent of one core.
pub(super) async fn idle_share(bench: &Bench, pids: &BTreeSet<u32>) -> Result<f64> {
    let seconds = bench.choose(30, 10);
    let before = processor_nanoseconds(pids)?;
    rest(seconds).await;
    let used = processor_nanoseconds(pids)?.saturating_sub(before);
    Ok(used as f64 / 1e9 / seconds as f64 * 100.0)
}

fn processor_nanoseconds(pids: &BTreeSet<u32>) -> Result<u64> {
    let mut nanoseconds = 0;
    for pid in pids {
        for thread in fs::read_dir(format!("/proc/{pid}/task")).context("the process has ended")? {
            // A thread may end between the listing and the reading.
            let times = fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
            nanoseconds += times.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    Ok(nanoseconds)
}

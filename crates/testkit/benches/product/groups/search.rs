//! Searching, against the `rg` program on as many threads as there are cores.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::repository::{COMMON_WORD, RARE_WORD};
use crate::samples::{Pair, race};

const ABSENT_WORD: &str = "nowhere_to_be_found_in_here";
/// Eight words of different frequency.
const EIGHT: [&str; 8] = [
    "wrapping_mul",
    RARE_WORD,
    ABSENT_WORD,
    "fn journal_",
    "Joins ledger",
    "zone_yield",
    "unsafe impl",
    "struct Token",
];

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    for (name, folder, most) in [("large", bench.large()?, 0.9), ("real", bench.real()?, 0.8)] {
        let pattern = if name == "large" { RARE_WORD } else { "with_capacity" };
        let pair = compare(bench, &folder, &[pattern], 200).await?;
        report.pair(format!("search for one word, {name}, to rg"), &pair, Target::Ratio(most));
        let pair = compare(bench, &folder, &[ABSENT_WORD], 200).await?;
        report.pair(format!("search for an absent word, {name}, to rg"), &pair, Target::Ratio(most));
        let pair = compare(bench, &folder, &[COMMON_WORD], 200).await?;
        report.pair(format!("first 200 of a common word, {name}, to all by rg"), &pair, Target::None);
        let pair = compare(bench, &folder, &EIGHT, 50).await?;
        report.pair(format!("8 queries, {name}, to one rg with 8 -e"), &pair, Target::Ratio(1.3));
    }
    Ok(())
}

/// All patterns in one call against one `rg` with as many `-e`.
async fn compare(bench: &Bench, folder: &Path, patterns: &[&str], limit: u64) -> Result<Pair> {
    let server = bench.share(folder).await?;
    let mut client = server.client().await?;
    let queries: Vec<Value> =
        patterns.iter().map(|pattern| json!({"pattern": pattern, "limit": limit})).collect();
    let arguments = json!({"project": server.project, "queries": queries});
    race(
        bench.rounds(24),
        async |samples| {
            samples.time(client.output("search_project_texts", arguments.clone())).await.map(drop)
        },
        async |samples| samples.time(ripgrep(folder, patterns)).await,
    )
    .await
}

async fn ripgrep(folder: &Path, patterns: &[&str]) -> Result<()> {
    let threads = std::thread::available_parallelism().map(usize::from).unwrap_or(2);
    let mut rg = Command::new(std::env::var_os("WEBCODEX_BENCH_RG").unwrap_or_else(|| "rg".into()));
    rg.args([
        "--no-config",
        "--fixed-strings",
        "--line-number",
        "--no-heading",
        "--threads",
        &threads.to_string(),
    ]);
    rg.args(patterns.iter().flat_map(|pattern| ["-e", pattern])).arg(".").current_dir(folder);
    let output = rg.stdin(Stdio::null()).output().await.context("cannot start rg")?;
    // 1 means that nothing was found.
    ensure!(matches!(output.status.code(), Some(0 | 1)), "rg: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

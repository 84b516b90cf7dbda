//! Measures the release executable against floors taken in the same run. How to read it: `docs/benchmark.md`.
//!
//! Started by `cargo xtask bench`, which builds what is measured and names the repositories' folder and sources.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;

mod bench;
mod burst;
mod floor_server;
mod groups;
mod report;
mod repository;
mod samples;

use bench::Bench;
use report::Report;

#[derive(Parser)]
struct Args {
    /// Fewer rounds, rougher numbers.
    #[arg(long)]
    quick: bool,
    /// Also write the numbers here.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Only these groups.
    #[arg(long)]
    only: Vec<String>,
    /// Serve the bare route that round trips are compared with.
    #[arg(long, hide = true)]
    floor_server: bool,
    /// `cargo bench` passes it.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let args = Args::parse();
    // One thread: the load generator must not take both cores from the servers it measures.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if args.floor_server { runtime.block_on(floor_server::serve()) } else { runtime.block_on(measure(&args)) }
}

async fn measure(args: &Args) -> Result<()> {
    if let Some(unknown) = args.only.iter().find(|name| !groups::NAMES.contains(&name.as_str())) {
        bail!("no group is called `{unknown}`; there are {}", groups::NAMES.join(", "));
    }
    let executable = std::env::var_os("WEBCODEX_EXE").context("start this with `cargo xtask bench`")?;
    let bench = Bench::prepare(PathBuf::from(executable), args.quick)?;
    let mut report = Report::default();
    for name in groups::NAMES {
        if args.only.is_empty() || args.only.iter().any(|only| only == name) {
            eprintln!("measuring: {name}");
            groups::run(name, &bench, &mut report).await.with_context(|| format!("group `{name}`"))?;
        }
    }
    report.print()?;
    match &args.json {
        Some(file) => report.write(file),
        None => Ok(()),
    }
}

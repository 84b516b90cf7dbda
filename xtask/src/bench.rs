//! `cargo xtask bench`: builds the release executable and measures it.

use std::path::PathBuf;

use anyhow::Result;

use crate::setup::{desktop, python, system};
use crate::workspace::{self, Metadata};
use crate::{cache, command, window_tests};

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fewer rounds: a few minutes instead of about half an hour, with rougher numbers.
    #[arg(long)]
    quick: bool,
    /// Also write the numbers to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measure only these groups, by name; an unknown name lists them.
    #[arg(long, value_name = "GROUP")]
    only: Vec<String>,
}

/// Builds, prepares the repositories and hands over to the measuring program.
pub(crate) fn run(args: &Args) -> Result<()> {
    system::test_tools()?;
    command::run(&mut workspace::cargo(&["build", "--release", "--package", "webcodex-cli"]))?;
    let metadata = Metadata::read()?;
    let mut bench =
        workspace::cargo(&["bench", "--quiet", "--package", "webcodex-testkit", "--bench", "product", "--"]);
    bench.env("WEBCODEX_EXE", workspace::executable(&metadata.target()?, "release"));
    bench.env("WEBCODEX_BENCH_REPOSITORIES", cache::folder()?.join("bench"));
    bench.env("WEBCODEX_BENCH_RG", ripgrep()?);
    bench.env("WEBCODEX_BENCH_SOURCES", std::env::join_paths(real_sources(&metadata)?)?);
    if args.only.is_empty() || args.only.iter().any(|group| group == "desktop") {
        desktop::build_tools()?;
        desktop::test_tools()?;
        bench.env("WEBCODEX_DESKTOP", window_tests::build("release")?);
        bench.env("WEBCODEX_PYTHON", python::interpreter()?);
    }
    if args.quick {
        bench.arg("--quick");
    }
    if let Some(file) = &args.json {
        bench.arg("--json").arg(std::path::absolute(file)?);
    }
    for group in &args.only {
        bench.args(["--only", group]);
    }
    command::run(&mut bench)
}

/// The search program to compare with, built from its released sources because Debian's is years older.
fn ripgrep() -> Result<PathBuf> {
    let folder = cache::part("ripgrep", RIPGREP_VERSION, |folder| {
        let mut install = workspace::cargo(&["install", "--quiet", "--locked", "--version", RIPGREP_VERSION]);
        install.arg("ripgrep").arg("--root").arg(folder).env_remove("CARGO_TARGET_DIR");
        command::run(&mut install)
    })?;
    Ok(folder.join("bin").join(format!("rg{}", std::env::consts::EXE_SUFFIX)))
}

const RIPGREP_VERSION: &str = "15.2.0";

/// Sources of dependencies which together make the small, real repository.
fn real_sources(metadata: &Metadata) -> Result<Vec<PathBuf>> {
    ["tokio", "rmcp", "ignore", "hyper", "regex-automata"]
        .iter()
        .map(|name| metadata.sources_of(name))
        .collect()
}

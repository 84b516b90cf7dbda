//! Development commands, `cargo xtask …`: each installs what it lacks, then does its work.
//!
//! Downloads and build results of these commands live in one cache folder outside the clone (see [`cache`]), so that a
//! clone stays clean and a second run is quick.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod cache;
mod command;
mod dist;
mod left;
mod projects;
mod run;
mod setup;
mod tally;
mod test;
mod window_tests;
mod windows;
mod workspace;

/// Development commands of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build and open the app; without a screen, serve a folder (default: the current one).
    Run(run::Args),
    /// Install what is missing and pass every check; `--list` names the steps.
    Test(test::Args),
    /// Measure the release build against floors taken in the same run; see docs/benchmark.md.
    Bench(bench::Args),
    /// Pack the app for this system: deb and rpm, a disk image, or an installer.
    Dist,
    /// Type-check every crate for Windows.
    CheckWindows,
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Run(args) => run::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Dist => dist::run(),
        Task::CheckWindows => windows::check(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

//! What is measured, one file per group.

use anyhow::{Result, bail};

use crate::bench::Bench;
use crate::report::Report;

mod changes;
mod desktop;
mod edit;
mod growth;
mod idle;
mod process;
mod round_trip;
mod search;
mod sizes;
mod start;
mod tunnel;
mod tunnel_lines;
mod work;

/// The groups in the order in which they run: those that need a quiet process first.
pub(crate) const NAMES: &[&str] = &[
    "desktop",
    "start",
    "idle",
    "round-trip",
    "search",
    "changes",
    "work",
    "edit",
    "process",
    "tunnel",
    "sizes",
    "growth",
];

/// Measures the group called `name`.
pub(crate) async fn run(name: &str, bench: &Bench, report: &mut Report) -> Result<()> {
    match name {
        "desktop" => desktop::measure(bench, report),
        "start" => start::measure(bench, report).await,
        "idle" => idle::measure(bench, report).await,
        "round-trip" => round_trip::measure(bench, report).await,
        "search" => search::measure(bench, report).await,
        "changes" => changes::measure(bench, report).await,
        "work" => work::measure(bench, report).await,
        "edit" => edit::measure(bench, report).await,
        "process" => process::measure(bench, report).await,
        "tunnel" => tunnel::measure(bench, report).await,
        "sizes" => sizes::measure(bench, report).await,
        "growth" => growth::measure(bench, report).await,
        other => bail!("no group is called `{other}`"),
    }
}

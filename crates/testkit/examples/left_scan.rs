//! The last step of all tests: looks through the folder that `WEBCODEX_LEFT` names for secrets.
//!
//! Prints a line for each kind of thing that must have been left, and `N passed, N failed`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use webcodex_testkit::left::{LeftScan, Looked};

fn main() -> Result<ExitCode> {
    let folder = std::env::var_os("WEBCODEX_LEFT").context("WEBCODEX_LEFT names no folder")?;
    let scan = LeftScan::of(&PathBuf::from(folder))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} secrets were planted; {} files were left", scan.planted, scan.files)?;
    let (there, missing): (Vec<Looked>, Vec<Looked>) =
        scan.looked.iter().copied().partition(|looked| looked.files > 0);
    for looked in &there {
        writeln!(out, "looked at {:>6} files: {}", looked.files, looked.kind)?;
    }
    for looked in &missing {
        writeln!(out, "FAILED  nothing to look at: {}; its tests must run before", looked.kind)?;
    }
    for finding in &scan.findings {
        writeln!(out, "FAILED  {finding}")?;
    }
    let failed = missing.len() + scan.findings.len();
    writeln!(out, "{} passed, {failed} failed", there.len())?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

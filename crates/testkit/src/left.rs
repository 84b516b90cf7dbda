//! What tests leave behind for the scan for secrets.
//!
//! A test makes the folders and files of the product through [`folder`] and [`file()`]. By itself it removes them at
//! its end; where `WEBCODEX_LEFT` names a folder they lie in there and stay. `cargo xtask test` names one, and its last
//! step looks through it (see [`LeftScan`]).

mod scan;

pub use scan::{LeftScan, Looked};

use std::io::{Result, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::{NamedTempFile, TempDir};

use crate::secrets::SHORTEST;

/// Names the folder in which everything stays.
const VARIABLE: &str = "WEBCODEX_LEFT";
/// The file, in that folder, that lists the secrets which tests gave to the product: a JSON document each line.
const PLANTED: &str = "planted.jsonl";

/// A folder for the product, as its data folder.
pub fn folder() -> Result<TempDir> {
    let mut named = tempfile::Builder::new();
    named.prefix("webcodex-data-");
    match left() {
        Some(left) => named.disable_cleanup(true).tempdir_in(left),
        None => named.tempdir(),
    }
}

/// A file for what the product writes; `kind` begins its name.
pub fn file(kind: &str) -> Result<NamedTempFile> {
    let mut named = tempfile::Builder::new();
    named.prefix(kind);
    match left() {
        Some(left) => named.disable_cleanup(true).tempfile_in(left),
        None => named.tempfile(),
    }
}

/// Keeps a report that the product gave.
pub fn report(text: &str) -> Result<()> {
    file("report-")?.write_all(text.as_bytes())
}

/// Tells that the product is about to get this secret. One so short that chance would find it is not looked for.
///
/// # Panics
/// Where it cannot be noted: what is not known would not be found.
pub fn planted(name: &str, secret: &str) {
    let Some(left) = left().filter(|_| secret.len() >= SHORTEST) else { return };
    if let Err(error) = note(&left.join(PLANTED), name, secret) {
        panic!("cannot note a planted secret in {}: {error}", left.display());
    }
}

/// One write at the end of the file, so that lines of tests that run at once do not mix.
fn note(file: &Path, name: &str, secret: &str) -> Result<()> {
    let line = format!("{}\n", json!({"name": name, "secret": secret}));
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(line.as_bytes())
}

fn left() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

//! The scan for secrets as a program, for tests that are not written in Rust.
//!
//! Standard input is one JSON document: `secrets` (name to secret), `texts` (place to text), `folders`, `kept` (places
//! where the product keeps secrets) and `processes` (ids). Standard output is `{"findings": […], "files": […]}`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::SecretScan;

fn main() -> Result<()> {
    let asked: Value = serde_json::from_reader(std::io::stdin().lock())?;
    let secrets = texts(&asked["secrets"])?;
    let named = secrets.iter().map(|(name, secret)| (name.as_str(), secret.as_str()));
    let kept = paths(&asked["kept"]);
    let mut scan = kept.into_iter().fold(SecretScan::new(named)?, SecretScan::kept_in);
    for (place, text) in texts(&asked["texts"])? {
        scan.bytes(&place, text.as_bytes());
    }
    for folder in paths(&asked["folders"]) {
        scan.folder(&folder)?;
    }
    #[cfg(target_os = "linux")]
    for process in asked["processes"].as_array().into_iter().flatten().filter_map(Value::as_u64) {
        scan.process(u32::try_from(process)?)?;
    }
    let findings: Vec<String> = scan.findings().iter().map(ToString::to_string).collect();
    Ok(writeln!(std::io::stdout(), "{}", json!({"findings": findings, "files": scan.files()}))?)
}

fn texts(of: &Value) -> Result<BTreeMap<String, String>> {
    serde_json::from_value(of.clone()).context("secrets and texts are objects of texts")
}

fn paths(of: &Value) -> Vec<PathBuf> {
    of.as_array().into_iter().flatten().filter_map(Value::as_str).map(PathBuf::from).collect()
}

//! The app on a screen of its own: how soon it is there, and what it takes while it waits. Linux only, through
//! `tests/desktop/measure.py`.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::bench::Bench;
use crate::report::{Report, Target};

pub(crate) fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let app = std::env::var_os("WEBCODEX_DESKTOP").context("start this with `cargo xtask bench`")?;
    let found = script(bench, &root.join("tests/desktop/measure.py"))?;
    let value = |name: &str| found.get(name).copied().with_context(|| format!("`{name}` was not measured"));
    for (name, key, target) in [
        ("app: start to a drawn window", "drawn_ms", Target::None),
        ("app: start to ready, with its window", "ready_ms", Target::AtMost(1000.0)),
        ("app: start to ready, hidden", "ready_hidden_ms", Target::AtMost(1000.0)),
        ("app: the very first start to ready", "first_ready_hidden_ms", Target::None),
    ] {
        report.value(name, "ms", value(key)?, target);
    }
    for (name, key, target) in [
        ("app: memory, tray only", "hidden_rss_mb", Target::AtMost(90.0)),
        ("app: the same, shared pages divided", "hidden_pss_mb", Target::None),
        ("app: memory, window open", "open_rss_mb", Target::None),
        ("app: the same, shared pages divided", "open_pss_mb", Target::None),
        ("app: memory, window released", "released_rss_mb", Target::None),
        ("app: the same, shared pages divided", "released_pss_mb", Target::None),
    ] {
        report.value(name, "MB", value(key)?, target);
    }
    report.value("app: processor time when idle", "%", value("idle_percent")?, Target::AtMost(0.1));
    let server = Path::new(&app).with_file_name("webcodex");
    let programs = size(Path::new(&app))? + size(&server)?;
    report.value("app: both programs", "MB", programs as f64 / 1e6, Target::None);
    report.value(
        "window: page with everything",
        "kB",
        folder(&root.join("ui/dist/desktop"))? as f64 / 1e3,
        Target::None,
    );
    Ok(())
}

/// What the script measured, by its names.
fn script(bench: &Bench, script: &Path) -> Result<HashMap<String, f64>> {
    let mut run = Command::new("/usr/bin/python3");
    run.arg(script).env("WEBCODEX_LOG", "warn").stdin(Stdio::null()).stderr(Stdio::null());
    run.env("WEBCODEX_MEASURE_ROUNDS", bench.rounds(12).to_string());
    run.env("WEBCODEX_MEASURE_REST_SECS", bench.choose("60", "20"));
    let output = run.output().context("cannot start the system's Python")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().last().unwrap_or_default();
    if !output.status.success() {
        bail!("{} ended with {}; run it alone to see why", script.display(), output.status);
    }
    serde_json::from_str(last).with_context(|| format!("no numbers in `{last}`"))
}

fn size(file: &Path) -> Result<u64> {
    Ok(file.metadata().with_context(|| format!("cannot look at {}", file.display()))?.len())
}

fn folder(folder: &Path) -> Result<u64> {
    folder
        .read_dir()
        .with_context(|| format!("cannot read {}", folder.display()))?
        .map(|entry| size(&entry?.path()))
        .sum()
}

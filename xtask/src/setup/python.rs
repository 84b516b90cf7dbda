//! The Python clients and tools of `tests/`, in a virtual environment in the cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::setup::system;
use crate::{cache, command, workspace};

/// A virtual environment that holds exactly `tests/requirements.txt`; returns its interpreter.
pub(crate) fn interpreter() -> Result<PathBuf> {
    system::require("python3", &["python3", "python3-venv"])?;
    let requirements = workspace::root().join("tests").join("requirements.txt");
    let versions = std::fs::read_to_string(&requirements).context("tests/requirements.txt")?;
    let environment = cache::part("python", &versions, |folder| fill(folder, &requirements))?;
    Ok(in_environment(&environment))
}

fn fill(folder: &Path, requirements: &Path) -> Result<()> {
    let create = || command::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder));
    if create().is_err() {
        // Debian's Python comes without the part that makes environments.
        system::install(&["python3-venv"])?;
        create()?;
    }
    let mut pip = Command::new(in_environment(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(requirements);
    command::run(&mut pip)
}

fn in_environment(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts").join("python.exe") } else { folder.join("bin").join("python") }
}

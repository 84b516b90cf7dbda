//! Finds the `webcodex` executable under test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};

/// The executable that `WEBCODEX_EXE` names; without it, this workspace's debug build, brought up to date once per
/// test program so that a test never runs against an old one.
pub fn webcodex() -> Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    if let Some(named) = std::env::var_os("WEBCODEX_EXE") {
        return Ok(PathBuf::from(named));
    }
    BUILT.get_or_init(|| build().map_err(|error| format!("{error:#}"))).clone().map_err(anyhow::Error::msg)
}

fn build() -> Result<PathBuf> {
    let target = target_folder()?;
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--package", "webcodex-cli", "--target-dir"])
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .with_context(|| format!("cannot start `{cargo}`"))?;
    if !status.success() {
        bail!("`cargo build --package webcodex-cli` failed; build it by itself to see why");
    }
    Ok(target.join("debug").join(format!("webcodex{}", std::env::consts::EXE_SUFFIX)))
}

/// The target folder that the running test was built into: `<target>/<profile>/deps/<test>`.
fn target_folder() -> Result<PathBuf> {
    let test = std::env::current_exe()?;
    let target = test.ancestors().nth(3).map(Path::to_owned);
    target.with_context(|| format!("{} lies in no target folder; set WEBCODEX_EXE", test.display()))
}

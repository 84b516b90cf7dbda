//! Where this workspace lies and where cargo builds it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::command;

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// `cargo` with the workspace as its folder; the toolchain is the one that built this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// What cargo knows of the workspace and all its dependencies.
pub(crate) struct Metadata(Value);

impl Metadata {
    /// Asks cargo.
    pub(crate) fn read() -> Result<Self> {
        let text = command::output(&mut cargo(&["metadata", "--format-version", "1"]))?;
        Ok(Self(serde_json::from_str(&text).context("`cargo metadata` printed no JSON")?))
    }

    /// The folder cargo builds into.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let folder =
            self.0["target_directory"].as_str().context("`cargo metadata` names no target folder")?;
        Ok(PathBuf::from(folder))
    }

    /// The sources of a dependency.
    pub(crate) fn sources_of(&self, package: &str) -> Result<PathBuf> {
        let packages = self.0["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        packages
            .iter()
            .find(|candidate| candidate["name"] == package)
            .and_then(|found| Path::new(found["manifest_path"].as_str()?).parent())
            .map(Path::to_owned)
            .ok_or_else(|| {
                anyhow!("the workspace no longer depends on `{package}`; choose another real project")
            })
    }
}

/// The path of the `webcodex` executable of a build profile (`debug` or `release`).
pub(crate) fn executable(target: &Path, profile: &str) -> PathBuf {
    target.join(profile).join(format!("webcodex{}", std::env::consts::EXE_SUFFIX))
}

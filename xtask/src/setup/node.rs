//! The JavaScript clients and tools of `tests/`, with a Node.js new enough for them, in the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::system;
use crate::{cache, command, workspace};

/// The oldest Node.js that every tool in `tests/package.json` accepts.
const OLDEST: (u32, u32) = (22, 19);
/// The Node.js taken from the npm registry where the machine's is older.
const NODE_VERSION: &str = "22.23.5";

/// A Node.js and an installed copy of `tests/package.json`.
pub(crate) struct Node {
    executable: PathBuf,
    packages: PathBuf,
}

impl Node {
    /// Installs what is missing.
    pub(crate) fn set_up() -> Result<Self> {
        system::require("npm", &["nodejs", "npm"])?;
        let executable = new_enough()?;
        let packages = packages(&executable)?;
        Ok(Self { executable, packages })
    }

    /// `node tests/<script>`; the script finds the packages through `NODE_PACKAGES`.
    pub(crate) fn script(&self, script: &str) -> Command {
        let mut node = Command::new(&self.executable);
        node.arg(workspace::root().join("tests").join(script)).env("NODE_PACKAGES", &self.packages);
        node
    }
}

/// Runs npm in `ui/` under a Node.js that will do; packages are installed exactly as locked when the lock has changed.
pub(crate) struct Ui {
    path: std::ffi::OsString,
}

impl Ui {
    /// Installs what is missing.
    pub(crate) fn set_up() -> Result<Self> {
        system::require("npm", &["nodejs", "npm"])?;
        let ui = Self { path: path_with(&new_enough()?)? };
        let folder = workspace::root().join("ui");
        let installed = folder.join("node_modules").join(".installed-lock");
        let lock = fs::read(folder.join("package-lock.json")).context("ui/package-lock.json")?;
        if fs::read(&installed).ok().as_ref() != Some(&lock) {
            command::run(&mut ui.npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
            fs::write(&installed, &lock).with_context(|| format!("cannot write {}", installed.display()))?;
        }
        Ok(ui)
    }

    /// `npm …` in `ui/`.
    pub(crate) fn npm(&self, arguments: &[&str]) -> Command {
        self.program("npm", arguments)
    }

    /// A program of the installed packages.
    pub(crate) fn program(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(workspace::root().join("ui")).env("PATH", &self.path);
        command
    }
}

/// The machine's own Node.js if it will do, else one from the npm registry.
fn new_enough() -> Result<PathBuf> {
    if let Some(node) =
        command::on_path("node").filter(|node| version(node).is_some_and(|found| found >= OLDEST))
    {
        return Ok(node);
    }
    let package = binary_package()?;
    let folder = cache::part("node", &format!("{package}@{NODE_VERSION}"), |folder| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
        command::run(npm.arg(folder).arg(format!("{package}@{NODE_VERSION}")))
    })?;
    Ok(folder
        .join("node_modules")
        .join(package)
        .join("bin")
        .join(format!("node{}", std::env::consts::EXE_SUFFIX)))
}

fn version(node: &Path) -> Option<(u32, u32)> {
    let output = Command::new(node).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.trim().trim_start_matches('v').split('.').map(|part| part.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

fn binary_package() -> Result<String> {
    let system = match std::env::consts::OS {
        "linux" => "linux",
        "macos" => "darwin",
        "windows" => "win",
        other => {
            bail!("install Node.js {}.{} or newer by hand: none is offered for {other}", OLDEST.0, OLDEST.1)
        }
    };
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    Ok(format!("node-{system}-{machine}"))
}

fn packages(node: &Path) -> Result<PathBuf> {
    let tests = workspace::root().join("tests");
    let lock = fs::read_to_string(tests.join("package-lock.json")).context("tests/package-lock.json")?;
    cache::part("node-packages", &lock, |folder| {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(tests.join(file), folder.join(file)).with_context(|| format!("tests/{file}"))?;
        }
        let mut npm = Command::new("npm");
        // Not `npm ci`: it refuses a lock that lacks an optional package which a registry does not have.
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(folder);
        command::run(npm.env("PATH", path_with(node)?))
    })
}

/// PATH with the folder of `node` first, so that npm runs under it.
fn path_with(node: &Path) -> Result<std::ffi::OsString> {
    let own = node.parent().map(Path::to_owned);
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(own.into_iter().chain(std::env::split_paths(&inherited)))?)
}

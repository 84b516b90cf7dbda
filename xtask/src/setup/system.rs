//! Programs from the operating system's packages. Only Debian and its kin can be helped; elsewhere the error names
//! what to install.

use std::process::Command;

use anyhow::{Result, bail};

use crate::command;

/// What building needs besides Rust: a C compiler and linker (the bundled database is C).
pub(crate) fn build_tools() -> Result<()> {
    require("cc", &["build-essential"])
}

/// What the tests need on top: the git program to make repositories, Python, Node.js.
pub(crate) fn test_tools() -> Result<()> {
    build_tools()?;
    require("git", &["git"])?;
    require("python3", &["python3", "python3-venv"])?;
    require("npm", &["nodejs", "npm"])
}

/// Installs `packages` if `program` is not on PATH.
pub(crate) fn require(program: &str, packages: &[&str]) -> Result<()> {
    if command::on_path(program).is_some() {
        return Ok(());
    }
    if command::on_path("apt-get").is_none() {
        bail!("`{program}` is missing: install {} and run this again", packages.join(" and "));
    }
    install(packages)
}

/// Installs Debian packages.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    apt(&["update", "--quiet"])?;
    let arguments = ["install", "--quiet", "--yes", "--no-install-recommends"];
    apt(&[&arguments[..], packages].concat())
}

/// Runs `apt-get` as root.
pub(crate) fn apt(arguments: &[&str]) -> Result<()> {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut apt = if root {
        Command::new("apt-get")
    } else if command::on_path("sudo").is_some() {
        let mut sudo = Command::new("sudo");
        sudo.arg("apt-get");
        sudo
    } else {
        bail!("run this as root or install sudo: `apt-get {}` is needed", arguments.join(" "));
    };
    command::run(apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}

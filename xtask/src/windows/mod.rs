//! Windows from a Debian machine: everything is type-checked, and what needs no window runs under wine.

mod toolchain;
mod wine;

use anyhow::Result;

use crate::setup::system;
use crate::tally::Tally;
use crate::{command, workspace};

use toolchain::Toolchain;
use wine::Wine;

/// Crates whose tests need nothing that wine lacks: no git program, no rename over an open file.
const TESTED: &[&str] = &["webcodex-contracts", "webcodex-projects", "webcodex-link", "webcodex-settings"];

/// `cargo xtask check-windows`: type-checks every crate with its tests.
pub(crate) fn check() -> Result<()> {
    if cfg!(windows) {
        return command::run(&mut workspace::cargo(&["check", "--all-targets"]));
    }
    Toolchain::set_up()?.check()
}

/// The step of `cargo xtask test`; on Windows itself the other steps do all this.
pub(crate) fn test(tally: &mut Tally) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let toolchain = Toolchain::set_up()?;
    toolchain.check()?;
    let wine = Wine::set_up(&toolchain)?;
    system::require("makensis", &["nsis"])?;
    let product = toolchain.build("webcodex-cli", "webcodex.exe")?;
    let mut crates = toolchain.cargo(&["test", "--quiet", "--lib", "--tests"])?;
    crates.args(TESTED.iter().flat_map(|package| ["--package", package]));
    let mut day = script("windows/day.py");
    day.env("WEBCODEX_EXE", wine::path(&product));
    let ran = [
        tally.run(wine.lend(&mut crates)),
        tally.run(wine.enter(&mut day)),
        tally.run(&mut script("installers/windows_setup.py")),
    ];
    wine.end()?;
    ran.into_iter().fold(Ok(()), Result::and)
}

/// A script of `tests`.
fn script(path: &str) -> std::process::Command {
    let mut python = std::process::Command::new("python3");
    python.arg(workspace::root().join("tests").join(path));
    python
}

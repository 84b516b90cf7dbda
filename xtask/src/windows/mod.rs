//! Windows from a Debian machine: everything is type-checked, and what needs no window runs under wine.

mod toolchain;
mod wine;

use anyhow::Result;

use crate::tally::Tally;
use crate::workspace;

use toolchain::Toolchain;
use wine::Wine;

/// Crates whose tests need nothing that wine lacks, from the ground up.
const TESTED: &[&str] = &[
    "webcodex-contracts",
    "webcodex-projects",
    "webcodex-link",
    "webcodex-settings",
    "webcodex-files",
    "webcodex-process",
    "webcodex-supervisor",
];

/// `cargo xtask check-windows`: type-checks every crate with its tests.
pub(crate) fn check() -> Result<()> {
    if cfg!(windows) {
        return crate::command::run(&mut workspace::cargo(&["check", "--all-targets"]));
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
    let program = toolchain.build("webcodex-cli", "webcodex.exe")?;
    let packages = TESTED.iter().flat_map(|package| ["--package", package]);
    let arguments: Vec<&str> =
        ["test", "--quiet", "--lib", "--tests", "--no-fail-fast"].into_iter().chain(packages).collect();
    let mut tests = toolchain.cargo(&arguments)?;
    let result = tally.run(wine.lend(&mut tests).env("WEBCODEX_EXE", wine::path(&program)));
    wine.end()?;
    result
}

//! A Windows of our own under wine, kept in the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::toolchain::Toolchain;
use crate::setup::system;
use crate::{cache, command};

/// Rust's standard library takes its random numbers from a library that wine 8 does not have; for tests only.
const RANDOM: &str = include_str!("bcryptprimitives.c");

/// The folder with its drives and its registry.
pub(super) struct Wine(PathBuf);

impl Wine {
    /// Installs wine and makes the folder, unless they are there.
    pub(super) fn set_up(toolchain: &Toolchain) -> Result<Self> {
        system::require("wine", &["wine", "wine64"])?;
        let prefix = cache::part("wine", RANDOM, |folder| {
            let wine = Self(folder.to_owned());
            command::run(wine.program("wineboot").arg("--init"))?;
            command::run(wine.program("winecfg").args(["-v", "win10"]))?;
            let system = folder.join("drive_c").join("windows").join("system32");
            let source = folder.join("bcryptprimitives.c");
            fs::write(&source, RANDOM).with_context(|| format!("cannot write {}", source.display()))?;
            toolchain.library(&source, &system.join("bcryptprimitives.dll"))?;
            wine.end()
        })?;
        Ok(Self(prefix))
    }

    /// Lets a command of cargo run Windows programs.
    pub(super) fn lend<'command>(&self, cargo: &'command mut Command) -> &'command mut Command {
        cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine");
        self.enter(cargo)
    }

    /// Ends what still runs in it.
    pub(super) fn end(&self) -> Result<()> {
        let mut server = Command::new("wineserver");
        // It says by its exit code whether there was anything to end.
        self.enter(&mut server).arg("--kill").status().context("cannot start `wineserver`")?;
        Ok(())
    }

    fn program(&self, name: &str) -> Command {
        let mut wine = Command::new("wine");
        self.enter(&mut wine);
        wine.arg(name);
        wine
    }

    /// No window, no messages of wine's own, and none of the parts that it would offer to download.
    pub(super) fn enter<'command>(&self, command: &'command mut Command) -> &'command mut Command {
        command.env("WINEPREFIX", &self.0).env("WINEARCH", "win64").env("WINEDEBUG", "-all");
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=d").env_remove("DISPLAY")
    }
}

/// A file of this machine as programs under wine see it.
pub(super) fn path(file: &Path) -> String {
    format!("Z:{}", file.display().to_string().replace('/', "\\"))
}

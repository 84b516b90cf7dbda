//! A Windows of our own under wine, kept in the cache.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::toolchain::Toolchain;
use crate::setup::system;
use crate::{cache, command};

/// Rust's standard library takes its random numbers from a library that wine 8 does not have; for tests only.
const RANDOM: &str = include_str!("bcryptprimitives.c");

/// The folder with its drives and its registry, and a program that runs in it all the time.
pub(super) struct Wine {
    prefix: PathBuf,
    resident: Option<Resident>,
}

impl Wine {
    /// Installs wine and makes the folder, unless they are there.
    pub(super) fn set_up(toolchain: &Toolchain) -> Result<Self> {
        system::require("wine", &["wine", "wine64"])?;
        let prefix = cache::part("wine", RANDOM, |folder| {
            let wine = Self { prefix: folder.to_owned(), resident: None };
            command::run(wine.program("wineboot").arg("--init"))?;
            command::run(wine.program("winecfg").args(["-v", "win10"]))?;
            let system = folder.join("drive_c").join("windows").join("system32");
            let source = folder.join("bcryptprimitives.c");
            fs::write(&source, RANDOM).with_context(|| format!("cannot write {}", source.display()))?;
            toolchain.library(&source, &system.join("bcryptprimitives.dll"))?;
            wine.end()
        })?;
        let mut wine = Self { prefix, resident: None };
        wine.resident = Some(Resident::start(&mut wine.program("cmd"))?);
        Ok(wine)
    }

    /// Lets a command of cargo run Windows programs.
    pub(super) fn lend<'command>(&self, cargo: &'command mut Command) -> &'command mut Command {
        cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine");
        self.enter(cargo)
    }

    /// Ends what still runs in it.
    pub(super) fn end(mut self) -> Result<()> {
        self.resident.take().map_or(Ok(()), Resident::end)?;
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
        command.env("WINEPREFIX", &self.prefix).env("WINEARCH", "win64").env("WINEDEBUG", "-all");
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=d").env_remove("DISPLAY")
    }
}

/// A file of this machine as programs under wine see it.
pub(super) fn path(file: &Path) -> String {
    format!("Z:{}", file.display().to_string().replace('/', "\\"))
}

/// A program that does nothing but run.
///
/// The first program in an empty Windows starts its services, which then hold that program's output open for as long
/// as they like, so that whoever reads a test's output would wait for them.
struct Resident {
    process: Child,
    orders: ChildStdin,
}

impl Resident {
    /// Starts the shell `cmd`, and returns when it has answered.
    fn start(cmd: &mut Command) -> Result<Self> {
        let mut process =
            cmd.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start `wine`")?;
        let (Some(mut orders), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("`wine` has no input or output");
        };
        // The answer follows the prompt.
        orders.write_all(b"echo up\r\n")?;
        let is_up = |line: std::io::Result<String>| line.is_ok_and(|line| line.trim_end().ends_with(">up"));
        ensure!(BufReader::new(answers).lines().any(is_up), "`wine cmd` ended before it answered");
        Ok(Self { process, orders })
    }

    /// It ends with its input.
    fn end(mut self) -> Result<()> {
        drop(self.orders);
        self.process.wait()?;
        Ok(())
    }
}

//! `cargo xtask run`: from a fresh clone to the app, or without a screen to a served folder.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::workspace::{self, Metadata};
use crate::{command, setup, window_tests};

/// Arguments of `cargo xtask run`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Serve a folder without a window, as is done anyway where there is no screen.
    #[arg(long)]
    headless: bool,
    /// Without a window: the folder to serve and options of `webcodex run`; default: the current folder.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FOLDER")]
    arguments: Vec<String>,
}

/// Installs what is missing, builds the release, and runs it until it is quit or interrupted.
pub(crate) fn run(args: &Args) -> Result<()> {
    if args.headless {
        return serve(&args.arguments);
    }
    if !has_screen() {
        eprintln!(
            "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set): serving without a window."
        );
        return serve(&args.arguments);
    }
    if !args.arguments.is_empty() {
        eprintln!("A folder was named: serving it without a window.");
        return serve(&args.arguments);
    }
    setup::desktop::build_tools()?;
    replace(&mut Command::new(window_tests::build("release")?))
}

/// Windows and macOS always have one.
fn has_screen() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

fn serve(arguments: &[String]) -> Result<()> {
    setup::system::build_tools()?;
    command::run(&mut workspace::cargo(&["build", "--release", "--package", "webcodex-cli"]))?;
    let executable = workspace::executable(&Metadata::read()?.target()?, "release");
    serve_with(&executable, arguments)
}

fn serve_with(executable: &Path, arguments: &[String]) -> Result<()> {
    let mut webcodex = Command::new(executable);
    webcodex.arg("run").args(arguments);
    if arguments.iter().all(|argument| argument.starts_with('-')) {
        webcodex.arg(".");
    }
    replace(&mut webcodex)
}

/// Becomes the program, so that signals and the exit code are its own.
#[cfg(unix)]
fn replace(program: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = program.exec();
    anyhow::bail!("cannot start `{}`: {error}", command::shown(program));
}

#[cfg(windows)]
fn replace(program: &mut Command) -> Result<()> {
    command::run(program)
}

//! `cargo xtask run`: from a fresh clone to a served folder.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::workspace::{self, Metadata};
use crate::{command, setup};

/// Arguments of `cargo xtask run`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to serve and options of `webcodex run`; default: the current folder.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FOLDER")]
    arguments: Vec<String>,
}

/// Installs what is missing, builds the release executable and serves the folder until it is interrupted.
pub(crate) fn run(args: &Args) -> Result<()> {
    setup::system::build_tools()?;
    command::run(&mut workspace::cargo(&["build", "--release", "--package", "webcodex-cli"]))?;
    let executable = workspace::executable(&Metadata::read()?.target()?, "release");
    serve(&executable, &args.arguments)
}

fn serve(executable: &Path, arguments: &[String]) -> Result<()> {
    let mut webcodex = Command::new(executable);
    webcodex.arg("run").args(arguments);
    if arguments.iter().all(|argument| argument.starts_with('-')) {
        webcodex.arg(".");
    }
    replace(&mut webcodex)
}

/// Becomes the program, so that signals and the exit code are its own.
#[cfg(unix)]
fn replace(webcodex: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = webcodex.exec();
    anyhow::bail!("cannot start `{}`: {error}", command::shown(webcodex));
}

#[cfg(windows)]
fn replace(webcodex: &mut Command) -> Result<()> {
    command::run(webcodex)
}

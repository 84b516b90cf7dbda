//! The `webcodex` executable: one file per subcommand.

mod commands;
mod failure;
mod household;
mod instance;
mod logging;
mod memory;
mod request;
mod search_path;
mod shutdown;
mod supervised;
mod tunnel;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::Failure;

/// Lets ChatGPT, Claude and any other MCP client work on the repositories of this computer.
#[derive(Debug, Parser)]
#[command(name = "webcodex", version, about, after_help = failure::EXIT_CODES)]
struct Arguments {
    /// Print what this program was built from, as JSON.
    #[arg(long)]
    build_info_json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve one folder until this command ends.
    Share(commands::share::Arguments),
    /// Serve the registered projects, kept between runs.
    Run(commands::run::Arguments),
    /// Run the Server alone.
    Server(commands::server::Arguments),
    /// Run a Runner alone, for the Server on this machine.
    Runner(commands::runner::Arguments),
    /// List, add or remove projects.
    Project(commands::project::Arguments),
    /// Speak MCP on standard input and output for a client that starts its servers itself.
    Connect(commands::connect::Arguments),
    /// Say whether Server and Runner serve.
    Status(commands::status::Arguments),
    /// Check everything that can be checked and say what to do.
    Doctor(commands::doctor::Arguments),
}

fn main() -> ExitCode {
    memory::use_one_heap();
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.build_info_json {
        return commands::build_info::run();
    }
    match arguments.command {
        Some(Command::Share(arguments)) => commands::share::run(arguments),
        Some(Command::Run(arguments)) => commands::run::run(arguments),
        Some(Command::Server(arguments)) => commands::server::run(arguments),
        Some(Command::Runner(arguments)) => commands::runner::run(arguments),
        Some(Command::Project(arguments)) => commands::project::run(arguments),
        Some(Command::Connect(arguments)) => commands::connect::run(arguments),
        Some(Command::Status(arguments)) => commands::status::run(arguments),
        Some(Command::Doctor(arguments)) => commands::doctor::run(arguments),
        None => {
            anstream::eprint!("{}", Arguments::command().render_long_help().ansi());
            Err(Failure::usage("no command was given", "run `webcodex share` in the folder of a project"))
        }
    }
}

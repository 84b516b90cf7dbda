//! `webcodex project list | add | set | remove`

use clap::builder::PossibleValuesParser;
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use webcodex_contracts::Permission;
use webcodex_projects::{Project, Registry, RegistryError, TermsChange};
use webcodex_runner::Runner;
use webcodex_settings::{Environment, Settings};

use crate::failure::Failure;
use crate::household;

/// Arguments of `webcodex project`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Register a folder. Its files are not touched.
    Add {
        /// The folder; default the current one.
        folder: Option<std::path::PathBuf>,
        /// The name people see; default the folder's.
        #[arg(long)]
        name: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the registered folders.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Set what callers may do in a project. It holds from the next call on.
    Set {
        /// The project's id, its short name or its folder; default the current one.
        project: Option<String>,
        /// What callers may do: only read, also edit files, or also run commands.
        #[arg(long, value_parser = PossibleValuesParser::new(Permission::ALL.map(Permission::as_str)))]
        permission: Option<String>,
        /// Whether edits and commands wait until you have allowed them in the window.
        #[arg(long)]
        ask_first: Option<Switch>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Forget a project. Its files are not touched.
    Remove {
        /// The project's id, its short name or its folder.
        project: String,
    },
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// Runs the command; a Runner that is running notices the change by itself.
#[expect(clippy::print_stdout, reason = "the data that was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let settings = Settings::load(&Environment::of_process())?;
    let registry = household::registry(&settings)?;
    match arguments.action {
        Action::Add { folder, name, json } => {
            let path = household::absolute(folder.as_deref())?;
            let added = registry.register(&path, name.as_deref(), None).map_err(|error| refused(&error))?;
            if json {
                println!("{}", describe(&added.project));
            } else {
                let already = if added.already { " (was registered before)" } else { "" };
                println!("{}  {}{already}", added.project.id, added.project.root.display());
            }
        }
        Action::List { json } => list(&registry, json)?,
        Action::Set { project, permission, ask_first, json } => {
            let change = TermsChange {
                permission: permission.as_deref().and_then(Permission::parse),
                ask_first: ask_first.map(|switch| switch == Switch::On),
            };
            set(&registry, project, change, json)?;
        }
        Action::Remove { project } => {
            let removed = registry.remove(&project).map_err(|error| refused(&error))?;
            forget(&settings, &removed)?;
            println!("{} is forgotten; its files in {} are as they were", removed.id, removed.root.display());
        }
    }
    Ok(())
}

/// Lets go of what was kept of its earlier states.
fn forget(settings: &Settings, project: &Project) -> Result<(), Failure> {
    Runner::forget(&settings.folders.runner(), project).map_err(|error| {
        Failure::new("what was kept of the project's earlier states could not be removed").why(error)
    })
}

#[expect(clippy::print_stdout, reason = "the data that was asked for")]
fn set(registry: &Registry, project: Option<String>, change: TermsChange, json: bool) -> Result<(), Failure> {
    if change == TermsChange::default() {
        return Err(Failure::new("nothing was said to be set").next("add --permission or --ask-first"));
    }
    let which = match project {
        Some(project) => project,
        None => household::absolute(None)?,
    };
    let project = registry.set_terms(&which, change).map_err(|error| refused(&error))?;
    match json {
        true => println!("{}", describe(&project)),
        false => println!("{}  {}", project.id, terms(&project)),
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the data that was asked for")]
fn list(registry: &Registry, json: bool) -> Result<(), Failure> {
    let projects = registry.list().map_err(|error| refused(&error))?;
    if json {
        let projects: Vec<_> = projects.iter().map(|project| describe(project)).collect();
        println!("{}", json!({ "projects": projects }));
        return Ok(());
    }
    if projects.is_empty() {
        anstream::eprintln!("No projects yet. Register one with `webcodex project add FOLDER`.");
    }
    for project in projects {
        let missing = if project.root.is_dir() { "" } else { "  (the folder is missing)" };
        println!("{}  {}  {}{missing}", project.id, project.root.display(), terms(&project));
    }
    Ok(())
}

/// What callers may do, in words.
fn terms(project: &Project) -> String {
    let permission = match project.terms.permission {
        Permission::Read => "read only",
        Permission::Edit => "edit",
        Permission::EditRun => "edit and run",
    };
    let asking = if project.terms.ask_first { ", asks first" } else { "" };
    format!("({permission}{asking})")
}

fn describe(project: &Project) -> serde_json::Value {
    json!({
        "project": project.id,
        "name": project.name,
        "path": project.root,
        "available": project.root.is_dir(),
        "permission": project.terms.permission,
        "ask_first": project.terms.ask_first,
    })
}

/// What a refused registration means for a person at the terminal.
pub(crate) fn refused(error: &RegistryError) -> Failure {
    let failure = Failure::new("the project was not changed").why(error);
    match error {
        RegistryError::Folder(_) => failure.next("name the folder of one project"),
        RegistryError::Unknown(_) => failure.next("`webcodex project list` shows the projects"),
        RegistryError::Damaged { .. } => failure.next("repair the file or move it away"),
        RegistryError::Io { .. } => failure.next("check that the data folder is yours and has room"),
    }
}

//! `webcodex doctor`: checks everything that can be checked here and says what to do.

mod connection;

use serde_json::{Value, json};
use webcodex_settings::{Environment, Settings};

use super::status::{Seen, look};
use crate::failure::Failure;
use crate::household;
use crate::search_path::path_source;

/// Arguments of `webcodex doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Look at one connection to OpenAI only, hop by hop.
    #[arg(long, value_name = "NAME")]
    connection: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One thing that was checked.
struct Check {
    name: String,
    /// What was seen.
    found: String,
    /// What to do; `None` if all is well.
    next: Option<String>,
}

/// Fails if something needs to be done.
#[expect(clippy::print_stdout, reason = "the data that was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let environment = Environment::of_process();
    let settings = Settings::load(&environment)?;
    let checks = match &arguments.connection {
        Some(name) => connection::checks(&settings, Some(name))?,
        None => everything(&settings)?,
    };
    if arguments.json {
        println!("{}", to_json(&checks, &environment));
    } else {
        for check in &checks {
            let mark = if check.next.is_none() { "ok " } else { "!! " };
            println!("{mark} {}: {}", check.name, check.found);
            if let Some(next) = &check.next {
                println!("      next: {next}");
            }
        }
    }
    match checks.iter().filter(|check| check.next.is_some()).count() {
        0 => Ok(()),
        problems => Err(Failure::new(format!("{problems} of {} checks need something done", checks.len()))),
    }
}

fn everything(settings: &Settings) -> Result<Vec<Check>, Failure> {
    let mut checks = vec![data_folder(settings), serving(settings)];
    checks.extend(projects(settings));
    checks.push(search_path()?);
    checks.extend(connection::checks(settings, None)?);
    Ok(checks)
}

fn to_json(checks: &[Check], environment: &Environment) -> Value {
    let one = |check: &Check| json!({"name": check.name, "ok": check.next.is_none(), "found": check.found, "next": check.next});
    let environment: Vec<_> =
        environment.shown().map(|(name, value)| json!({"name": name, "value": value})).collect();
    json!({
        "version": household::VERSION,
        "checks": checks.iter().map(one).collect::<Vec<_>>(),
        "environment": environment,
    })
}

fn data_folder(settings: &Settings) -> Check {
    let folder = &settings.folders.data;
    let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop));
    let next =
        tried.err().map(|error| format!("{error}; check that the folder is yours and the disk has room"));
    Check { name: "data folder".to_owned(), found: folder.display().to_string(), next }
}

fn serving(settings: &Settings) -> Check {
    let (found, next) = match look(&settings.folders) {
        Seen::Ready(server) => (format!("ready at {}", server.address), None),
        Seen::NotRunning => ("not running".to_owned(), Some("start `webcodex run`")),
        Seen::Silent(why) => (format!("does not answer: {why}"), Some("restart WebCodex")),
        Seen::NotReady(body) => {
            let reason = body["reason"].as_str().unwrap_or("a part is missing").to_owned();
            (format!("not ready: {reason}"), Some("start `webcodex runner`"))
        }
    };
    Check { name: "Server and Runner".to_owned(), found, next: next.map(str::to_owned) }
}

fn projects(settings: &Settings) -> Vec<Check> {
    let listed = household::registry(settings)
        .and_then(|registry| registry.list().map_err(|error| super::project::refused(&error)));
    let Ok(projects) = listed else {
        let next = Some("run `webcodex project list` to see why".to_owned());
        return vec![Check { name: "projects".to_owned(), found: "cannot be read".to_owned(), next }];
    };
    let count = Check {
        name: "projects".to_owned(),
        found: format!("{} registered", projects.len()),
        next: projects.is_empty().then(|| "register one with `webcodex project add FOLDER`".to_owned()),
    };
    let missing = projects.iter().filter(|project| !project.root.is_dir()).map(|project| Check {
        name: "project folder".to_owned(),
        found: format!("{} is missing ({})", project.root.display(), project.id),
        next: Some(format!("put it back, or run `webcodex project remove {}`", project.id)),
    });
    std::iter::once(count).chain(missing.collect::<Vec<_>>()).collect()
}

fn search_path() -> Result<Check, Failure> {
    let found = household::runtime()?.block_on(webcodex_process::search_path(path_source()));
    let found = format!("{} (from {})", found.value.to_string_lossy(), found.source);
    Ok(Check { name: "search path of commands".to_owned(), found, next: None })
}

//! The steps that look at the window: its page in Chromium, and the real one on a desktop without a screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::setup::node::Ui;
use crate::setup::{desktop, python};
use crate::tally::{self, Tally};
use crate::workspace::{self, Metadata};
use crate::{cache, command};

/// The package of the app.
pub(crate) const PACKAGE: &str = "webcodex-desktop";

/// Programs of the test kit that scripts start, and the variables that name them.
const TEST_PROGRAMS: [(&str, &str); 2] =
    [("control_plane", "WEBCODEX_CONTROL_PLANE"), ("secrets_scan", "WEBCODEX_SECRETS_SCAN")];

/// The page: types, the committed build, words and state, and every page in Chromium.
pub(crate) fn window(tally: &mut Tally) -> Result<()> {
    desktop::test_tools()?;
    let ui = Ui::set_up()?;
    command::run(&mut ui.npm(&["run", "--silent", "check"]))?;
    command::run(&mut ui.npm(&["run", "--silent", "check:dist"]))?;
    let vitest = ["run", "--reporter=default", "--reporter=./tools/count-reporter.mjs", "--project"];
    let unit = tally.run(&mut ui.program("npx", &[&["vitest"], &vitest[..], &["unit"]].concat()));
    command::run(&mut ui.npm(&["run", "--silent", "build:fake"]))?;
    // A browser for each file: what one leaves behind does not slow the next.
    let files = test_files()?.into_iter().map(|file| {
        tally.run(&mut ui.program("npx", &[&["vitest"], &vitest[..], &["browser", &file]].concat()))
    });
    files.collect::<Vec<_>>().into_iter().fold(unit, Result::and)
}

fn test_files() -> Result<Vec<String>> {
    let folder = workspace::root().join("ui").join("tests");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.ts"))
        .map(|name| format!("tests/{name}"))
        .collect();
    files.sort();
    Ok(files)
}

/// The app: lints, its own tests, and a person's day in its real window.
pub(crate) fn app(tally: &mut Tally) -> Result<()> {
    desktop::build_tools()?;
    desktop::test_tools()?;
    let package = ["--quiet", "--package", PACKAGE];
    let clippy = [&["clippy"], &package[..], &["--all-targets", "--", "--deny", "warnings"]].concat();
    command::run(&mut workspace::cargo(&clippy))?;
    tally.run(&mut workspace::cargo(&[&["test"], &package[..]].concat()))?;
    let executable = build("debug")?;
    let kit = ["build", "--quiet", "--package", "webcodex-testkit", "--examples"];
    command::run(&mut workspace::cargo(&kit))?;
    let scripts = ["whole_day.py", "hidden.py", "no_tray.py", "update.py", "tunnel_day.py", "review_day.py"];
    let ran = scripts.map(|script| tally.run(&mut on_desktop(script, &executable)?));
    ran.into_iter().fold(Ok(()), Result::and)
}

/// The app with the programs it starts, up to date.
pub(crate) fn build(profile: &str) -> Result<PathBuf> {
    let packages = ["build", "--quiet", "--package", PACKAGE, "--package", "webcodex-cli"];
    let release = if profile == "release" { &["--release"][..] } else { &[] };
    command::run(&mut workspace::cargo(&[&packages[..], release].concat()))?;
    let webcodex = workspace::executable(&Metadata::read()?.target()?, profile);
    Ok(webcodex.with_file_name(format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX)))
}

/// A script of `tests/desktop` for this build of the app. Pictures of what failed go to the cache.
fn on_desktop(script: &str, executable: &Path) -> Result<Command> {
    let pictures = cache::folder()?.join("pictures");
    fs::create_dir_all(&pictures)?;
    tally::say(&format!("-- {script}"));
    let mut run = Command::new(desktop::SYSTEM_PYTHON);
    run.arg(workspace::root().join("tests").join("desktop").join(script));
    run.env("WEBCODEX_DESKTOP", executable).env("WEBCODEX_PYTHON", python::interpreter()?);
    run.env("WEBCODEX_PICTURES", pictures);
    for (name, variable) in TEST_PROGRAMS {
        let program = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        run.env(variable, executable.with_file_name("examples").join(program));
    }
    Ok(run)
}

//! `cargo xtask dist`: packages of the app for the system it runs on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::desktop;
use crate::setup::node::Ui;
use crate::workspace::{self, Metadata};
use crate::{cache, command, tally, window_tests};

/// The bundler, which needs nothing from the network for these formats.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";
/// What each system installs.
const FORMATS: &[&str] = if cfg!(target_os = "macos") { &["app", "dmg"] } else { &["deb", "rpm"] };

/// Builds the release and packs it; the packages are in the target folder's `dist`.
pub(crate) fn run() -> Result<()> {
    desktop::build_tools()?;
    let app = window_tests::build("release")?;
    let target = Metadata::read()?.target()?;
    let dist = target.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&dist)?;
    if cfg!(windows) {
        installer(&app, &dist)?;
    } else {
        for format in FORMATS {
            bundle(format, &app, &target, &dist)?;
        }
    }
    for entry in fs::read_dir(&dist)? {
        let file = entry?.path();
        tally::say(&format!("{} ({} bytes)", file.display(), fs::metadata(&file)?.len()));
    }
    Ok(())
}

/// Packs one format. The bundler marks the executable with the format, so each gets a fresh copy.
fn bundle(format: &str, app: &Path, target: &Path, dist: &Path) -> Result<()> {
    let stage = target.join("bundles").join(format);
    let release = stage.join("release");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    fs::create_dir_all(&release)?;
    let server = app.with_file_name("webcodex");
    for file in [app, &server] {
        let name = file.file_name().context("an executable has a name")?;
        fs::copy(file, release.join(name)).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    let beside = serde_json::json!({ "bundle": {
        "linux": {
            "deb": { "files": { "/usr/bin/webcodex": release.join("webcodex") } },
            "rpm": { "files": { "/usr/bin/webcodex": release.join("webcodex") } },
        },
        "macOS": { "files": { "MacOS/webcodex": release.join("webcodex") } },
    }});
    let ui = Ui::set_up()?;
    let bundler = bundler(&ui)?;
    let mut pack = ui.program("node", &[]);
    pack.arg(bundler).args(["bundle", "--bundles", format, "--config"]).arg(beside.to_string());
    pack.current_dir(workspace::root().join("src-tauri")).env("CARGO_TARGET_DIR", &stage);
    command::run(&mut pack)?;
    let made = release.join("bundle").join(format);
    for entry in fs::read_dir(&made).with_context(|| format!("nothing was packed in {}", made.display()))? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == format) {
            let name = file.file_name().context("a package has a name")?;
            fs::rename(&file, dist.join(name))?;
        }
    }
    Ok(())
}

/// The bundler's script, installed in the cache.
fn bundler(ui: &Ui) -> Result<PathBuf> {
    let folder = cache::part("tauri-cli", BUNDLER, |folder| {
        let mut npm =
            ui.npm(&["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
        command::run(npm.arg(folder).arg(BUNDLER))
    })?;
    Ok(folder.join("node_modules").join("@tauri-apps").join("cli").join("tauri.js"))
}

/// The installer for Windows.
fn installer(app: &Path, dist: &Path) -> Result<()> {
    if command::on_path("makensis").is_none() {
        bail!("install NSIS and put `makensis` on PATH, then run this again");
    }
    let version = env!("CARGO_PKG_VERSION");
    let source = app.parent().context("an executable lies in a folder")?;
    let mut pack = Command::new("makensis");
    pack.arg(format!("-DVERSION={version}")).arg(format!("-DSOURCE={}", source.display()));
    pack.arg(format!("-DOUTPUT={}", dist.join(format!("WebCodex-{version}-setup.exe")).display()));
    command::run(pack.arg(workspace::root().join("installers").join("windows").join("webcodex.nsi")))
}

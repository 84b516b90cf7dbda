//! The repositories that are measured, made once and kept outside the clone.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Raised whenever the generator writes something else.
const GENERATION: u32 = 1;
/// In the text of every generated file.
pub(crate) const COMMON_WORD: &str = "return";
/// In the text of five generated files.
pub(crate) const RARE_WORD: &str = "quicksilver_lantern";
/// A file of about 4 kB that every repository has.
pub(crate) const SMALL_FILE: &str = "small.rs";

/// The shape of a generated repository; a file has about 5 kB.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Generated {
    pub(crate) folders: usize,
    pub(crate) files_per_folder: usize,
}

/// A repository of made-up code, the same on every machine.
pub(crate) fn generated(parent: &Path, shape: Generated) -> Result<PathBuf> {
    let files = shape.folders * shape.files_per_folder;
    once(parent, &format!("generated-{GENERATION}-{files}"), |folder| {
        let mut text = Text::seeded();
        for number in 0..files {
            let file = folder.join(path_of(number, shape.files_per_folder));
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(&file, text.file(number % (files / 5) == 0))?;
        }
        Ok(())
    })
}

/// Copies of real sources.
pub(crate) fn real(parent: &Path) -> Result<PathBuf> {
    let sources =
        std::env::var_os("WEBCODEX_BENCH_SOURCES").context("start this with `cargo xtask bench`")?;
    let sources: Vec<PathBuf> = std::env::split_paths(&sources).collect();
    let names: Vec<_> = sources.iter().filter_map(|source| source.file_name()?.to_str()).collect();
    once(parent, &format!("real-{GENERATION}-{}", names.join("-")), |folder| {
        sources.iter().zip(&names).try_for_each(|(source, name)| copy(source, &folder.join(name)))
    })
}

/// Fills the folder `name` unless a complete one is there; commits it, then changes 5 files and adds 2.
fn once(parent: &Path, name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let folder = parent.join(name);
    let complete = parent.join(format!("{name}.complete"));
    if complete.is_file() {
        return Ok(folder);
    }
    eprintln!("making {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fill(&folder)?;
    fs::write(folder.join(SMALL_FILE), Text::seeded().file(false))?;
    git(&folder, &["init", "--quiet", "--initial-branch=main"])?;
    git(&folder, &["add", "--all"])?;
    git(
        &folder,
        &["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "Start"],
    )?;
    change(&folder)?;
    fs::write(complete, "")?;
    Ok(folder)
}

fn change(folder: &Path) -> Result<()> {
    let listed = git(folder, &["ls-files"])?;
    let files: Vec<&str> =
        listed.lines().filter(|file| file.ends_with(".rs") && *file != SMALL_FILE).collect();
    for file in files.iter().step_by(files.len() / 5).take(5) {
        let path = folder.join(file);
        let text = fs::read_to_string(&path)?;
        fs::write(&path, text.replacen('\n', "\n// changed\n", 1))?;
    }
    fs::write(folder.join("untracked-1.rs"), "fn one() {}\n")?;
    fs::write(folder.join("untracked-2.rs"), "fn two() {}\n")?;
    // Lets git note which files are clean, as it does in any repository in use.
    git(folder, &["status", "--porcelain"]).map(drop)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    let output =
        Command::new("git").args(arguments).current_dir(folder).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

fn path_of(number: usize, per_folder: usize) -> String {
    let folder = number / per_folder;
    format!("part{:02}/module{:03}/file{:02}.rs", folder / 50, folder % 50, number % per_folder)
}

/// Made-up code from a fixed seed (xorshift).
struct Text {
    state: u64,
}

const WORDS: &[&str] = &[
    "account",
    "buffer",
    "cursor",
    "digest",
    "engine",
    "filter",
    "garden",
    "handle",
    "index",
    "journal",
    "kernel",
    "ledger",
    "margin",
    "number",
    "offset",
    "packet",
    "queue",
    "record",
    "stream",
    "token",
    "update",
    "vector",
    "window",
    "yield_point",
    "zone",
];

impl Text {
    fn seeded() -> Self {
        Self { state: 0x9E37_79B9_7F4A_7C15 }
    }

    fn next(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % below
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.next(WORDS.len())]
    }

    /// About 5 kB in functions of a few lines.
    fn file(&mut self, rare: bool) -> String {
        let mut text = String::from("//! Made up.\n\n");
        if rare {
            let _ = writeln!(text, "const {}: u32 = 7;\n", RARE_WORD.to_uppercase());
            let _ = writeln!(text, "// {RARE_WORD}\n");
        }
        for function in 0..30 {
            let (a, b, c) = (self.word(), self.word(), self.word());
            let number = self.next(100_000);
            let _ = writeln!(text, "/// Joins {a} and {b} under the {c}.");
            let _ = writeln!(text, "pub fn {a}_{b}_{function}({c}: usize) -> usize {{");
            let _ = writeln!(text, "    let {a} = {c}.wrapping_mul({number});");
            let _ = writeln!(text, "    {COMMON_WORD} {a} + {function};\n}}\n");
        }
        text
    }
}

//! Real projects for tests: copies of sources that cargo has fetched anyway, made into git repositories.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace::Metadata;
use crate::{cache, command};

/// What the copy's `AGENTS.md` says; the acceptance tests look for it.
const INSTRUCTIONS: &str = "# For agents\n\nKeep the walker free of allocation in its inner loop.\n";

/// A fresh copy of the `ignore` crate as a git repository with one commit, for the test called `name`.
pub(crate) fn fresh_copy(name: &str) -> Result<PathBuf> {
    let folder = cache::folder()?.join("projects").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    copy(&Metadata::read()?.sources_of("ignore")?, &folder)?;
    fs::write(folder.join("AGENTS.md"), INSTRUCTIONS)?;
    commit_all(&folder)?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

fn commit_all(folder: &Path) -> Result<()> {
    git(folder, &["init", "--quiet", "--initial-branch=main"])?;
    git(folder, &["add", "--all"])?;
    git(
        folder,
        &[
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.com",
            "commit",
            "--quiet",
            "--message=Start",
        ],
    )
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    command::run(Command::new("git").args(arguments).current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1"))
}

//! Temporary folders that serve as projects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// A folder that is removed when the value is dropped.
pub struct TempProject {
    folder: TempDir,
}

impl TempProject {
    /// An empty folder without git.
    pub fn plain() -> Result<Self> {
        Ok(Self { folder: tempfile::Builder::new().prefix("project-").tempdir()? })
    }

    /// An empty git repository without a commit.
    pub fn git() -> Result<Self> {
        let project = Self::plain()?;
        project.run_git(&["init", "--quiet", "--initial-branch=main"])?;
        Ok(project)
    }

    /// A git repository in which every file of the [`zoo`](crate::zoo()) is committed.
    pub fn zoo() -> Result<Self> {
        let project = Self::git()?;
        for file in crate::zoo() {
            project.write(file.path, &file.bytes)?;
        }
        project.commit("Add every kind of file")?;
        Ok(project)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and the folders it needs.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> Result<PathBuf> {
        let file = self.path().join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>> {
        fs::read(self.path().join(path)).with_context(|| format!("cannot read {path}"))
    }

    /// Commits everything there is and returns the commit's id.
    pub fn commit(&self, message: &str) -> Result<String> {
        self.run_git(&["add", "--all", "--force"])?;
        self.run_git(&["commit", "--quiet", "--allow-empty", "--message", message])?;
        Ok(self.run_git(&["rev-parse", "HEAD"])?.trim().to_owned())
    }

    /// Runs `git` in the folder, untouched by the user's configuration, and returns what it printed.
    pub fn run_git(&self, arguments: &[&str]) -> Result<String> {
        let output = Command::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
            .output()
            .context("the tests need the `git` program")?;
        let problem = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {}: {problem}", arguments.join(" "));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

//! Real repositories made by the git program, and the crate looking at them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use webcodex_contracts::tools::read_workspace_changes::{
    DiffDetail, FileChange, ReadWorkspaceChangesOutput, ReadWorkspaceChangesParams,
};
use webcodex_contracts::{ProjectId, ProjectPath};
use webcodex_git::{Git, GitError, Interrupt};
use webcodex_projects::{Project, ReadAccess};

/// A folder with a project in it, and a handle whose data lies elsewhere.
pub(crate) struct Scratch {
    _folder: tempfile::TempDir,
    pub(crate) data: tempfile::TempDir,
    pub(crate) git: Git,
    pub(crate) project: Arc<Project>,
}

impl Scratch {
    /// An empty folder without git.
    pub(crate) fn folder() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = tempfile::tempdir().unwrap();
        let git = Git::open(data.path()).unwrap();
        let project = Project::new(id(), "scratch", folder.path()).unwrap();
        Self { _folder: folder, data, git, project }
    }

    /// A repository without a commit.
    pub(crate) fn unborn() -> Self {
        Self::unborn_with(&[])
    }

    /// As [`Scratch::unborn`], with more arguments for `git init`.
    pub(crate) fn unborn_with(arguments: &[&str]) -> Self {
        let scratch = Self::folder();
        run_git(scratch.root(), &[&["init", "-q", "-b", "main"], arguments].concat());
        configure(scratch.root());
        scratch
    }

    /// A repository whose first commit holds `files`.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let scratch = Self::unborn();
        files.iter().for_each(|(path, content)| scratch.write(path, content));
        scratch.commit("first");
        scratch
    }

    /// The same project in the eyes of a handle that is opened anew.
    pub(crate) fn reopened(self) -> Self {
        Self { git: Git::open(self.data.path()).unwrap(), ..self }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.project.root
    }

    pub(crate) fn access(&self) -> ReadAccess {
        self.project.read_access()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).unwrap();
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        std::fs::create_dir_all(self.path(to).parent().unwrap()).unwrap();
        std::fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Runs the git program, which must succeed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        run_git(self.root(), arguments)
    }

    /// Runs the git program, which may fail, as a merge with conflicts does.
    pub(crate) fn try_git(&self, arguments: &[&str]) -> bool {
        git_command(self.root(), arguments).output().unwrap().status.success()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// The first page of changes.
    pub(crate) fn changes(&self, diff: DiffDetail) -> ReadWorkspaceChangesOutput {
        self.read(&params(diff)).unwrap()
    }

    pub(crate) fn read(
        &self,
        params: &ReadWorkspaceChangesParams,
    ) -> Result<ReadWorkspaceChangesOutput, GitError> {
        self.git.read_changes(&self.access(), params, &Interrupt::never())
    }

    /// The changed files of the first page with their lines.
    pub(crate) fn hunks(&self) -> Vec<FileChange> {
        self.changes(DiffDetail::Hunks).files
    }
}

pub(crate) fn id() -> ProjectId {
    ProjectId::parse("agent:test:scratch").unwrap()
}

pub(crate) fn params(diff: DiffDetail) -> ReadWorkspaceChangesParams {
    ReadWorkspaceChangesParams {
        project: id(),
        diff,
        paths: Vec::new(),
        base: None,
        target: None,
        cursor: None,
        session_id: None,
    }
}

pub(crate) fn paths(paths: &[&str]) -> Vec<ProjectPath> {
    paths.iter().map(|path| ProjectPath::parse(path).unwrap()).collect()
}

/// `M path`, `A path (untracked)`, `R old → new (staged)` and so on, one for each file.
pub(crate) fn lines(files: &[FileChange]) -> Vec<String> {
    let line = |file: &FileChange| {
        let letter = &serde_json::to_value(file.status).unwrap().as_str().unwrap()[..1].to_uppercase();
        let old = file.old_path.as_ref().map(|old| format!("{old} → ")).unwrap_or_default();
        let untracked = if file.untracked { " (untracked)" } else { "" };
        let staged = if file.staged { " (staged)" } else { "" };
        let note = file.note.as_ref().map(|note| format!(" [{note}]")).unwrap_or_default();
        format!("{letter} {old}{}{untracked}{staged}{note}", file.path)
    };
    files.iter().map(line).collect()
}

/// The text of all hunks of a file.
pub(crate) fn text(file: &FileChange) -> String {
    file.hunks.iter().map(|hunk| hunk.text.as_str()).collect()
}

pub(crate) fn run_git(folder: &Path, arguments: &[&str]) -> String {
    let output = git_command(folder, arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn git_command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_EDITOR", "true").env("LC_ALL", "C");
    command
}

/// Settings that must not depend on whoever runs the tests.
pub(crate) fn configure(folder: &Path) {
    let settings = [
        ("user.name", "Ada Lovelace"),
        ("user.email", "ada@example.org"),
        ("commit.gpgSign", "false"),
        ("core.autocrlf", "false"),
        ("core.excludesFile", ""),
        ("core.fsmonitor", "false"),
        ("gc.auto", "0"),
        ("protocol.file.allow", "always"),
        ("diff.noprefix", "false"),
    ];
    for (name, value) in settings {
        run_git(folder, &["config", name, value]);
    }
}

/// Every file below a folder with its bytes and its time, to see that nothing was touched.
pub(crate) fn photograph(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut seen = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        seen.insert(folder.clone(), (Vec::new(), std::fs::metadata(&folder).unwrap().modified().unwrap()));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.symlink_metadata().unwrap() {
                metadata if metadata.is_dir() => folders.push(path),
                metadata if metadata.is_file() => {
                    let content = std::fs::read(&path).unwrap();
                    seen.insert(path, (content, metadata.modified().unwrap()));
                }
                _ => {}
            }
        }
    }
    seen
}

//! A real project in a temporary folder, read and edited as the Runner does it.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use webcodex_contracts::ProjectId;
use webcodex_contracts::tools::edit_project_files::Change;
use webcodex_contracts::tools::read_files::ReadItem;
use webcodex_files::{CommitError, EditError, EditProblem, FileChange, Files, ReadError, ReadPart};
use webcodex_projects::Project;

pub(crate) struct Workspace {
    folder: tempfile::TempDir,
    pub(crate) project: Arc<Project>,
    pub(crate) files: Files,
}

#[derive(Debug)]
pub(crate) enum Refused {
    Plan(EditError),
    Commit(CommitError),
}

impl Refused {
    /// The problem that was found while planning.
    pub(crate) fn problem(self) -> EditProblem {
        match self {
            Refused::Plan(error) => error.problem,
            Refused::Commit(error) => panic!("failed only while writing: {error}"),
        }
    }

    /// What a caller reads.
    pub(crate) fn message(&self) -> String {
        match self {
            Refused::Plan(error) => error.to_string(),
            Refused::Commit(error) => error.to_string(),
        }
    }
}

impl Workspace {
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir(&root).unwrap();
        let project = Project::new(ProjectId::parse("agent:test:demo").unwrap(), "demo", &root).unwrap();
        let workspace = Self { files: Files::open(&folder.path().join("data")).unwrap(), folder, project };
        for (path, bytes) in files {
            workspace.put(path, bytes);
        }
        workspace
    }

    /// A place outside the project.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.project.root.join(path)
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.at(path)).unwrap()
    }

    pub(crate) fn read(&self, item: Value) -> Result<ReadPart, ReadError> {
        let item: ReadItem = serde_json::from_value(item).unwrap();
        self.files.read(&self.project.read_access(), &[item]).remove(0)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        self.read(json!({"path": path})).unwrap().text
    }

    /// Edits with the guards that the changes carry.
    pub(crate) fn edit_as_sent(&self, changes: Value) -> Result<Vec<FileChange>, Refused> {
        let changes: Vec<Change> = serde_json::from_value(changes).unwrap();
        let mut access = self.project.write_access_blocking().unwrap();
        let plan = self.files.plan_edits(&access, &changes).map_err(Refused::Plan)?;
        self.files.commit(plan, &mut access).map_err(Refused::Commit)
    }

    /// Edits after reading every existing file as a caller would.
    pub(crate) fn edit(&self, mut changes: Value) -> Result<Vec<FileChange>, Refused> {
        for change in changes.as_array_mut().unwrap() {
            let mut item = json!({"path": change["path"]});
            if let Some(encoding) = change.get("encoding") {
                item["encoding"] = encoding.clone();
            }
            let revision = match self.read(item) {
                Ok(part) => Some(part.revision),
                Err(ReadError::Binary { revision, .. }) => Some(revision),
                Err(_) => None,
            };
            if let (Some(revision), true) = (revision, change["kind"] != "create") {
                change["expected_read_revision"] = json!(revision);
            }
        }
        self.edit_as_sent(changes)
    }

    /// Replaces one text in one file.
    pub(crate) fn replace(&self, path: &str, old: &str, new: &str) -> Result<Vec<FileChange>, Refused> {
        self.edit(json!([{"kind": "replace_exact", "path": path, "old_text": old, "new_text": new}]))
    }

    /// Names in the project's folder, our own temporary ones included.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.project.root).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

mod failures;
mod matching;
mod oracle;
mod pages;
mod scope;
mod text;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use webcodex_contracts::ProjectId;
use webcodex_contracts::tools::search_project_texts::SearchQuery;
use webcodex_projects::Project;

use super::{Deadline, Found, SearchError, Searcher};
use crate::Files;

/// A literal query with all defaults.
pub(super) fn query(pattern: &str) -> SearchQuery {
    serde_json::from_value(json!({ "pattern": pattern })).unwrap()
}

/// A project of real files.
struct Tree {
    folder: tempfile::TempDir,
    /// Holds what [`Files`] keeps.
    _data: tempfile::TempDir,
    project: Arc<Project>,
    searcher: Searcher,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", folder.path()).unwrap();
        let data = tempfile::tempdir().unwrap();
        let searcher = Searcher::new(&Files::open(data.path()).unwrap());
        let tree = Self { folder, _data: data, project, searcher };
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn search_within(&self, queries: Value, time: Duration) -> Vec<Result<Found, SearchError>> {
        let queries = serde_json::from_value(queries).unwrap();
        self.searcher.search(&self.project.read_access(), &queries, &Deadline::within(time))
    }

    fn search(&self, queries: Value) -> Vec<Result<Found, SearchError>> {
        self.search_within(queries, Duration::from_secs(60))
    }

    fn one(&self, query: Value) -> Found {
        self.search(json!([query])).remove(0).unwrap()
    }

    fn error(&self, query: Value) -> SearchError {
        self.search(json!([query])).remove(0).unwrap_err()
    }

    /// The files in which `x` is found, with more fields for the query.
    fn files_with_x(&self, more: Value) -> Vec<String> {
        let mut query = json!({"pattern": "x", "output": "files"});
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.one(query).files.iter().map(|file| file.path.to_string()).collect()
    }
}

/// `path:line:column:text` of each match.
fn places(found: &Found) -> Vec<String> {
    found.matches.iter().map(|m| format!("{}:{}:{}:{}", m.path, m.line, m.column, m.text)).collect()
}

//! The registered projects: one small file that Runner and command line share.

mod document;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use fs4::FileExt;
use parking_lot::Mutex;
use webcodex_contracts::{ClientId, ProjectId};

use crate::{FolderError, FolderRules, Project, Terms, TermsChange};
use document::{Document, Entry};

/// The registered projects of one Runner, kept in `projects.toml`.
///
/// Another process may change the file; every look notices.
#[derive(Debug)]
pub struct Registry {
    file: PathBuf,
    client: ClientId,
    rules: FolderRules,
    /// What new projects begin with.
    beginning: Mutex<Terms>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    stamp: Option<Stamp>,
    projects: Vec<Arc<Project>>,
}

/// Tells whether the file is the one that was read last.
type Stamp = (SystemTime, u64);

/// What became of a registration.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The project.
    pub project: Arc<Project>,
    /// Whether the folder had been registered before.
    pub already: bool,
}

/// Why the registry could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The folder may not be a project.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No project has this id or name.
    #[error("no project is called `{0}`")]
    Unknown(String),
    /// The file is damaged.
    #[error("the list of projects `{}` cannot be read: {reason}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file could not be read or written.
    #[error("the list of projects `{}` cannot be used: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Registry {
    /// The registry kept in `file`, which need not exist yet.
    pub fn open(file: PathBuf, client: ClientId, rules: FolderRules) -> Self {
        Self { file, client, rules, beginning: Mutex::default(), state: Mutex::default() }
    }

    /// The Runner whose projects these are.
    pub fn client(&self) -> &ClientId {
        &self.client
    }

    /// The folders that projects have to lie in; anywhere where there are none.
    pub fn allowed_roots(&self) -> &[PathBuf] {
        &self.rules.allowed_roots
    }

    /// Sets the terms that folders begin with which are registered from now on.
    pub fn begin_with(&self, terms: Terms) {
        *self.beginning.lock() = terms;
    }

    /// All projects, by name.
    pub fn list(&self) -> Result<Vec<Arc<Project>>, RegistryError> {
        let mut state = self.state.lock();
        self.refresh(&mut state)?;
        Ok(state.projects.clone())
    }

    /// The project with this id.
    pub fn find(&self, id: &ProjectId) -> Result<Arc<Project>, RegistryError> {
        let mut state = self.state.lock();
        self.refresh(&mut state)?;
        let found = state.projects.iter().find(|project| project.id == *id);
        found.cloned().ok_or_else(|| RegistryError::Unknown(id.to_string()))
    }

    /// Registers a folder; a folder that is registered already, in whatever spelling, stays what it is.
    ///
    /// It begins with the usual terms, or stricter ones that hold in a project in or around it; a worktree goes by the
    /// terms of its source.
    pub fn register(
        &self,
        path: &str,
        name: Option<&str>,
        worktree_of: Option<&ProjectId>,
    ) -> Result<Registered, RegistryError> {
        let root = self.rules.check(path)?;
        self.change(|document| {
            if let Some(entry) = document.project.iter().find(|entry| same_folder(&entry.path, &root)) {
                return Ok((entry.slug.clone(), true));
            }
            let folder_name = root.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.map(str::to_owned).or(folder_name).unwrap_or_else(|| "project".to_owned());
            let taken: BTreeSet<&str> = document.project.iter().map(|entry| entry.slug.as_str()).collect();
            let slug = free_slug(&name, &taken);
            let mut entry = Entry::new(&slug, &name, &root, worktree_of);
            if worktree_of.is_none() {
                let around = document.terms_around(&self.client, &root);
                entry.begin_with(self.beginning.lock().strictest(around));
            }
            document.project.push(entry);
            Ok((slug, false))
        })
        .and_then(|(slug, already)| {
            let project = self.find(&self.id(&slug)?)?;
            Ok(Registered { project, already })
        })
    }

    /// Forgets a project, named by id, short name or folder. Its files are not touched. Worktrees of it keep the terms
    /// they had from it.
    pub fn remove(&self, which: &str) -> Result<Arc<Project>, RegistryError> {
        let project = self.named(which)?;
        self.change(|document| {
            for index in 0..document.project.len() {
                if document.project[index].worktree_of.as_deref() == Some(project.id.as_str()) {
                    let terms = document.terms(&self.client, index);
                    document.project[index].fix(terms);
                }
            }
            document.project.retain(|entry| self.id(&entry.slug).ok().as_ref() != Some(&project.id));
            Ok(())
        })?;
        Ok(project)
    }

    /// Changes the terms of a project, named by id, short name or folder. They hold from the next call on.
    pub fn set_terms(&self, which: &str, change: TermsChange) -> Result<Arc<Project>, RegistryError> {
        let id = self.named(which)?.id.clone();
        self.change(|document| {
            let found = document.position(&self.client, id.as_str());
            let entry = found.and_then(|index| document.project.get_mut(index));
            entry.ok_or_else(|| RegistryError::Unknown(which.to_owned()))?.set(change);
            Ok(())
        })?;
        self.find(&id)
    }

    /// The project with this id, short name or folder.
    fn named(&self, which: &str) -> Result<Arc<Project>, RegistryError> {
        let is_meant = |project: &Arc<Project>| {
            let slug = project.id.as_str().rsplit(':').next();
            project.id.as_str() == which
                || slug == Some(which)
                || same_folder(&project.root, Path::new(which))
        };
        let found = self.list()?.into_iter().find(is_meant);
        found.ok_or_else(|| RegistryError::Unknown(which.to_owned()))
    }

    fn id(&self, slug: &str) -> Result<ProjectId, RegistryError> {
        ProjectId::new(&self.client, slug)
            .map_err(|error| RegistryError::Damaged { file: self.file.clone(), reason: error.to_string() })
    }

    fn io(&self, source: io::Error) -> RegistryError {
        RegistryError::Io { file: self.file.clone(), source }
    }

    fn refresh(&self, state: &mut State) -> Result<(), RegistryError> {
        let stamp = self.stamp()?;
        if stamp == state.stamp && stamp.is_some() {
            return Ok(());
        }
        let document = self.read()?;
        let mut projects = Vec::with_capacity(document.project.len());
        for (index, entry) in document.project.iter().enumerate() {
            let id = self.id(&entry.slug)?;
            let terms = document.terms(&self.client, index);
            let worktree_of = entry.worktree_of.as_deref().and_then(|id| ProjectId::parse(id).ok());
            let known = state.projects.iter().find(|known| known.id == id && known.root == entry.path);
            projects.push(match known {
                Some(known) if known.terms == terms => Arc::clone(known),
                // Other terms make another value, but there is one lock for all who write.
                Some(known) => Arc::new(known.under(terms)),
                None => Arc::new(Project::at(id, &entry.name, &entry.path, worktree_of).under(terms)),
            });
        }
        projects.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        *state = State { stamp, projects };
        Ok(())
    }

    fn stamp(&self) -> Result<Option<Stamp>, RegistryError> {
        match std::fs::metadata(&self.file) {
            Ok(metadata) => {
                let modified = metadata.modified().map_err(|error| self.io(error))?;
                Ok(Some((modified, metadata.len())))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.io(error)),
        }
    }

    fn read(&self) -> Result<Document, RegistryError> {
        let text = match std::fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Document::default()),
            Err(error) => return Err(self.io(error)),
        };
        toml_edit::de::from_str(&text)
            .map_err(|error| RegistryError::Damaged { file: self.file.clone(), reason: error.to_string() })
    }

    /// Reads, changes and replaces the file while no other process does.
    fn change<T>(
        &self,
        edit: impl FnOnce(&mut Document) -> Result<T, RegistryError>,
    ) -> Result<T, RegistryError> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| self.io(error))?;
        let lock = File::create(self.file.with_extension("lock")).map_err(|error| self.io(error))?;
        FileExt::lock(&lock).map_err(|error| self.io(error))?;
        let mut document = self.read()?;
        let result = edit(&mut document)?;
        let text = toml_edit::ser::to_string_pretty(&document)
            .map_err(|error| RegistryError::Damaged { file: self.file.clone(), reason: error.to_string() })?;
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(|error| self.io(error))?;
        new.write_all(text.as_bytes())
            .and_then(|()| new.as_file().sync_all())
            .map_err(|error| self.io(error))?;
        new.persist(&self.file).map_err(|error| self.io(error.error))?;
        // Two changes within one tick of the clock would leave the same stamp.
        self.state.lock().stamp = None;
        Ok(result)
    }
}

fn same_folder(a: &Path, b: &Path) -> bool {
    a == b || same_file::is_same_file(a, b).unwrap_or(false)
}

/// Letters, digits and dashes of `name`, made unique by a number.
fn free_slug(name: &str, taken: &BTreeSet<&str>) -> String {
    let mapped: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let trimmed = mapped.trim_matches(['-', '.']);
    let base: String = if trimmed.is_empty() { "project" } else { trimmed }.chars().take(60).collect();
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone()).chain(numbered).find(|slug| !taken.contains(slug.as_str())).unwrap_or(base)
}

#[cfg(test)]
mod tests;

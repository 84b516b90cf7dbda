//! A project and the tokens that allow work in it. Allowed and locked are one value.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};
use webcodex_contracts::{Permission, ProjectId, ProjectPath};

use crate::confine::{ConfineError, Confined, confine};
use crate::terms::{NotAllowed, Terms};

/// A registered folder.
#[derive(Debug)]
pub struct Project {
    /// The id that callers use.
    pub id: ProjectId,
    /// The name people see.
    pub name: String,
    /// The folder, with links resolved.
    pub root: PathBuf,
    /// The project whose worktree this is.
    pub worktree_of: Option<ProjectId>,
    /// What the person has set for it.
    pub terms: Terms,
    writing: Arc<Mutex<()>>,
}

impl Project {
    /// The project at `root`, which must exist.
    pub fn new(id: ProjectId, name: &str, root: &Path) -> std::io::Result<Arc<Self>> {
        Ok(Arc::new(Self::at(id, name, &dunce::canonicalize(root)?, None)))
    }

    pub(crate) fn at(id: ProjectId, name: &str, root: &Path, worktree_of: Option<ProjectId>) -> Self {
        let (name, root) = (name.to_owned(), root.to_path_buf());
        Self { id, name, root, worktree_of, terms: Terms::default(), writing: Arc::default() }
    }

    /// The same project under other terms; who writes in one of the two keeps the other waiting.
    #[must_use]
    pub fn under(&self, terms: Terms) -> Self {
        Self {
            id: self.id.clone(),
            name: self.name.clone(),
            root: self.root.clone(),
            worktree_of: self.worktree_of.clone(),
            terms,
            writing: Arc::clone(&self.writing),
        }
    }

    /// Permission to read.
    pub fn read_access(self: &Arc<Self>) -> ReadAccess {
        ReadAccess { project: Arc::clone(self) }
    }

    /// Permission to change files, held by one caller at a time; waits for the one before.
    pub async fn write_access(self: &Arc<Self>) -> Result<WriteAccess, NotAllowed> {
        self.require(Permission::Edit)?;
        let writing = Arc::clone(&self.writing).lock_owned().await;
        Ok(WriteAccess { read: self.read_access(), _writing: writing })
    }

    /// As [`Project::write_access`], for code outside an async runtime.
    pub fn write_access_blocking(self: &Arc<Self>) -> Result<WriteAccess, NotAllowed> {
        self.require(Permission::Edit)?;
        let writing = Arc::clone(&self.writing).blocking_lock_owned();
        Ok(WriteAccess { read: self.read_access(), _writing: writing })
    }

    /// Permission to start programs.
    pub fn run_access(self: &Arc<Self>) -> Result<RunAccess, NotAllowed> {
        self.require(Permission::EditRun)?;
        Ok(RunAccess { read: self.read_access() })
    }

    fn require(&self, needed: Permission) -> Result<(), NotAllowed> {
        if self.terms.permission >= needed {
            return Ok(());
        }
        Err(NotAllowed { project: self.name.clone(), allowed: self.terms.permission, needed })
    }
}

/// Permission to read one project.
#[derive(Debug, Clone)]
pub struct ReadAccess {
    project: Arc<Project>,
}

impl ReadAccess {
    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The project's folder, with links resolved.
    pub fn root(&self) -> &Path {
        &self.project.root
    }

    /// Where `path` really leads, if that is inside the project.
    pub fn confine(&self, path: &ProjectPath) -> Result<Confined, ConfineError> {
        confine(&self.project.root, path)
    }
}

/// Permission to change one project's files; no other holder exists at the same time.
#[derive(Debug)]
pub struct WriteAccess {
    read: ReadAccess,
    _writing: OwnedMutexGuard<()>,
}

impl WriteAccess {
    /// Where `path` really leads, if that is inside the project and not inside a git folder: what git keeps there
    /// (hooks, configuration) can run programs and is not project text.
    pub fn confine(&self, path: &ProjectPath) -> Result<Confined, ConfineError> {
        let confined = self.read.confine(path)?;
        let in_git = |path: &ProjectPath| path.parts().any(|part| part.eq_ignore_ascii_case(".git"));
        if in_git(path) || in_git(&confined.relative) {
            return Err(ConfineError::GitFolder { path: path.clone() });
        }
        Ok(confined)
    }
}

impl Deref for WriteAccess {
    type Target = ReadAccess;
    fn deref(&self) -> &ReadAccess {
        &self.read
    }
}

/// Permission to start programs in one project.
#[derive(Debug, Clone)]
pub struct RunAccess {
    read: ReadAccess,
}

impl Deref for RunAccess {
    type Target = ReadAccess;
    fn deref(&self) -> &ReadAccess {
        &self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_one_caller_writes_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", folder.path()).unwrap();
        let first = project.write_access().await.unwrap();
        let second = tokio::spawn({
            let project = Arc::clone(&project);
            async move { project.write_access().await }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished(), "the second waits");
        drop(first);
        second.await.unwrap().unwrap();
    }

    #[test]
    fn the_git_folder_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", folder.path()).unwrap();
        let write = project.write_access_blocking().unwrap();
        for path in [".git/hooks/pre-commit", "sub/.GIT/config"] {
            let error = write.confine(&ProjectPath::parse(path).unwrap()).unwrap_err();
            assert!(matches!(error, ConfineError::GitFolder { .. }), "{path}: {error}");
        }
        assert!(write.confine(&ProjectPath::parse(".gitignore").unwrap()).is_ok());
    }

    #[tokio::test]
    async fn what_is_not_allowed_gets_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", folder.path()).unwrap();
        for permission in Permission::ALL {
            let project = Arc::new(project.under(Terms { permission, ..Terms::default() }));
            assert_eq!(project.write_access().await.is_ok(), permission >= Permission::Edit, "{permission}");
            assert_eq!(project.run_access().is_ok(), permission == Permission::EditRun, "{permission}");
        }
        let read = Arc::new(project.under(Terms { permission: Permission::Read, ..Terms::default() }));
        let refused = read.write_access().await.unwrap_err();
        let sentence = "the person has set `b` to \"read only\", so nothing in it can be changed";
        assert_eq!(refused.to_string(), sentence);
    }

    #[tokio::test]
    async fn other_terms_share_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", folder.path()).unwrap();
        let other = Arc::new(project.under(Terms { ask_first: true, ..Terms::default() }));
        let held = project.write_access().await.unwrap();
        assert!(other.writing.try_lock().is_err());
        drop(held);
        assert!(other.writing.try_lock().is_ok());
    }
}

//! The handle that the Runner holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use webcodex_contracts::tools::read_workspace_changes::{
    ReadWorkspaceChangesOutput, ReadWorkspaceChangesParams,
};
use webcodex_projects::ReadAccess;

use crate::changes::{self, Kind};
use crate::repository::{Kept, Workspace};
use crate::summary::Summary;
use crate::{GitError, Interrupt};

/// Repositories remembered between calls.
const MAX_KEPT: usize = 8;

/// Reads changes and history of projects. Cheap to share; every method is synchronous.
pub struct Git {
    kept: Mutex<Vec<(PathBuf, Arc<Kept>)>>,
}

impl Git {
    /// Opens the store of earlier states in the Runner's data folder.
    pub fn open(data_dir: &Path) -> Result<Self, GitError> {
        let _ = data_dir;
        Ok(Self { kept: Mutex::default() })
    }

    /// Where the project stands: branch, commit and unfinished operation. Costs next to nothing.
    pub fn project_summary(&self, access: &ReadAccess) -> Result<Summary, GitError> {
        match self.repository(access)? {
            Some(kept) => Summary::of(&kept.repo()?),
            None => Ok(Summary::default()),
        }
    }

    /// How many files differ from HEAD or are new; `None` where counting takes longer than `time`.
    pub fn changed_count(&self, access: &ReadAccess, time: Duration) -> Result<Option<u64>, GitError> {
        let (workspace, kind) = self.workspace(access)?;
        match changes::count(&workspace, kind, &Interrupt::after(time)) {
            Ok(count) => Ok(Some(count)),
            Err(GitError::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// One page of what has changed in the project.
    pub fn read_changes(
        &self,
        access: &ReadAccess,
        params: &ReadWorkspaceChangesParams,
        interrupt: &Interrupt,
    ) -> Result<ReadWorkspaceChangesOutput, GitError> {
        let (workspace, kind) = self.workspace(access)?;
        changes::read(&workspace, kind, params, interrupt)
    }

    fn workspace(&self, access: &ReadAccess) -> Result<(Workspace, Kind), GitError> {
        match self.repository(access)? {
            Some(kept) => Ok((kept.workspace()?, Kind::Repository)),
            None => Err(GitError::NotARepository { wanted: "nothing" }),
        }
    }

    /// The repository of the project, opened anew only if something about it has changed.
    fn repository(&self, access: &ReadAccess) -> Result<Option<Arc<Kept>>, GitError> {
        let root = access.root();
        let known =
            self.kept.lock().iter().find(|(known, _)| known == root).map(|(_, kept)| Arc::clone(kept));
        if let Some(kept) = known.filter(|kept| kept.is_current()) {
            return Ok(Some(kept));
        }
        let found = Kept::find(root)?.map(Arc::new);
        let mut all = self.kept.lock();
        all.retain(|(known, _)| known != root);
        if let Some(kept) = &found {
            all.insert(0, (root.to_owned(), Arc::clone(kept)));
            all.truncate(MAX_KEPT);
        }
        Ok(found)
    }
}

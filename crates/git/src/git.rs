//! The handle that the Runner holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use webcodex_contracts::tools::read_git_history::{ReadGitHistoryOutput, ReadGitHistoryParams};
use webcodex_contracts::tools::read_workspace_changes::{
    ReadWorkspaceChangesOutput, ReadWorkspaceChangesParams,
};
use webcodex_projects::ReadAccess;

use crate::changes::{self, Kind};
use crate::repository::{Kept, Workspace};
use crate::snapshots::{Ground, Snapshots};
use crate::store::Store;
use crate::summary::Summary;
use crate::worktree::{self, WorktreeInfo};
use crate::{GitError, Interrupt, history};

/// Folder in the data folder for earlier states of folders without git.
const STORE: &str = "baselines";
/// Folder in the data folder for snapshots of sessions.
const SNAPSHOTS: &str = "snapshots";
/// Repositories remembered between calls.
const MAX_KEPT: usize = 8;

/// Reads changes and history of projects. Cheap to share; every method is synchronous.
pub struct Git {
    kept: Mutex<Vec<(PathBuf, Arc<Kept>)>>,
    store: Store,
    pub(crate) snapshots: Snapshots,
}

impl Git {
    /// Opens the store of earlier states in the Runner's data folder.
    pub fn open(data_dir: &Path) -> Result<Self, GitError> {
        let store = Store::open(data_dir.join(STORE));
        Ok(Self { kept: Mutex::default(), store, snapshots: Snapshots::open(data_dir.join(SNAPSHOTS)) })
    }

    /// Makes sure that changes of a folder without git can be told from now on: the first call takes the first look,
    /// which reads every file that is not ignored. A folder under git needs none. Call it before anything is changed.
    pub fn ensure_baseline(&self, access: &ReadAccess) -> Result<(), GitError> {
        let looked = match self.repository(access) {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => self.store.baseline(access.root()).map(drop),
            Err(error) => Err(error),
        };
        match looked {
            // Work is possible all the same; only reading changes says that it cannot.
            Err(GitError::TooManyFiles { .. } | GitError::Repository(_)) => Ok(()),
            looked => looked,
        }
    }

    /// Forgets what was kept of a project that is removed.
    pub fn forget(&self, root: &Path) {
        self.kept.lock().retain(|(known, _)| known != root);
        self.store.forget(root);
        self.snapshots.forget(root);
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
        match changes::count(&workspace, &kind, &Interrupt::after(time)) {
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
        changes::read(&workspace, &kind, params, interrupt)
    }

    /// One page of commits, newest first.
    pub fn read_history(
        &self,
        access: &ReadAccess,
        params: &ReadGitHistoryParams,
        interrupt: &Interrupt,
    ) -> Result<ReadGitHistoryOutput, GitError> {
        match self.repository(access)? {
            Some(kept) => history::read(kept.workspace()?, params, interrupt),
            None => Err(GitError::NotARepository { wanted: "it has no history" }),
        }
    }

    /// Makes a linked worktree of the project's HEAD at `destination`, on the new branch `branch`.
    ///
    /// All of it happens or nothing does. The parent of `destination` is made where it is missing.
    pub fn create_worktree(
        &self,
        source: &ReadAccess,
        destination: &Path,
        branch: &str,
    ) -> Result<WorktreeInfo, GitError> {
        match self.repository(source)? {
            Some(kept) => worktree::create(&kept.workspace()?, destination, branch),
            None => Err(GitError::NotARepository { wanted: "it cannot have a worktree" }),
        }
    }

    /// Removes the worktree that holds the project, unless it holds changes. Its branch goes too if it is one of ours
    /// and its commits are kept elsewhere.
    pub fn remove_worktree(&self, access: &ReadAccess) -> Result<(), GitError> {
        let Some(kept) = self.repository(access)? else {
            return Err(GitError::NotAWorktree { path: access.root().to_owned() });
        };
        let workspace = kept.workspace()?;
        self.kept.lock().retain(|(root, _)| root != access.root());
        drop(kept);
        worktree::remove(workspace)
    }

    fn workspace(&self, access: &ReadAccess) -> Result<(Workspace, Kind), GitError> {
        match self.repository(access)? {
            Some(kept) => Ok((kept.workspace()?, Kind::Repository)),
            None => {
                let baseline = self.store.baseline(access.root())?;
                Ok((baseline.kept.workspace()?, Kind::Baseline(baseline.about.clone())))
            }
        }
    }

    /// What a snapshot is taken of.
    pub(crate) fn ground(&self, access: &ReadAccess) -> Result<Ground, GitError> {
        if let Some(kept) = self.repository(access)? {
            return Ok(Ground { workspace: kept.workspace()?, kind: Kind::Repository, first_look: None });
        }
        let baseline = self.store.baseline(access.root())?;
        let first_look = Some(baseline.tree()?);
        Ok(Ground {
            workspace: baseline.kept.workspace()?,
            kind: Kind::Baseline(baseline.about.clone()),
            first_look,
        })
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

//! Carrying plans out, all or nothing.
//!
//! **Invariant.** Whatever happens, a failure, a full disk or a kill between any two acts, every file of a request has
//! either its old or its new content in the end, all of them the same, and nothing of ours stays beside them.
//!
//! An edited file is a new file under the old name. It takes over permission bits and, where the system allows, the
//! owner; of several hard links only the edited name gets the new content.

mod carry_out;
mod disk;
mod error;
mod journal;
mod recover;
mod step;

use webcodex_contracts::tools::edit_project_files::FileAction;
use webcodex_contracts::{ProjectPath, ReadRevision};
use webcodex_projects::{ReadAccess, WriteAccess};

use crate::edit::{Plan, Report};
use crate::{ContentHash, Files};

use disk::{Disk, Observer, Unobserved};
pub use error::{CommitError, Restored};
pub(crate) use journal::Journal;

/// What became, or would become, of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    /// Path in the project, after the edit.
    pub path: ProjectPath,
    /// What happened.
    pub action: FileAction,
    /// Path before a rename.
    pub old_path: Option<ProjectPath>,
    /// Revision of the new content; none for a deleted file and for a plan that was not carried out.
    pub revision: Option<ReadRevision>,
    /// Hash of the new content; none for a deleted file.
    pub hash: Option<ContentHash>,
    /// Places replaced or inserted at.
    pub places: Option<u64>,
    /// Line of the new content with the first change.
    pub first_changed_line: Option<u64>,
    /// Lines added.
    pub added_lines: u64,
    /// Lines removed.
    pub removed_lines: u64,
}

impl Files {
    /// Carries a plan out. The access proves that no other caller changes the project meanwhile; that no other program
    /// did is checked by content right before.
    pub fn commit(&self, plan: Plan, access: &mut WriteAccess) -> Result<Vec<FileChange>, CommitError> {
        self.commit_observed(plan, access, &Unobserved)
    }

    fn commit_observed(
        &self,
        plan: Plan,
        access: &mut WriteAccess,
        observer: &dyn Observer,
    ) -> Result<Vec<FileChange>, CommitError> {
        carry_out::carry_out(self.journal(), Disk::new(observer), access.root(), &plan)?;
        Ok(plan.files.into_iter().map(|file| self.change(access, file.report)).collect())
    }

    fn change(&self, access: &ReadAccess, report: Report) -> FileChange {
        let revision = report.content.map(|(hash, seen)| self.revision(access, &report.path, &hash, seen));
        FileChange { revision, ..FileChange::planned(report) }
    }
}

impl Plan {
    /// What carrying the plan out would do.
    pub fn into_changes(self) -> Vec<FileChange> {
        self.files.into_iter().map(|file| FileChange::planned(file.report)).collect()
    }
}

impl FileChange {
    fn planned(report: Report) -> Self {
        Self {
            path: report.path,
            action: report.action,
            old_path: report.old_path,
            revision: None,
            hash: report.content.map(|(hash, _)| hash),
            places: report.places,
            first_changed_line: report.first_changed_line,
            added_lines: report.added_lines,
            removed_lines: report.removed_lines,
        }
    }
}

#[cfg(test)]
mod tests;

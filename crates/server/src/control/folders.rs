//! The registered folders as the Runner described them last, and its jobs.

use std::sync::Arc;

use parking_lot::Mutex;
use webcodex_contracts::control::Project;
use webcodex_contracts::{Permission, ProjectId};
use webcodex_link::control::RunnerJob;

use super::view::short_name;

/// See the module. Cheap to clone, and then does not change any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folders {
    pub(super) projects: Arc<Vec<Project>>,
    pub(super) jobs: Arc<Vec<RunnerJob>>,
    /// Whether a Runner has been asked for them and has answered.
    pub(super) listed: bool,
}

/// The place where the newest ones are.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<Folders>);

impl Shelf {
    /// What is known now.
    pub(crate) fn read(&self) -> Folders {
        self.0.lock().clone()
    }

    pub(super) fn set_projects(&self, projects: Vec<Project>) {
        self.0.lock().projects = Arc::new(projects);
    }

    pub(super) fn set_listed(&self) {
        self.0.lock().listed = true;
    }

    pub(super) fn set_jobs(&self, jobs: Vec<RunnerJob>) {
        self.0.lock().jobs = Arc::new(jobs);
    }
}

impl Folders {
    fn find(&self, project: &ProjectId) -> Option<&Project> {
        self.projects.iter().find(|known| known.id == *project)
    }

    /// The name people see.
    pub(super) fn name_of(&self, project: &ProjectId) -> String {
        self.find(project).map_or_else(|| short_name(project), |known| known.name.clone())
    }

    /// What callers may do in the project.
    pub(super) fn permission_of(&self, project: &ProjectId) -> Option<Permission> {
        self.find(project).map(|known| known.permission)
    }
}

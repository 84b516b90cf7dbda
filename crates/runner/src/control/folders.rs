//! Registered folders: listed, added, changed, forgotten. Files are never touched.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use webcodex_contracts::control::{
    Failure, FolderFacts, FolderRefusal, FolderResult, GitFacts, Project as Shown, ProjectChange,
};
use webcodex_contracts::{ProjectId, ToolError};
use webcodex_link::control::ControlReply;
use webcodex_projects::{FolderError, Project, Registered, RegistryError, TermsChange};

use super::place;
use crate::{Runner, error};

/// A folder has this long to say what it is.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

impl Runner {
    pub(super) fn describe_projects(&self, worked_in: &[ProjectId]) -> ControlReply {
        let projects = match self.projects.list() {
            Ok(projects) => projects,
            Err(error) => return ControlReply::failed(&error::projects::registry(&error)),
        };
        self.desk.facts.keep_only(&projects);
        let shown = projects.iter().map(|project| {
            let measured = self.desk.facts.of(project, &self.git, worked_in.contains(&project.id));
            let facts = beside(measured.facts(), &project.root, &projects);
            Shown {
                id: project.id.clone(),
                name: project.name.clone(),
                path: project.root.display().to_string(),
                permission: project.terms.permission,
                ask_first: project.terms.ask_first,
                facts,
                reachable: measured.reachable.unwrap_or(true),
                last_use: None,
                working: false,
            }
        });
        ControlReply::Projects(shown.collect())
    }

    pub(super) async fn add_project(&self, path: String) -> ControlReply {
        let path = path.trim().trim_matches('"').to_owned();
        let name = Path::new(&path)
            .file_name()
            .map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        let result = match self.try_add(path.clone()).await {
            Ok((project, facts)) => {
                self.desk.projects_changed();
                FolderResult::Added {
                    project: project.id.clone(),
                    name: project.name.clone(),
                    path: project.root.display().to_string(),
                    facts,
                }
            }
            Err(why) => FolderResult::Refused { name, path, why },
        };
        ControlReply::Folder(Box::new(result))
    }

    /// Looks first, where that may take long, and registers then: what is refused because it did not answer does not
    /// become a project later.
    async fn try_add(&self, path: String) -> Result<(Arc<Project>, FolderFacts), FolderRefusal> {
        let given = PathBuf::from(&path);
        let looked = tokio::task::spawn_blocking(move || look(&given));
        let linked_from = match tokio::time::timeout(ANSWER_WITHIN, looked).await {
            Ok(Ok(looked)) => looked,
            Ok(Err(panic)) => return Err(failed(&crate::blocking::internal(&panic.to_string()))),
            Err(_) => {
                let after_ms = u64::try_from(ANSWER_WITHIN.as_millis()).unwrap_or(u64::MAX);
                return Err(FolderRefusal::NoAnswer { after_ms });
            }
        };
        let Registered { project, already } =
            self.projects.register(&path, None, None).map_err(|error| self.refusal(&error))?;
        if already {
            return Err(FolderRefusal::Duplicate { project: project.name.clone() });
        }
        let all = self.projects.list().map_err(|error| self.refusal(&error))?;
        let summary = self.git.project_summary(&project.read_access()).unwrap_or_default();
        // Counting begins when the list is asked for next.
        let git = summary.git.then_some(GitFacts { branch: summary.at.branch, uncommitted: 0 });
        let facts =
            FolderFacts { git, place: place::of(&project.root), linked_from, ..FolderFacts::default() };
        Ok((Arc::clone(&project), beside(facts, &project.root, &all)))
    }

    fn refusal(&self, error: &RegistryError) -> FolderRefusal {
        let RegistryError::Folder(folder) = error else { return failed(&error::projects::registry(error)) };
        match folder {
            FolderError::Unreadable { source, .. } if source.kind() == ErrorKind::NotFound => {
                FolderRefusal::Missing
            }
            FolderError::Unreadable { source, .. } if source.kind() == ErrorKind::NotADirectory => {
                FolderRefusal::NotAFolder
            }
            FolderError::Unreadable { .. } => FolderRefusal::Unreadable,
            FolderError::NotAFolder(_) => FolderRefusal::NotAFolder,
            FolderError::Home(_) => FolderRefusal::Home,
            FolderError::System(_) | FolderError::Own(_) => FolderRefusal::System,
            FolderError::OutsideRoots { .. } => {
                let allowed = self.projects.allowed_roots();
                FolderRefusal::OutsideAllowed {
                    allowed: allowed.iter().map(|root| root.display().to_string()).collect(),
                }
            }
            FolderError::NotAbsolute(_) | FolderError::NotUnicode(_) => {
                failed(&error::projects::registry(error))
            }
        }
    }

    pub(super) fn change_project(&self, project: &ProjectId, change: ProjectChange) -> ControlReply {
        let ProjectChange { permission, ask_first } = change;
        match self.projects.set_terms(project.as_str(), TermsChange { permission, ask_first }) {
            Ok(_) => {
                self.desk.projects_changed();
                ControlReply::Done
            }
            Err(error) => ControlReply::failed(&error::projects::registry(&error)),
        }
    }

    pub(super) async fn remove_project(&self, project: &ProjectId) -> ControlReply {
        let removed = match self.projects.remove(project.as_str()) {
            Ok(removed) => removed,
            Err(error) => return ControlReply::failed(&error::projects::registry(&error)),
        };
        self.desk.projects_changed();
        let git = Arc::clone(&self.git);
        // What was kept of the folder goes; if that fails, it is only room on the disk.
        let forgotten = tokio::task::spawn_blocking(move || git.forget(&removed.root));
        if forgotten.await.is_err() {
            tracing::warn!("what was kept of a removed project could not be forgotten");
        }
        ControlReply::Done
    }
}

/// Touches the folder once, so that one which does not answer is found out, and tells whether a link leads to it.
fn look(given: &Path) -> Option<String> {
    let real = dunce::canonicalize(given).ok()?;
    // Whoever cannot be read is refused by name later.
    let _ = std::fs::read_dir(&real);
    let plain: PathBuf = given.components().collect();
    let same = real == plain || given.components().any(|part| part.as_os_str() == "..");
    (!same).then(|| given.display().to_string())
}

/// Adds how the folder lies to registered ones.
fn beside(mut facts: FolderFacts, root: &Path, projects: &[Arc<Project>]) -> FolderFacts {
    let around = projects.iter().filter(|other| other.root != root && root.starts_with(&other.root));
    facts.inside = around.max_by_key(|other| other.root.as_os_str().len()).map(|other| other.name.clone());
    let within = projects.iter().filter(|other| other.root != root && other.root.starts_with(root));
    facts.contains = within.map(|other| other.name.clone()).collect();
    facts
}

fn failed(error: &ToolError) -> FolderRefusal {
    FolderRefusal::Failed { error: Failure::from(error) }
}

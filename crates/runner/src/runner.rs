//! The Runner and what it holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::{ClientId, ErrorCode, ProjectId, ToolError};
use webcodex_files::search::Searcher;
use webcodex_files::{Files, FilesError};
use webcodex_git::{Git, GitError};
use webcodex_link::{Hello, PROTOCOL_GENERATION};
use webcodex_process::{Jobs, JobsConfig, JobsError, PathSource};
use webcodex_projects::{FolderRules, Project, Registry};

use crate::control::Desk;
use crate::error;

/// What a Runner needs to know at its start.
#[derive(Debug, Clone)]
pub struct RunnerConfig {
    /// Where projects, jobs, journals and baselines are kept; one Runner at a time uses it.
    pub data_dir: PathBuf,
    /// The Runner's id.
    pub client: ClientId,
    /// Its version, told to the Server.
    pub version: String,
    /// Which folders may be projects.
    pub rules: FolderRules,
    /// Where the search path of commands comes from.
    pub path_source: PathSource,
    /// The user's region, as `cn`; decides between guesses at the encoding of a file that are equally good.
    pub region: Option<String>,
}

/// Does the calls of one Server on the registered projects.
pub struct Runner {
    pub(crate) projects: Registry,
    pub(crate) files: Files,
    pub(crate) searcher: Searcher,
    pub(crate) git: Arc<Git>,
    pub(crate) jobs: Jobs,
    pub(crate) worktrees: PathBuf,
    pub(crate) desk: Desk,
    client: ClientId,
    version: String,
}

/// Why a Runner could not start.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// Files could not be set up, or an edit that was cut off could not be finished.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The store of baselines could not be opened.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The records of jobs could not be opened.
    #[error(transparent)]
    Jobs(#[from] JobsError),
}

impl Runner {
    /// The list of projects, shared with the command line.
    pub const PROJECTS_FILE: &str = "projects.toml";
    /// Folder in the data folder where managed worktrees live.
    pub const WORKTREES: &str = "worktrees";

    /// Opens the Runner's data: finishes what an earlier Runner left half done and finds its jobs again.
    pub fn open(config: RunnerConfig) -> Result<Arc<Self>, RunnerError> {
        let RunnerConfig { data_dir, client, version, rules, path_source, region } = config;
        let jobs = JobsConfig { path_source, ..JobsConfig::new(&data_dir, client.routing_tag()) };
        let files = Files::open(&data_dir)?.with_region(region.as_deref());
        let jobs = Jobs::open(jobs)?;
        Ok(Arc::new(Self {
            desk: Desk::new(&jobs),
            searcher: Searcher::new(&files),
            files,
            git: Arc::new(Git::open(&data_dir)?),
            jobs,
            worktrees: data_dir.join(Self::WORKTREES),
            projects: Registry::open(data_dir.join(Self::PROJECTS_FILE), client.clone(), rules),
            client,
            version,
        }))
    }

    /// The registered projects.
    pub fn projects(&self) -> &Registry {
        &self.projects
    }

    /// How this Runner introduces itself.
    pub fn hello(&self) -> Hello {
        Hello {
            generation: PROTOCOL_GENERATION,
            client_id: self.client.clone(),
            version: self.version.clone(),
            capabilities: Vec::new(),
            pid: std::process::id(),
        }
    }

    /// Lets go of what a Runner with this data folder kept of a project that was removed. Its files stay.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn forget(data_dir: &Path, project: &Project) -> Result<(), RunnerError> {
        Git::open(data_dir)?.forget(&project.root);
        Ok(())
    }

    /// Ends every ordinary command with all it started.
    pub async fn shutdown(&self) {
        self.jobs.shutdown().await;
    }

    /// Ends every command, the detached ones too: for a Runner whose records go with it, so that nobody could find
    /// them again.
    pub async fn end_everything(&self) {
        for project in self.projects.list().unwrap_or_default() {
            for id in self.jobs.running_in(&project.id) {
                if let Ok(job) = self.jobs.find(&id) {
                    job.stop().await;
                }
            }
        }
        self.shutdown().await;
    }

    /// The project with this id, if the caller may see it. Does not touch its folder, which may not answer.
    pub(crate) fn project(&self, call: &CallContext, id: &ProjectId) -> Result<Arc<Project>, ToolError> {
        if !call.grant.allows(id) {
            return Err(unknown_project(id));
        }
        self.projects.find(id).map_err(|error| error::projects::registry(&error))
    }
}

/// The error for a project that does not exist or is not visible; the two are not told apart.
pub(crate) fn unknown_project(id: &ProjectId) -> ToolError {
    ToolError::new(ErrorCode::ProjectNotFound, format!("there is no project `{id}` that you may use"))
        .field("project")
        .hint("Use a `project` from work_on_project or list_projects.")
        .changed(false)
}

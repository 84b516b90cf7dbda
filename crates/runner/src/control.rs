//! What the desktop app asks of this Runner: folders with their facts, jobs with their output, and settings.
//!
//! No request waits for a file system: what has to be looked at on disk is looked at on other threads, with deadlines,
//! and what is known so far is the answer.

mod facts;
mod folders;
mod jobs;
mod place;

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::RwLock;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_link::control::{ControlReply, ControlRequest, RunnerNews, RunnerSettings};
use webcodex_process::Jobs;
use webcodex_projects::Terms;

use crate::Runner;
use facts::Facts;

/// What is kept for the desktop app.
pub(crate) struct Desk {
    facts: Facts,
    news: Arc<watch::Sender<RunnerNews>>,
    /// Where models may register folders by themselves; nothing: wherever a person may.
    model_roots: RwLock<Option<Vec<PathBuf>>>,
}

impl Desk {
    /// Nothing is known yet. Call it inside a tokio runtime.
    pub(crate) fn new(jobs: &Jobs) -> Self {
        let news = Arc::new(watch::Sender::new(RunnerNews::default()));
        tokio::spawn(pass_on(jobs.changes(), Arc::clone(&news)));
        Self { facts: Facts::new(Arc::clone(&news)), news, model_roots: RwLock::default() }
    }

    /// The list of folders has changed.
    fn projects_changed(&self) {
        self.news.send_modify(|news| news.projects += 1);
    }

    /// Whether a model may register `folder` by itself.
    pub(crate) fn models_may_register(&self, folder: &str) -> Result<(), ToolError> {
        let roots = self.model_roots.read();
        let Some(roots) = &*roots else { return Ok(()) };
        let real = dunce::canonicalize(folder).unwrap_or_else(|_| PathBuf::from(folder));
        let within =
            |root: &PathBuf| real.starts_with(dunce::canonicalize(root).unwrap_or_else(|_| root.clone()));
        if roots.iter().any(within) {
            return Ok(());
        }
        let error = match roots.as_slice() {
            [] => ToolError::new(
                ErrorCode::FolderRefused,
                format!(
                    "`{folder}` is no project yet, and only the person at the computer adds folders here"
                ),
            ),
            roots => {
                let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
                let message = format!(
                    "`{folder}` is not in a folder in which you may add projects: {}",
                    roots.join(", ")
                );
                ToolError::new(ErrorCode::FolderRefused, message)
            }
        };
        Err(error
            .field("path")
            .hint("Ask the person to add the folder in WebCodex under Projects.")
            .changed(false))
    }
}

/// News of jobs are news of the Runner.
async fn pass_on(mut jobs: watch::Receiver<u64>, news: Arc<watch::Sender<RunnerNews>>) {
    while jobs.changed().await.is_ok() {
        news.send_modify(|news| news.jobs += 1);
    }
}

impl Runner {
    /// Tells what the desktop app wants to know without asking.
    pub(crate) fn desk_news(&self) -> watch::Receiver<RunnerNews> {
        self.desk.news.subscribe()
    }

    /// Answers one request.
    pub(crate) async fn answer(&self, request: ControlRequest, unwanted: CancellationToken) -> ControlReply {
        match request {
            ControlRequest::Projects { worked_in } => self.describe_projects(&worked_in),
            ControlRequest::AddProject { path } => self.add_project(path).await,
            ControlRequest::ChangeProject { project, change } => self.change_project(&project, change),
            ControlRequest::RemoveProject { project } => self.remove_project(&project).await,
            ControlRequest::Jobs => self.describe_jobs(),
            ControlRequest::JobOutput { job, seen, wait_ms } => {
                tokio::select! {
                    reply = self.job_output(&job, seen, wait_ms) => reply,
                    () = unwanted.cancelled() => ControlReply::Done,
                }
            }
            ControlRequest::StopJob { job } => self.stop_job_of(&job),
            ControlRequest::Settings(settings) => self.take_settings(settings),
        }
    }

    fn take_settings(&self, settings: RunnerSettings) -> ControlReply {
        let RunnerSettings { allowed_roots, new_projects } = settings;
        *self.desk.model_roots.write() =
            allowed_roots.map(|roots| roots.into_iter().map(PathBuf::from).collect());
        self.projects.begin_with(Terms {
            permission: new_projects.permission,
            ask_first: new_projects.ask_first,
            ..Terms::default()
        });
        ControlReply::Done
    }
}

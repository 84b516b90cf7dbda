//! What the Server asks a Runner on behalf of the desktop app, and what a Runner tells by itself.
//!
//! These requests are no calls of clients: they carry no grant and leave no record. They are answered like calls, in
//! chunks, and end like them when the link does.

use std::pin::pin;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use webcodex_contracts::control::{
    Failure, FolderResult, JobState, NewProjects, OutputMessage, Project, ProjectChange,
};
use webcodex_contracts::{ErrorCode, JobId, ProjectId, SessionId, ToolError};

use crate::frame::Frame;
use crate::liveness::QUESTION_AFTER;
use crate::runners::{CallError, Expected, RunnerHandle};

/// A request of the desktop app.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ControlRequest {
    /// The registered folders. What is not known yet is measured meanwhile, and news tell when it is.
    Projects {
        /// Folders that were worked in: what can have changed is measured again.
        worked_in: Vec<ProjectId>,
    },
    /// Make this folder a project.
    AddProject {
        /// Its absolute path.
        path: String,
    },
    /// Change what callers may do in a project.
    ChangeProject {
        /// The project.
        project: ProjectId,
        /// What changes.
        change: ProjectChange,
    },
    /// Forget a project; its files stay.
    RemoveProject {
        /// The project.
        project: ProjectId,
    },
    /// The commands that run or ran as jobs.
    Jobs,
    /// Output of a job; waits for some if there is nothing new.
    JobOutput {
        /// The job.
        job: JobId,
        /// Where the answer before ended; nothing to start over.
        seen: Option<OutputMark>,
        /// Longest wait.
        wait_ms: u64,
    },
    /// End a job and all it started.
    StopJob {
        /// The job.
        job: JobId,
    },
    /// What holds from now on.
    Settings(RunnerSettings),
}

/// The settings that a Runner takes over from its Server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunnerSettings {
    /// Where models may register folders by themselves; nothing: wherever a person may.
    pub allowed_roots: Option<Vec<String>>,
    /// What new projects begin with.
    pub new_projects: NewProjects,
}

/// How much of each stream of a job was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OutputMark {
    /// Bytes of standard output and of standard error.
    pub streams: [u64; 2],
}

/// The answer to a [`ControlRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum ControlReply {
    /// The registered folders, by name. `last_use` and `working` are the Server's to fill.
    Projects(Vec<Project>),
    /// What became of a folder.
    Folder(Box<FolderResult>),
    /// The jobs, newest first.
    Jobs(Vec<RunnerJob>),
    /// Output of a job.
    Output(JobOutput),
    /// Done.
    Done,
    /// Not done.
    Failed(Failure),
}

/// A job as its Runner knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunnerJob {
    /// The job.
    pub id: JobId,
    /// Its project.
    pub project: ProjectId,
    /// Its session.
    pub session: Option<SessionId>,
    /// The command in one line, secrets and all.
    pub command: String,
    /// The folder it runs in.
    pub folder: String,
    /// When it started, in milliseconds since 1970.
    pub started_at: u64,
    /// When it ended.
    pub ended_at: Option<u64>,
    /// How long it may run; 0 for no limit.
    pub limit_ms: u64,
    /// Output so far, both streams.
    pub output_bytes: u64,
    /// When it last wrote something.
    pub last_line_at: Option<u64>,
    /// How it stands.
    pub state: JobState,
    /// The command's exit code.
    pub exit_code: Option<i64>,
}

/// Output of a job and where the next answer begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutput {
    /// What is new; nothing where nothing is.
    pub message: Option<OutputMessage>,
    /// Where it ends.
    pub mark: OutputMark,
    /// Whether nothing more will come.
    pub ended: bool,
}

/// How often something has changed, since the Runner began. Only differences mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunnerNews {
    /// The registered folders, or what is known of them.
    pub projects: u64,
    /// The jobs.
    pub jobs: u64,
}

impl ControlReply {
    /// A failure to be told.
    pub fn failed(error: &ToolError) -> Self {
        ControlReply::Failed(Failure::from(error))
    }

    /// This Runner does not know the request.
    pub(crate) fn unknown() -> Self {
        let message = "this Runner does not answer the desktop app";
        let error = ToolError::new(ErrorCode::RequiredCapabilityUnavailable, message);
        Self::failed(&error.hint("Update Server and Runner to the same version."))
    }
}

impl RunnerHandle {
    /// Asks the Runner. Dropping the future tells it that nobody waits any more.
    pub async fn control(&self, request: &ControlRequest) -> Result<ControlReply, CallError> {
        let connection = self.connection();
        let number = connection.numbers.fetch_add(1, Ordering::Relaxed);
        let (reply, mut replied) = oneshot::channel();
        let unanswered = self.expect(number, Expected::Reply(reply))?;
        let frame = Frame::Control { number, request: Box::new(request.clone()) };
        if connection.outbox.send(&frame).await.is_err() {
            return Err(CallError::Offline);
        }
        let mut silent = pin!(connection.heard.until_silent(&connection.outbox, QUESTION_AFTER));
        tokio::select! {
            biased;
            reply = &mut replied => {
                unanswered.answered();
                reply.unwrap_or(Err(CallError::Lost))
            }
            () = &mut silent => {
                connection.end(CallError::Unresponsive);
                Err(CallError::Unresponsive)
            }
        }
    }
}

//! From a call on the link to a tool and back.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::{CanonicalResult, ErrorCode, ProjectId, ToolError, ToolName, ToolResult};
use webcodex_link::control::{ControlReply, ControlRequest, RunnerNews};
use webcodex_link::{Call, CallHandler, Caller};

use crate::blocking::internal;
use crate::{Runner, error, tools};

/// A result on its way to the Server.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// What a tool returned, written down once and for all.
    Success {
        /// Always `true`.
        success: bool,
        /// The tool's data, an object.
        output: Box<RawValue>,
    },
    /// Why it did not work.
    Failure(Box<CanonicalResult>),
}

impl CallHandler for Runner {
    type Answer = Answer;

    async fn call(self: Arc<Self>, call: Call, caller: Caller) -> Answer {
        // A panic in one tool is this call's failure; the house stands.
        match AssertUnwindSafe(self.dispatch(&call, &caller)).catch_unwind().await {
            Ok(Answer::Failure(failure)) => {
                Answer::Failure(Box::new(self.explain(*failure, Place::of(&call)).await))
            }
            Ok(success) => success,
            Err(_) => Answer::from(internal(&format!("`{}` panicked", call.tool))),
        }
    }

    async fn control(self: Arc<Self>, request: ControlRequest, unwanted: CancellationToken) -> ControlReply {
        match AssertUnwindSafe(self.answer(request, unwanted)).catch_unwind().await {
            Ok(reply) => reply,
            Err(_) => ControlReply::failed(&internal("a request of the desktop app panicked")),
        }
    }

    fn news(&self) -> Option<watch::Receiver<RunnerNews>> {
        Some(self.desk_news())
    }
}

/// Where a call works, if it says so.
#[derive(Deserialize)]
struct Place {
    project: Option<ProjectId>,
}

impl Place {
    fn of(call: &Call) -> Option<Self> {
        serde_json::from_str(call.arguments.get()).ok()
    }
}

/// A folder that does not even say whether it is there within this time does not answer.
const LOOK_WITHIN: Duration = Duration::from_secs(2);

impl Runner {
    /// A folder that is gone explains every failure in it better than the tool's own words. Looked at only after a
    /// failure, and on a thread of its own: the folder may be on a drive that does not answer.
    async fn explain(&self, failure: CanonicalResult, place: Option<Place>) -> CanonicalResult {
        let project = place.and_then(|place| place.project).and_then(|id| self.projects.find(&id).ok());
        let Some(project) = project else { return failure };
        let root = project.root.clone();
        let looked = tokio::task::spawn_blocking(move || root.is_dir());
        match tokio::time::timeout(LOOK_WITHIN, looked).await {
            Ok(Ok(false)) => CanonicalResult::from(error::projects::vanished(&project)),
            _ => failure,
        }
    }
}

/// One line per tool with an effect here.
macro_rules! dispatch {
    (
        $runner:ident, $call:ident, $caller:ident,
        { $($name:ident => $module:ident,)+ }
        asking { $($asking:ident => $asks:ident,)+ }
    ) => {
        match $call.tool {
            $(ToolName::$name => match params($call) {
                Ok(params) => Answer::of(tools::$module::run($runner, &$call.context, params).await),
                Err(error) => Answer::from(error),
            },)+
            // These may have to ask the person first.
            $(ToolName::$asking => match params($call) {
                Ok(params) => Answer::of(tools::$asks::run($runner, &$call.context, params, $caller).await),
                Err(error) => Answer::from(error),
            },)+
            // Searching is the one read that is worth stopping when nobody waits any more.
            ToolName::SearchProjectTexts => match params($call) {
                Ok(params) => {
                    Answer::of(tools::search_project_texts::run($runner, &$call.context, params, $caller.unwanted().clone()).await)
                }
                Err(error) => Answer::from(error),
            },
            ToolName::GetRuntimeStatus
            | ToolName::ReadToolManifest
            | ToolName::CallRuntimeTool
            | ToolName::PresentWorkResult
            | ToolName::WorkResultThreadPanel => {
                Answer::from(internal(&format!("`{}` is a tool of the Server", $call.tool)))
            }
        }
    };
}

impl Runner {
    async fn dispatch(&self, call: &Call, caller: &Caller) -> Answer {
        dispatch!(self, call, caller, {
            ReadFiles => read_files,
            ReadWorkspaceChanges => read_workspace_changes,
            ObserveJobs => observe_jobs,
            WaitForJobReadiness => wait_for_job_readiness,
            ReadGitHistory => read_git_history,
            ListJobs => list_jobs,
            WaitForJobTerminal => wait_for_job_terminal,
            StopJob => stop_job,
            ListProjects => list_projects,
            RegisterProject => register_project,
            FinishCodingTask => finish_coding_task,
            WorkResultState => work_result_state,
            ChangesFileDiff => changes_file_diff,
            ChangesFileText => changes_file_text,
        } asking {
            WorkOnProject => work_on_project,
            EditProjectFiles => edit_project_files,
            RunProcess => run_process,
            RunShell => run_shell,
            RunScript => run_script,
            RunDetachedProcess => run_detached_process,
            RestoreChanges => restore_changes,
            ReviewDecision => review_decision,
        })
    }
}

/// The arguments, which the Server has checked and made canonical.
fn params<P: DeserializeOwned>(call: &Call) -> Result<P, ToolError> {
    serde_json::from_str(call.arguments.get()).map_err(|error| {
        ToolError::new(
            ErrorCode::RequiredCapabilityUnavailable,
            format!("this Runner does not understand the arguments of `{}`: {error}", call.tool),
        )
        .hint("Update Server and Runner to the same version.")
        .changed(false)
    })
}

impl Answer {
    fn of<T: Serialize>(result: ToolResult<T>) -> Self {
        match result.map(|output| to_raw_value(&output)) {
            Ok(Ok(output)) => {
                debug_assert!(output.get().starts_with('{'), "a tool's output is an object");
                Self::Success { success: true, output }
            }
            Ok(Err(error)) => {
                Self::from(internal(&format!("a result could not be written as JSON: {error}")))
            }
            Err(failure) => Self::Failure(Box::new(CanonicalResult::from(*failure))),
        }
    }
}

impl From<ToolError> for Answer {
    fn from(error: ToolError) -> Self {
        Self::Failure(Box::new(CanonicalResult::from(error)))
    }
}

//! From a call on the link to a tool and back.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::{CanonicalResult, ErrorCode, ToolError, ToolName, ToolResult};
use webcodex_link::{Call, CallHandler};

use crate::blocking::internal;
use crate::{Runner, tools};

impl CallHandler for Runner {
    async fn call(self: Arc<Self>, call: Call, unwanted: CancellationToken) -> CanonicalResult {
        let tool = call.tool;
        // A panic in one tool is this call's failure; the house stands.
        match AssertUnwindSafe(self.dispatch(call, unwanted)).catch_unwind().await {
            Ok(result) => result,
            Err(_) => CanonicalResult::from(internal(&format!("`{tool}` panicked"))),
        }
    }
}

/// One line per tool with an effect here.
macro_rules! dispatch {
    ($runner:ident, $call:ident, $unwanted:ident, { $($name:ident => $module:ident,)+ }) => {
        match $call.tool {
            $(ToolName::$name => match params(&$call) {
                Ok(params) => canonical(tools::$module::run($runner, &$call.context, params).await),
                Err(error) => CanonicalResult::from(error),
            },)+
            // Searching is the one read that is worth stopping when nobody waits any more.
            ToolName::SearchProjectTexts => match params(&$call) {
                Ok(params) => {
                    canonical(tools::search_project_texts::run($runner, &$call.context, params, $unwanted).await)
                }
                Err(error) => CanonicalResult::from(error),
            },
            ToolName::GetRuntimeStatus | ToolName::ReadToolManifest | ToolName::CallRuntimeTool => {
                CanonicalResult::from(internal(&format!("`{}` is a tool of the Server", $call.tool)))
            }
        }
    };
}

impl Runner {
    async fn dispatch(&self, call: Call, unwanted: CancellationToken) -> CanonicalResult {
        dispatch!(self, call, unwanted, {
            WorkOnProject => work_on_project,
            ReadFiles => read_files,
            EditProjectFiles => edit_project_files,
            RunProcess => run_process,
            RunShell => run_shell,
            ReadWorkspaceChanges => read_workspace_changes,
            ObserveJobs => observe_jobs,
            WaitForJobReadiness => wait_for_job_readiness,
            ReadGitHistory => read_git_history,
            RunScript => run_script,
            RunDetachedProcess => run_detached_process,
            ListJobs => list_jobs,
            WaitForJobTerminal => wait_for_job_terminal,
            StopJob => stop_job,
            ListProjects => list_projects,
            RegisterProject => register_project,
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

fn canonical<T: Serialize>(result: ToolResult<T>) -> CanonicalResult {
    CanonicalResult::from(result)
}

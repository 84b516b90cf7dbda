//! Reads the commits of a project.

use std::sync::Arc;

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::read_git_history::{ReadGitHistoryOutput, ReadGitHistoryParams};
use webcodex_git::Interrupt;

use crate::{Runner, error};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ReadGitHistoryParams,
) -> ToolResult<ReadGitHistoryOutput> {
    let access = runner.project(call, &params.project)?.read_access();
    let git = Arc::clone(&runner.git);
    // A little earlier than the call itself, so that what was found by then is answered.
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.9));
    runner
        .blocking(call, move || {
            git.read_history(&access, &params, &interrupt)
                .map_err(|error| error::git::to_tool_error(&error).into())
        })
        .await
}

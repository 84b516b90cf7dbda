//! Reads what has changed in a project.

use std::sync::Arc;

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::read_workspace_changes::{
    ReadWorkspaceChangesOutput, ReadWorkspaceChangesParams,
};
use webcodex_git::Interrupt;

use crate::{Runner, error};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ReadWorkspaceChangesParams,
) -> ToolResult<ReadWorkspaceChangesOutput> {
    let access = runner.project(call, &params.project)?.read_access();
    let git = Arc::clone(&runner.git);
    // A little earlier than the call itself, so that what was found by then is answered.
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.9));
    runner
        .blocking(call, move || {
            git.read_changes(&access, &params, &interrupt)
                .map_err(|error| error::git::to_tool_error(&error).into())
        })
        .await
}

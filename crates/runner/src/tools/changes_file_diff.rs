//! Shows changed lines of a file that a snapshot lists.

use std::sync::Arc;

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::changes_file_diff::{ChangesFileDiffOutput, ChangesFileParams};
use webcodex_git::Interrupt;

use crate::{Runner, error};

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ChangesFileParams,
) -> ToolResult<ChangesFileDiffOutput> {
    let access = runner.project(call, &params.project)?.read_access();
    let git = Arc::clone(&runner.git);
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.9));
    let work = move || {
        git.file_diff(&access, &params, &interrupt).map_err(|error| error::snapshots::to_failure(&error))
    };
    runner.blocking(call, work).await
}

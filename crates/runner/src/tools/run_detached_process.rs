//! Starts a program that goes on when the Runner ends.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::run_detached_process::RunDetachedProcessParams;
use webcodex_link::Caller;
use webcodex_process::Program;

use super::command::{self, Asked};
use crate::Runner;

/// Starts the program and returns its job at once.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunDetachedProcessParams,
    caller: &Caller,
) -> ToolResult<Execution> {
    let asked = Asked {
        project: params.project,
        program: Program::Executable { executable: params.executable, args: params.args },
        cwd: params.cwd,
        stdin: None,
        env: params.env,
        timeout_secs: None,
        session_id: params.session_id,
    };
    command::run_detached(runner, call, caller, asked).await
}

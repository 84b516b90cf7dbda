//! Runs a program with literal arguments.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::run_process::RunProcessParams;
use webcodex_link::Caller;
use webcodex_process::Program;

use super::command::{self, Asked};
use crate::Runner;

/// Starts the program and waits until it has ended or has become a job.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunProcessParams,
    caller: &Caller,
) -> ToolResult<Execution> {
    let asked = Asked {
        project: params.project,
        program: Program::Executable { executable: params.executable, args: params.args },
        cwd: params.cwd,
        stdin: params.stdin,
        env: params.env,
        timeout_secs: params.timeout_secs,
        session_id: params.session_id,
    };
    command::run(runner, call, caller, asked).await
}

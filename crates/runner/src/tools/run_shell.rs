//! Runs text in a shell.

use webcodex_contracts::ToolResult;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::run_shell::RunShellParams;
use webcodex_link::Caller;
use webcodex_process::Program;

use super::command::{self, Asked};
use crate::Runner;

/// Starts the shell and waits until it has ended or has become a job.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunShellParams,
    caller: &Caller,
) -> ToolResult<Execution> {
    let asked = Asked {
        project: params.project,
        program: Program::Shell { shell: params.shell, script: params.script },
        cwd: params.cwd,
        stdin: params.stdin,
        env: params.env,
        timeout_secs: params.timeout_secs,
        session_id: params.session_id,
    };
    command::run(runner, call, caller, asked).await
}

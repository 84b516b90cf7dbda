//! Runs text in a shell.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::run_shell::RunShellParams;
use webcodex_contracts::{ProjectPath, ToolResult};
use webcodex_process::{Command, Program};

use super::run_process::{run_command, timeout};
use crate::Runner;

/// Starts the shell and waits until it has ended or has become a job.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunShellParams,
) -> ToolResult<Execution> {
    let command = Command {
        program: Program::Shell { shell: params.shell, script: params.script },
        cwd: params.cwd.unwrap_or_else(ProjectPath::root),
        stdin: params.stdin,
        env: params.env,
        timeout: timeout(params.timeout_secs),
        session_id: params.session_id.or_else(|| call.session_id.clone()),
    };
    run_command(runner, call, &params.project, command).await
}

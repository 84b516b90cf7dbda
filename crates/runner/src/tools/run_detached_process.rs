//! Starts a program that goes on when the Runner ends.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::run_detached_process::RunDetachedProcessParams;
use webcodex_contracts::{ProjectPath, ToolResult};
use webcodex_process::{Command, Program};

use crate::access::run_access;
use crate::{Runner, error};

/// Starts the program and returns its job at once.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunDetachedProcessParams,
) -> ToolResult<Execution> {
    let access = run_access(&runner.project(call, &params.project)?)?;
    let program = Program::Executable { executable: params.executable, args: params.args };
    let command = Command {
        cwd: params.cwd.unwrap_or_else(ProjectPath::root),
        env: params.env,
        session_id: params.session_id.or_else(|| call.session_id.clone()),
        ..Command::new(program)
    };
    let started = runner.jobs.start_detached(access, command).await;
    let job = started.map_err(|error| error::process::not_started(&error))?;
    let execution = job.execution(call.policy.observe_secs).await;
    error::process::result(&job, execution)
}

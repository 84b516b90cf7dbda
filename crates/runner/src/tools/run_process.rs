//! Runs a program with literal arguments.

use std::time::Duration;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::Execution;
use webcodex_contracts::limits::DEFAULT_TIMEOUT_SECS;
use webcodex_contracts::tools::run_process::{RunProcessParams, TimeoutSecs};
use webcodex_contracts::{ProjectId, ProjectPath, ToolResult};
use webcodex_process::{Command, Program};

use crate::access::run_access;
use crate::{Runner, error};

/// Starts the program and waits until it has ended or has become a job.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: RunProcessParams,
) -> ToolResult<Execution> {
    let command = Command {
        program: Program::Executable { executable: params.executable, args: params.args },
        cwd: params.cwd.unwrap_or_else(ProjectPath::root),
        stdin: params.stdin,
        env: params.env,
        timeout: timeout(params.timeout_secs),
        session_id: params.session_id.or_else(|| call.session_id.clone()),
    };
    run_command(runner, call, &params.project, command).await
}

/// Starts a command of any kind and waits as long as the call's policy allows. What it has started goes on even if
/// nobody waits for this any more.
pub(super) async fn run_command(
    runner: &Runner,
    call: &CallContext,
    project: &ProjectId,
    command: Command,
) -> ToolResult<Execution> {
    let access = run_access(&runner.project(call, project)?)?;
    let started = runner.jobs.start(access, command, call.policy.handoff()).await;
    let job = started.map_err(|error| error::process::not_started(&error))?;
    job.ended_or_handed_over().await;
    let execution = job.execution(call.policy.observe_secs).await;
    error::process::result(&job, execution)
}

/// The time limit that was asked for, or the usual one.
pub(super) fn timeout(secs: Option<TimeoutSecs>) -> Duration {
    Duration::from_secs(secs.map_or(DEFAULT_TIMEOUT_SECS, TimeoutSecs::get))
}

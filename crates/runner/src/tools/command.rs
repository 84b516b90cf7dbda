//! What the tools that start commands have in common.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::control::ApprovalAsks;
use webcodex_contracts::execution::{Execution, ExecutionState};
use webcodex_contracts::limits::DEFAULT_TIMEOUT_SECS;
use webcodex_contracts::tools::run_process::TimeoutSecs;
use webcodex_contracts::{ErrorCode, ProjectId, ProjectPath, SessionId, ToolError, ToolFailure, ToolResult};
use webcodex_link::Caller;
use webcodex_process::{Command, Program};
use webcodex_projects::RunAccess;

use crate::access::run_access;
use crate::{Runner, approval, error};

/// A command as one of the tools was asked for it.
pub(super) struct Asked {
    pub(super) project: ProjectId,
    pub(super) program: Program,
    pub(super) cwd: Option<ProjectPath>,
    pub(super) stdin: Option<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) timeout_secs: Option<TimeoutSecs>,
    pub(super) session_id: Option<SessionId>,
}

/// Starts the command and waits as long as the call's policy allows. What it has started goes on even if nobody waits
/// for this any more.
pub(super) async fn run(
    runner: &Runner,
    call: &CallContext,
    caller: &Caller,
    asked: Asked,
) -> ToolResult<Execution> {
    let began = Instant::now();
    let (access, command) = prepare(runner, call, caller, asked, began).await?;
    let watched = runner.about_to_run(call, &access, command.session_id.as_ref()).await;
    let left = call.policy.deadline().saturating_sub(began.elapsed());
    let started = runner.jobs.start(access.clone(), command, call.policy.handoff().min(left)).await;
    runner.runs(&access, watched, started.as_ref().ok().cloned());
    let job = started.map_err(|error| error::process::not_started(&error))?;
    job.ended_or_handed_over().await;
    let execution = job.execution(call.policy.observe_secs).await;
    error::process::result(&job, execution)
}

/// Starts the program so that it outlives the Runner, and returns its job at once.
pub(super) async fn run_detached(
    runner: &Runner,
    call: &CallContext,
    caller: &Caller,
    asked: Asked,
) -> ToolResult<Execution> {
    let (access, command) = prepare(runner, call, caller, asked, Instant::now()).await?;
    let watched = runner.about_to_run(call, &access, command.session_id.as_ref()).await;
    let started = runner.jobs.start_detached(access.clone(), command).await;
    runner.runs(&access, watched, started.as_ref().ok().cloned());
    let job = started.map_err(|error| error::process::not_started(&error))?;
    let execution = job.execution(call.policy.observe_secs).await;
    error::process::result(&job, execution)
}

/// All that comes before a start: may it run at all, the first look at a folder without git, and the person's word.
async fn prepare(
    runner: &Runner,
    call: &CallContext,
    caller: &Caller,
    asked: Asked,
    began: Instant,
) -> ToolResult<(RunAccess, Command)> {
    let Asked { project: id, program, cwd, stdin, env, timeout_secs, session_id } = asked;
    let command = Command {
        program,
        cwd: cwd.unwrap_or_else(ProjectPath::root),
        stdin,
        env,
        timeout: Duration::from_secs(timeout_secs.map_or(DEFAULT_TIMEOUT_SECS, TimeoutSecs::get)),
        session_id: session_id.or_else(|| call.session_id.clone()),
    };
    let project = runner.project(call, &id)?;
    let access = run_access(&project).map_err(not_started)?;
    first_look(runner, call, &access).await?;
    if !project.terms.ask_first {
        return Ok((access, command));
    }
    let folder = command.cwd.parts().fold(project.root.clone(), |folder, part| folder.join(part));
    let asks = ApprovalAsks::Command { command: approval::in_full(&command).map_err(not_started)? };
    let folder = folder.display().to_string();
    approval::ask(call, caller, &project, folder, asks, began).await.map_err(not_started)?;
    // What the person has set may be stricter by now.
    let access = run_access(&runner.project(call, &id)?).map_err(not_started)?;
    Ok((access, command))
}

/// In a folder without git the first command must not become part of what later changes are counted from.
async fn first_look(runner: &Runner, call: &CallContext, access: &RunAccess) -> ToolResult<()> {
    let (git, access) = (Arc::clone(&runner.git), access.clone());
    let looked = runner.blocking(call, move || {
        git.ensure_baseline(&access).map_err(|error| error::git::to_tool_error(&error).into())
    });
    looked.await.map_err(|failure| match failure.error.code {
        ErrorCode::DeadlineExceeded => not_started(
            ToolError::new(
                ErrorCode::DeadlineExceeded,
                "the first look at the folder takes longer than this call may wait, so the command was not started",
            )
            .hint("Call again; the look goes on meanwhile.")
            .changed(false),
        ),
        _ => not_started(failure.error),
    })
}

fn not_started(error: ToolError) -> Box<ToolFailure> {
    let output = json!({"execution_state": ExecutionState::NotStarted});
    Box::new(ToolFailure::new(error).with_output(output))
}

//! Commands that did not start, and commands that did not pass.

use serde_json::json;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::execution::{Execution, ExecutionState, Outcome};
use webcodex_contracts::{ErrorCode, JobId, ToolError, ToolFailure, ToolResult};
use webcodex_process::{Job, JobsError};

use super::projects;
use crate::Runner;

/// Lines of a failed command's output in its message.
const MAX_LINES: usize = 3;
/// Longest of these lines, in characters.
const MAX_LINE_CHARS: usize = 160;

/// An error about a command that was to start or a job that was to be looked at.
pub(crate) fn jobs(error: &JobsError) -> ToolError {
    let message = error.to_string();
    let told = match error {
        JobsError::Confine { field, source } => return projects::confine(source, field),
        JobsError::ProgramMissing { .. }
        | JobsError::ProgramPathMissing { .. }
        | JobsError::ProgramNotExecutable { .. }
        | JobsError::ProgramIsFolder { .. }
        | JobsError::WorkingFolder { .. }
        | JobsError::ShellMissing { .. }
        | JobsError::Spawn { .. } => ToolError::new(ErrorCode::StartFailed, message),
        JobsError::ProgramOutside { .. } | JobsError::Path(_) => {
            ToolError::new(ErrorCode::PathRefused, message)
        }
        JobsError::VariableRefused { .. } | JobsError::NulByte { .. } => {
            ToolError::new(ErrorCode::InvalidArguments, message)
        }
        JobsError::Store { source, .. } => projects::io_error(source, message),
        JobsError::InUse { .. } | JobsError::TooMany { .. } | JobsError::ShuttingDown => {
            ToolError::new(ErrorCode::Busy, message)
        }
        JobsError::JobNotFound(_) => ToolError::new(ErrorCode::JobNotFound, message),
        JobsError::CursorInvalid { .. } => ToolError::new(ErrorCode::CursorInvalid, message),
    };
    let told = told.hint(error.hint()).changed(false);
    match error.field() {
        Some(field) => told.field(field),
        None => told,
    }
}

/// The failure of a command that never ran.
pub(crate) fn not_started(error: &JobsError) -> Box<ToolFailure> {
    let output = json!({"execution_state": ExecutionState::NotStarted});
    Box::new(ToolFailure::new(jobs(error)).with_output(output))
}

/// The result of a command as it stands: one that passed or still runs succeeds, any other fails with all that is
/// known of it.
pub(crate) fn result(job: &Job, execution: Execution) -> ToolResult<Execution> {
    match failure(job, &execution) {
        Some(error) => Err(Box::new(ToolFailure::new(error).with_output(execution))),
        None => Ok(execution),
    }
}

fn failure(job: &Job, execution: &Execution) -> Option<ToolError> {
    let command = job.command();
    let id = job.id();
    let error = match execution.outcome? {
        Outcome::Passed => return None,
        Outcome::Failed => {
            let message = format!("`{command}` {}{}", ending(execution), last_lines(execution));
            let hint = execution.notes.first().cloned();
            let error = ToolError::new(ErrorCode::CommandFailed, message);
            return Some(match hint {
                Some(hint) => error.hint(hint),
                None => error,
            });
        }
        Outcome::TimedOut => ToolError::new(
            ErrorCode::CommandTimedOut,
            format!(
                "`{command}` was ended, with everything it started, after its time limit of {} s. It may have had effects. Its job is {id}.",
                job.timeout().as_secs()
            ),
        )
        .hint("Look at its output and effects before you repeat it; if it only needs longer, pass a larger `timeout_secs`."),
        Outcome::Stopped => ToolError::new(
            ErrorCode::CommandStopped,
            format!("`{command}` was stopped with everything it started. It may have had effects. Its job is {id}."),
        )
        .hint("Look at its effects before you repeat it."),
        Outcome::Lost => ToolError::new(
            ErrorCode::JobLost,
            format!("`{command}` was cut off and its result is not known. It may have had effects. Its job is {id}."),
        )
        .hint("Look at its effects before you repeat it."),
    };
    Some(error)
}

fn ending(execution: &Execution) -> String {
    match (execution.exit_code, execution.signal) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended without an exit code".to_owned(),
    }
}

/// What the command said last, where people look first.
fn last_lines(execution: &Execution) -> String {
    let said = |text: &str| text.lines().any(|line| !line.trim().is_empty());
    let streams = [&execution.stderr, &execution.stdout].into_iter().flatten();
    let Some(stream) = streams.into_iter().find(|stream| said(&stream.text)) else { return String::new() };
    let lines: Vec<&str> = stream.text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shorten = |line: &&str| line.trim_end().chars().take(MAX_LINE_CHARS).collect::<String>();
    let last: Vec<String> = lines[lines.len().saturating_sub(MAX_LINES)..].iter().map(shorten).collect();
    format!(": {}", last.join("\n"))
}

impl Runner {
    /// The job with this id, if the caller may see its project; one that is not there and one that is not visible are
    /// not told apart.
    pub(crate) fn job(&self, call: &CallContext, id: &JobId) -> Result<Job, ToolError> {
        let found = self.jobs.find(id).and_then(|job| match call.grant.allows(job.project()) {
            true => Ok(job),
            false => Err(JobsError::JobNotFound(id.clone())),
        });
        found.map_err(|error| jobs(&error))
    }
}

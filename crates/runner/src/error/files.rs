//! Errors of reading and editing files.

use serde_json::{Map, Value, json};
use webcodex_contracts::decode::invalid;
use webcodex_contracts::limits::MAX_BATCH;
use webcodex_contracts::tools::batch::Batch;
use webcodex_contracts::tools::edit_project_files::EditProjectFilesParams;
use webcodex_contracts::tools::read_files::{ReadFilesParams, ReadItem};
use webcodex_contracts::{
    ErrorCode, ProjectId, ProjectPath, SessionId, ToolError, ToolFailure, ToolName, Whole,
};
use webcodex_files::{CommitError, Current, EditError, EditProblem, ReadError};

use super::projects::{confine, io_error};

/// Lines shown around the place where an edit looked for its text.
const LINES_AROUND: u64 = 20;

/// Who asked; suggested calls name the same.
pub(crate) struct Caller<'a> {
    pub(crate) project: &'a ProjectId,
    pub(crate) session_id: Option<&'a SessionId>,
}

impl<'a> Caller<'a> {
    /// Who asked for an edit.
    pub(crate) fn of(params: &'a EditProjectFilesParams) -> Self {
        Self { project: &params.project, session_id: params.session_id.as_ref() }
    }
}

/// Why the item at `items[index]` was not read.
pub(crate) fn read(error: &ReadError, index: usize) -> ToolError {
    read_error(error, &format!("items[{index}].{}", error.argument()))
}

fn read_error(error: &ReadError, field: &str) -> ToolError {
    let message = error.to_string();
    let code = match error {
        ReadError::Path(error) => return confine(error, field),
        ReadError::Io { source, .. } => return io_error(source, message).field(field).changed(false),
        ReadError::PastEnd { .. } | ReadError::PastLineEnd { .. } | ReadError::Encoding(_) => {
            return hinted(invalid(field, message), error.hint());
        }
        ReadError::Missing { .. } => ErrorCode::NotFound,
        ReadError::Folder { .. } | ReadError::NotRegular { .. } => ErrorCode::NotAFile,
        ReadError::TooLarge { .. } => ErrorCode::FileTooLarge,
        ReadError::Binary { .. } => ErrorCode::BinaryFile,
    };
    hinted(ToolError::new(code, message).field(field).changed(false), error.hint())
}

/// Why changes were not planned. Nothing was changed.
pub(crate) fn edit(error: &EditError, caller: &Caller<'_>) -> Box<ToolFailure> {
    let EditError { change, problem } = error;
    let field = format!("changes[{change}].{}", problem.argument());
    let failure = ToolFailure::new(edit_error(problem, &field));
    Box::new(match problem {
        EditProblem::Stale { stale, also } => stale_failure(failure, stale, also, caller),
        EditProblem::NoMatch { path, nearest: Some(near) } => {
            let start = (near.line as u64).saturating_sub(LINES_AROUND / 2).max(1);
            let item = ReadItem { start_line: Whole::new(start), ..whole_file(path) };
            recover_by_reading(failure, vec![item], caller)
        }
        EditProblem::NoMatch { path, nearest: None }
        | EditProblem::OutsideScope { path, .. }
        | EditProblem::Unguarded { path } => recover_by_reading(failure, vec![whole_file(path)], caller),
        EditProblem::Ambiguous { path, count, found } | EditProblem::TooFew { path, count, found } => {
            failure.with_output(json!({"path": path, "match_count": count, "lines": found}))
        }
        EditProblem::Unrepresentable { path, character, line, column, .. } => {
            failure.with_output(json!({"path": path, "character": character, "line": line, "column": column}))
        }
        _ => failure,
    })
}

fn edit_error(problem: &EditProblem, field: &str) -> ToolError {
    let code = match problem {
        EditProblem::Path { error, .. } => return confine(error, field),
        EditProblem::File(error) => return read_error(error, field),
        EditProblem::Argument { .. } | EditProblem::Unguarded { .. } => ErrorCode::InvalidArguments,
        EditProblem::Name { .. } | EditProblem::Link { .. } => ErrorCode::PathRefused,
        EditProblem::Binary { .. } => ErrorCode::BinaryFile,
        EditProblem::Exists { .. } => ErrorCode::AlreadyExists,
        EditProblem::Stale { .. } => ErrorCode::StaleRevision,
        EditProblem::NoMatch { .. } | EditProblem::OutsideScope { .. } | EditProblem::TooFew { .. } => {
            ErrorCode::MatchNotFound
        }
        EditProblem::Ambiguous { .. } | EditProblem::Overlapping { .. } => ErrorCode::MatchAmbiguous,
        EditProblem::Conflict { .. } => ErrorCode::ChangesConflict,
        EditProblem::Uncertain { .. } => ErrorCode::EncodingUncertain,
        EditProblem::Unrepresentable { .. } => ErrorCode::EncodingUnrepresentable,
        EditProblem::ReadOnly { .. } => ErrorCode::PermissionDenied,
        EditProblem::TooLarge { .. } => ErrorCode::FileTooLarge,
    };
    hinted(ToolError::new(code, problem.to_string()).field(field).changed(false), problem.hint())
}

/// Why planned changes were not carried out.
pub(crate) fn commit(error: &CommitError, caller: &Caller<'_>) -> Box<ToolFailure> {
    let message = error.to_string();
    let changed = error.left_changes();
    Box::new(match error {
        CommitError::Changed { change, current } => {
            let error = ToolError::new(ErrorCode::StaleRevision, message)
                .field(format!("changes[{change}].expected_read_revision"))
                .hint("Read it again and send the new `read_revision` with changes that fit.")
                .changed(changed);
            stale_failure(ToolFailure::new(error), current, &[], caller)
        }
        CommitError::Appeared { change, .. } => ToolFailure::new(
            ToolError::new(ErrorCode::AlreadyExists, message)
                .field(format!("changes[{change}].path"))
                .hint("Read it before deciding what to do.")
                .changed(changed),
        ),
        CommitError::Io { source, .. } | CommitError::Journal(source) => {
            ToolFailure::new(io_error(source, message).changed(changed))
        }
    })
}

/// A failure with the present state of a file and, where it exists, the call that reads it again.
fn stale_failure(
    failure: ToolFailure,
    current: &Current,
    also: &[ProjectPath],
    caller: &Caller<'_>,
) -> ToolFailure {
    let failure = failure.with_output(json!({"current": present_state(current)}));
    let paths = std::iter::once(&current.path).filter(|_| current.file.is_some()).chain(also);
    let items: Vec<ReadItem> = paths.take(MAX_BATCH).map(whole_file).collect();
    recover_by_reading(failure, items, caller)
}

fn present_state(current: &Current) -> Value {
    let mut state = Map::from_iter([
        ("path".to_owned(), json!(current.path)),
        ("exists".to_owned(), json!(current.file.is_some())),
    ]);
    if let Some(file) = &current.file {
        state.insert("size_bytes".to_owned(), json!(file.size_bytes));
        state.insert("sha256".to_owned(), json!(file.hash.to_string()));
        if let Some(lines) = file.total_lines {
            state.insert("total_lines".to_owned(), json!(lines));
        }
    }
    Value::Object(state)
}

fn recover_by_reading(failure: ToolFailure, items: Vec<ReadItem>, caller: &Caller<'_>) -> ToolFailure {
    let Some(items) = Batch::new(items) else { return failure };
    let params =
        ReadFilesParams { project: caller.project.clone(), items, session_id: caller.session_id.cloned() };
    failure.with_recovery(ToolName::ReadFiles, params)
}

fn whole_file(path: &ProjectPath) -> ReadItem {
    ReadItem { path: path.clone(), start_line: None, line_count: None, start_column: None, encoding: None }
}

fn hinted(error: ToolError, hint: Option<String>) -> ToolError {
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

//! Reads ranges of text files.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::batch::Batch;
use webcodex_contracts::tools::read_files::{ReadFilesItem, ReadFilesOutput, ReadFilesParams, ReadItem};
use webcodex_contracts::{Continuation, Limit, ToolError, ToolFailure, ToolName, ToolResult, Whole};
use webcodex_files::{NextRange, ReadError, ReadPart};

use crate::{Runner, error};

/// Reads every item; the call fails only if all of them do.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: ReadFilesParams,
) -> ToolResult<ReadFilesOutput> {
    let access = runner.project(call, &params.project)?.read_access();
    let files = runner.files.clone();
    runner
        .blocking(call, move || {
            let parts = files.read(&access, &params.items);
            let items =
                parts.into_iter().enumerate().map(|(index, part)| answer(&params, index, part)).collect();
            all_failed(ReadFilesOutput { items })
        })
        .await
}

fn answer(params: &ReadFilesParams, index: usize, part: Result<ReadPart, ReadError>) -> ReadFilesItem {
    let item = &params.items[index];
    match part {
        Ok(part) => success(params, item, part),
        Err(error) => failure(item, &error, error::files::read(&error, index)),
    }
}

fn success(params: &ReadFilesParams, item: &ReadItem, part: ReadPart) -> ReadFilesItem {
    ReadFilesItem {
        path: item.path.clone(),
        success: true,
        start_line: part.start_line,
        end_line: part.end_line,
        total_lines: Some(part.total_lines),
        size_bytes: Some(part.size_bytes),
        sha256: Some(part.hash.to_string()),
        read_revision: Some(part.revision),
        encoding: Some(part.encoding),
        line_ending: Some(part.line_ending.as_str().to_owned()),
        partial: part.partial,
        line_cut: part.line_cut,
        continuation: part.next.and_then(|next| continuation(params, item, next)),
        text: Some(part.text),
        error: None,
    }
}

/// What is known of a file that was not read: a binary file can still be renamed or deleted.
fn failure(item: &ReadItem, error: &ReadError, told: ToolError) -> ReadFilesItem {
    let binary = match error {
        ReadError::Binary { size, hash, revision, .. } => Some((*size, hash.to_string(), *revision)),
        _ => None,
    };
    let total_lines = match error {
        ReadError::PastEnd { total_lines, .. } => Some(*total_lines),
        _ => None,
    };
    ReadFilesItem {
        path: item.path.clone(),
        success: false,
        text: None,
        start_line: None,
        end_line: None,
        total_lines,
        size_bytes: binary.as_ref().map(|(size, ..)| *size),
        sha256: binary.as_ref().map(|(_, hash, _)| hash.clone()),
        read_revision: binary.map(|(.., revision)| revision),
        encoding: None,
        line_ending: None,
        partial: false,
        line_cut: false,
        continuation: None,
        error: Some(told),
    }
}

fn continuation(params: &ReadFilesParams, item: &ReadItem, next: NextRange) -> Option<Continuation> {
    let item = ReadItem {
        path: item.path.clone(),
        start_line: Whole::new(next.start_line),
        line_count: next.line_count.map(Limit::clamped),
        start_column: next.start_column.and_then(Whole::new),
        encoding: item.encoding.clone(),
    };
    let items = Batch::new(vec![item])?;
    let params =
        ReadFilesParams { project: params.project.clone(), items, session_id: params.session_id.clone() };
    Continuation::new(ToolName::ReadFiles, params)
}

fn all_failed(output: ReadFilesOutput) -> ToolResult<ReadFilesOutput> {
    let first = output.items.iter().find_map(|item| item.error.clone());
    match first {
        Some(error) if output.items.iter().all(|item| !item.success) => {
            Err(Box::new(ToolFailure::new(error).with_output(output)))
        }
        _ => Ok(output),
    }
}

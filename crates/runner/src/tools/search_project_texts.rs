//! Searches the text of a project's files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::batch::Batch;
use webcodex_contracts::tools::search_project_texts::{
    PatternSyntax, SearchItem, SearchProjectTextsOutput, SearchProjectTextsParams, SearchQuery,
};
use webcodex_contracts::{Continuation, ErrorCode, ToolError, ToolFailure, ToolName, ToolResult};
use webcodex_files::search::{Deadline, Found, SearchError};

use crate::{Runner, error};

/// What searches, told in every answer.
const BACKEND: &str = "ripgrep-libraries";
/// Time kept back for putting the answer together.
const ANSWER_TIME: Duration = Duration::from_millis(200);

/// Answers every query in one pass; the call fails only if all of them do. Ends soon after nobody wants it any more.
pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: SearchProjectTextsParams,
    unwanted: CancellationToken,
) -> ToolResult<SearchProjectTextsOutput> {
    let access = runner.project(call, &params.project)?.read_access();
    let searcher = runner.searcher.clone();
    let cancelled = Arc::new(AtomicBool::new(false));
    let _ends_with_the_call = SetOnDrop(Arc::clone(&cancelled));
    let deadline =
        Deadline::within(call.policy.deadline().saturating_sub(ANSWER_TIME)).or_cancelled(cancelled);
    let searched = runner.blocking(call, move || {
        let answers = searcher.search(&access, &params.queries, &deadline);
        all_failed(&params, answers)
    });
    tokio::select! {
        result = searched => result,
        () = unwanted.cancelled() => Err(nobody_waits().into()),
    }
}

/// Sets a flag when the call ends, whichever way.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn nobody_waits() -> ToolError {
    ToolError::new(ErrorCode::DeadlineExceeded, "the search was stopped because nobody waits for it any more")
        .changed(false)
}

/// What a failed search says besides its items.
#[derive(Serialize)]
struct Failed<'a> {
    items: &'a [SearchItem],
    failure_stage: &'a Option<String>,
    reason_code: &'a Option<String>,
}

fn all_failed(
    params: &SearchProjectTextsParams,
    answers: Vec<Result<Found, SearchError>>,
) -> ToolResult<SearchProjectTextsOutput> {
    let broken = matches!(answers.first(), Some(Err(SearchError::PatternBroken(_))));
    let items: Vec<SearchItem> = answers
        .into_iter()
        .zip(params.queries.iter())
        .enumerate()
        .map(|(index, (answer, query))| match answer {
            Ok(found) => answered(params, query, index, found),
            Err(error) => refused(query, &error, index),
        })
        .collect();
    let Some(first) = items.first().filter(|_| items.iter().all(|item| !item.success)) else {
        return Ok(SearchProjectTextsOutput { items });
    };
    let Some(error) = first.error.clone() else { return Ok(SearchProjectTextsOutput { items }) };
    let failed =
        Failed { items: &items, failure_stage: &first.failure_stage, reason_code: &first.detail_code };
    let failure = ToolFailure::new(error).with_output(failed);
    Err(Box::new(match &first.continuation {
        Some(next) => failure.with_recovery(next.tool, &next.arguments),
        None if broken && items.len() == 1 => match taken_literally(params) {
            Some(literal) => failure.with_recovery(ToolName::SearchProjectTexts, literal),
            None => failure,
        },
        None => failure,
    }))
}

fn answered(
    params: &SearchProjectTextsParams,
    query: &SearchQuery,
    index: usize,
    found: Found,
) -> SearchItem {
    // Only a search that saw everything proves that there is nothing.
    let unproven = found.shortfall.filter(|_| found.match_count == 0);
    let error = unproven.map(|shortfall| error::search::nothing_proven(shortfall, &found.skipped, index));
    SearchItem {
        success: error.is_none(),
        syntax: query.syntax,
        backend: BACKEND.to_owned(),
        completed: found.completed,
        match_count: found.match_count,
        file_count: found.file_count,
        matches: found.matches,
        files: found.files,
        truncated: found.truncated,
        continuation: found.cursor.and_then(|cursor| continuation(params, query, cursor)),
        skipped: found.skipped,
        error,
        failure_stage: found.shortfall.map(|shortfall| shortfall.stage().as_str().to_owned()),
        reason_code: found
            .shortfall
            .map(|shortfall| error::search::shortfall_code(shortfall).as_str().to_owned()),
        detail_code: found.shortfall.map(|shortfall| shortfall.detail_code().to_owned()),
    }
}

fn refused(query: &SearchQuery, error: &SearchError, index: usize) -> SearchItem {
    let told = error::search::query(error, index);
    SearchItem {
        success: false,
        syntax: query.syntax,
        backend: BACKEND.to_owned(),
        completed: false,
        match_count: 0,
        file_count: 0,
        matches: Vec::new(),
        files: Vec::new(),
        truncated: false,
        continuation: None,
        skipped: Vec::new(),
        failure_stage: Some(error.stage().as_str().to_owned()),
        reason_code: Some(told.code.as_str().to_owned()),
        detail_code: Some(error.detail_code().to_owned()),
        error: Some(told),
    }
}

fn continuation(
    params: &SearchProjectTextsParams,
    query: &SearchQuery,
    cursor: String,
) -> Option<Continuation> {
    let query = SearchQuery { cursor: Some(cursor), ..query.clone() };
    Continuation::new(ToolName::SearchProjectTexts, alone(params, query)?)
}

/// The one query of a call with its pattern taken as it stands.
fn taken_literally(params: &SearchProjectTextsParams) -> Option<SearchProjectTextsParams> {
    let query = params.queries.first()?.clone();
    alone(params, SearchQuery { syntax: PatternSyntax::Literal, cursor: None, ..query })
}

fn alone(params: &SearchProjectTextsParams, query: SearchQuery) -> Option<SearchProjectTextsParams> {
    Some(SearchProjectTextsParams {
        project: params.project.clone(),
        queries: Batch::new(vec![query])?,
        session_id: params.session_id.clone(),
    })
}

#[cfg(test)]
mod tests;

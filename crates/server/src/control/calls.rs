//! `GET /control/calls?before=ID` and `GET /control/calls/{id}`: earlier calls, and one call in detail.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Query, State};
use http::{Response, StatusCode};
use serde::Deserialize;
use webcodex_contracts::control::EarlierCalls;
use webcodex_contracts::{CallId, ErrorCode};
use webcodex_store::{CallRecord, StoreError, now_ms};

use super::reply::{document, failure};
use super::view;
use crate::app::App;

/// Calls on a page.
const PAGE: u32 = 200;

/// Where a page begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    before: CallId,
}

/// A page of calls before one.
pub(super) async fn earlier(
    State(app): State<Arc<App>>,
    Query(Before { before }): Query<Before>,
) -> Response<Body> {
    let folders = app.control.shelf.read();
    match app.store.calls_before(Some(&before), PAGE).await {
        Ok(page) => document(&EarlierCalls {
            calls: page.calls.iter().map(|record| view::call(record, false, &folders)).collect(),
            more: page.more,
        }),
        Err(error) => store_failed(&error),
    }
}

/// One call.
pub(super) async fn detail(State(app): State<Arc<App>>, Path(id): Path<CallId>) -> Response<Body> {
    let record = match app.control.book.find(&id) {
        Some(record) => record,
        None => match app.store.call(&id).await {
            Ok(Some(record)) => record,
            Ok(None) => return unknown(&id),
            Err(error) => return store_failed(&error),
        },
    };
    document(&view::detail(record.clone(), total_ms(&record), &app.control.shelf.read()))
}

fn total_ms(record: &CallRecord) -> u64 {
    match view::is_open(view::outcome(record, false)) {
        true => now_ms().saturating_sub(record.at_ms),
        false => record.duration_us / 1000,
    }
}

fn unknown(id: &CallId) -> Response<Body> {
    let message = format!("nothing is recorded of the call `{id}`");
    failure(StatusCode::NOT_FOUND, ErrorCode::NotFound, message, "")
}

fn store_failed(error: &StoreError) -> Response<Body> {
    let message = format!("the record of calls cannot be read: {error}");
    failure(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal, message, "Look whether the disk is full.")
}

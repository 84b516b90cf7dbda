//! `/control/apps`: the pages that the window shows, and what they and the window call for the person.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, Request, State};
use http::{Response, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use webcodex_apps::{Found, Page, find};
use webcodex_contracts::control::{AppCall, AppPage};
use webcodex_contracts::{ErrorCode, ToolName, table};
use webcodex_store::Door;

use super::reply::{document, failure, read};
use crate::app::App;
use crate::auth::Caller;
use crate::dispatch::{self, Incoming};

/// `?uri=…`
#[derive(Deserialize)]
pub(super) struct At {
    uri: String,
}

/// `GET /control/apps?uri=…`: the page there.
pub(super) async fn read_page(Query(at): Query<At>) -> Response<Body> {
    match find(&at.uri) {
        Found::Page(page) => document(&shown(page)),
        Found::OtherVersion(page) => {
            let message = format!("`{}` is not served any more; the page is `{}` now", at.uri, page.uri());
            failure(StatusCode::NOT_FOUND, ErrorCode::NotFound, message, "Reload the window.")
        }
        Found::Nothing => {
            let message = format!("there is no page `{}`", at.uri);
            failure(StatusCode::NOT_FOUND, ErrorCode::NotFound, message, "Update the app and the Server.")
        }
    }
}

fn shown(page: &Page) -> AppPage {
    let meta = page.meta();
    let csp = meta.get("ui").and_then(|ui| ui.get("csp")).cloned().unwrap_or_default();
    AppPage {
        uri: page.uri(),
        html: page.html.to_owned(),
        csp: serde_json::from_value(csp).unwrap_or_default(),
        tools: page.calls.iter().map(|tool| tool.as_str().to_owned()).collect(),
    }
}

/// `POST /control/apps/call`: calls a tool for the person. The answer is the tool's canonical result, failures too.
pub(super) async fn call(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let Some(Caller(person)) = request.extensions().get::<Caller>().cloned() else {
        return failure(StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, "no caller", "");
    };
    let AppCall { tool, arguments } = match read(request).await {
        Ok(call) => call,
        Err(refused) => return *refused,
    };
    if !is_for_the_window(&tool) {
        let message = format!("`{tool}` is not a tool that the window calls");
        return failure(StatusCode::FORBIDDEN, ErrorCode::ScopeDenied, message, "");
    }
    // The app's credential sees every session, whoever's it is.
    let incoming = Incoming::new(person, app.policy(), Door::Api);
    let answer = dispatch::dispatch(&app, &tool, Value::Object(arguments), incoming).await;
    document(&answer.result)
}

fn is_for_the_window(tool: &str) -> bool {
    table::find(tool).is_some_and(|tool| tool.is_app_only() || tool.name == ToolName::RestoreChanges)
}

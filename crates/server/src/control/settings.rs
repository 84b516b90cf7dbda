//! `PATCH /control/settings`: what holds from now on, without a restart.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use http::{Response, StatusCode};
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::SettingsChange;

use super::keeper;
use super::reply::{done, failure, read};
use crate::app::App;

/// Seconds a host may be said to wait.
const WAIT_SECONDS: std::ops::RangeInclusive<u64> = 5..=600;

/// Takes the change over, all of it or nothing.
pub(super) async fn change(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let change: SettingsChange = match read(request).await {
        Ok(change) => change,
        Err(refused) => return *refused,
    };
    let bad =
        |message: String, hint| failure(StatusCode::BAD_REQUEST, ErrorCode::InvalidArguments, message, hint);
    if change.wait_seconds.is_some_and(|seconds| !WAIT_SECONDS.contains(&seconds)) {
        return bad("hosts wait between 5 and 600 seconds".to_owned(), "Choose a number in between.");
    }
    if let Some(address) = &change.public_address {
        match super::public_url(address) {
            Ok(url) => app.guard.set_public(url.as_ref()),
            Err(text) => {
                return bad(format!("`{text}` is not an address"), "Write it as https://code.example.org.");
            }
        }
    }
    let way_changed = change.proxy.as_ref().is_some_and(|proxy| *proxy != app.settings.read().proxy);
    let for_runner = change.allowed_roots.is_some() || change.new_projects.is_some();
    app.settings.write().apply(change);
    if for_runner {
        keeper::tell_settings(&app).await;
    }
    if let (true, Some(tunnels)) = (way_changed, app.tunnels.get()) {
        tunnels.way_changed().await;
    }
    app.control.changed();
    done()
}

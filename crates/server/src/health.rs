//! Whether the Server lives, and whether it can serve.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use http::{Response, StatusCode};
use serde_json::json;

use crate::app::App;
use crate::body::json_response;

/// The process answers.
pub(crate) async fn live() -> Response<Body> {
    json_response(StatusCode::OK, &json!({"status": "ok"}))
}

/// A Runner is linked and answered lately; 503 with the reason otherwise.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Response<Body> {
    match app.not_ready() {
        None => json_response(StatusCode::OK, &json!({"status": "ready"})),
        Some(reason) => {
            json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "not_ready", "reason": reason}))
        }
    }
}

impl App {
    /// Why calls cannot be served now, if they cannot.
    pub(crate) fn not_ready(&self) -> Option<&'static str> {
        let runners = self.runners.status();
        if runners.iter().any(|runner| runner.online) {
            return None;
        }
        Some(match runners.len() {
            0 => "no Runner is linked",
            _ => "no linked Runner has answered lately",
        })
    }
}

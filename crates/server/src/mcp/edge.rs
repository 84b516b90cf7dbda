//! What rmcp leaves to us: JSON-RPC bodies for every refusal, lenient `Accept`, the request's waiting policy.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body::Body as _;
use http_body_util::{BodyExt, Full};
use parking_lot::Mutex;
use serde_json::Value;
use webcodex_tunnel::ThroughTunnel;

use super::absent_headers;
use super::message::{self, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, Message};
use super::{Endpoint, Passed};
use crate::auth::Caller;
use crate::body::{self, rpc_error};
use crate::policy;
use crate::via::Origin;

/// Both forms of an answer, as rmcp wants to see them.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
/// Tells proxies to pass a stream on as it comes.
const NO_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Headers of sessions, which are not kept here.
const SESSION_HEADERS: [&str; 2] = ["mcp-session-id", "last-event-id"];

/// Serves one POST.
pub(crate) async fn serve(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response<Body> {
    let (mut parts, body) = request.into_parts();
    let bytes = match body::read(&parts.headers, body).await {
        Ok(bytes) => bytes,
        Err(fault) => {
            return rpc_error(fault.status(), &Value::Null, INVALID_REQUEST, &fault.to_string(), None);
        }
    };
    let message = match message::look_at(&bytes) {
        Ok(message) => message,
        Err(bad) => return rpc_error(StatusCode::BAD_REQUEST, &bad.id, bad.code, &bad.message, None),
    };
    let id = match &message {
        Message::Request(id) => id.clone(),
        Message::Notification | Message::Response => Value::Null,
    };
    if !body::is_json(&parts.headers) {
        let text = "send the message as `Content-Type: application/json`";
        return rpc_error(StatusCode::UNSUPPORTED_MEDIA_TYPE, &id, INVALID_REQUEST, text, None);
    }
    if endpoint.app.fill_tunnel_headers && parts.extensions.get::<ThroughTunnel>().is_some() {
        absent_headers::fill(&mut parts.headers, &bytes);
    }
    let passed = match passed(&endpoint, &mut parts, &bytes) {
        Ok(passed) => passed,
        Err(fault) => return rpc_error(StatusCode::BAD_REQUEST, &id, INVALID_REQUEST, &fault, None),
    };
    #[cfg(feature = "conformance")]
    if message == Message::Response && endpoint.answers.take(&bytes) {
        return accepted();
    }
    let record = passed.record.clone();
    let response = endpoint.service.handle(to_rmcp(parts, bytes, passed)).await;
    let response = present(response.map(Body::new), &id).await;
    if let (Some(mut record), Some(bytes)) = (record.lock().take(), response.body().size_hint().exact()) {
        record.response_bytes(usize::try_from(bytes).unwrap_or(usize::MAX));
    }
    response
}

#[cfg(feature = "conformance")]
fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// Who calls, with which policy.
fn passed(endpoint: &Endpoint, parts: &mut Parts, bytes: &Bytes) -> Result<Passed, String> {
    let policy = policy::select(&parts.headers, endpoint.app.policy()).map_err(|fault| fault.to_string())?;
    let Caller(caller) = parts.extensions.remove::<Caller>().ok_or("no caller")?;
    let origin = parts.extensions.remove::<Origin>().ok_or("no origin")?;
    Ok(Passed { caller, policy, origin, request_bytes: bytes.len(), record: Arc::new(Mutex::new(None)) })
}

fn to_rmcp(mut parts: Parts, bytes: Bytes, passed: Passed) -> http::Request<Full<Bytes>> {
    // `*/*`, JSON alone or nothing at all: every answer of ours is one of the two forms anyway.
    parts.headers.insert(ACCEPT, ACCEPTED);
    for name in SESSION_HEADERS {
        parts.headers.remove(name);
    }
    // The handler sees the headers; it has no use for the secret.
    parts.headers.remove(http::header::AUTHORIZATION);
    parts.extensions.insert(passed);
    http::Request::from_parts(parts, Full::new(bytes))
}

/// Passes JSON, streams and empty answers on; turns plain text of rmcp into a JSON-RPC error.
async fn present(mut response: Response<Body>, id: &Value) -> Response<Body> {
    if is_type(response.headers(), "text/event-stream") {
        response.headers_mut().insert(NO_BUFFERING, HeaderValue::from_static("no"));
        return response;
    }
    if is_type(response.headers(), "application/json") || response.status().is_success() {
        return response;
    }
    let status = response.status();
    let text = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let message = "the parameters do not have the form that this method wants";
            rpc_error(StatusCode::BAD_REQUEST, id, INVALID_PARAMS, message, None)
        }
        status if status.is_server_error() => rpc_error(status, id, INTERNAL_ERROR, &text, None),
        status => rpc_error(status, id, INVALID_REQUEST, &text, None),
    }
}

fn is_type(headers: &HeaderMap, essence: &str) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with(essence))
}

//! Bodies of the control routes: one JSON document in, one out, a `Failure` where something went wrong.

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::Failure;

use crate::body;

/// The request's document, or the answer that says what is wrong with it.
pub(super) async fn read<T: DeserializeOwned>(request: Request) -> Result<T, Box<Response<Body>>> {
    let bad = |status, message: String| {
        Box::new(failure(
            status,
            ErrorCode::BadRequest,
            message,
            "Update the app and the Server to one version.",
        ))
    };
    let (parts, body) = request.into_parts();
    if !body::is_json(&parts.headers) {
        return Err(bad(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be `application/json`".to_owned(),
        ));
    }
    let bytes =
        body::read(&parts.headers, body).await.map_err(|fault| bad(fault.status(), fault.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        bad(StatusCode::BAD_REQUEST, format!("the body is not what this route wants: {error}"))
    })
}

/// An answer that holds `value`.
pub(super) fn document(value: &impl Serialize) -> Response<Body> {
    body::json_response(StatusCode::OK, value)
}

/// Done; there is nothing to say.
pub(super) fn done() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// What went wrong and what would help.
pub(super) fn failure(
    status: StatusCode,
    code: ErrorCode,
    message: impl Into<String>,
    hint: impl Into<String>,
) -> Response<Body> {
    let hint = Some(hint.into()).filter(|hint| !hint.is_empty());
    body::json_response(status, &Failure { code: code.as_str().to_owned(), message: message.into(), hint })
}

/// A failure that somebody else has told.
pub(super) fn told(failure: &Failure) -> Response<Body> {
    let status = match failure.code.as_str() {
        code if code == ErrorCode::ProjectNotFound.as_str() || code == ErrorCode::JobNotFound.as_str() => {
            StatusCode::NOT_FOUND
        }
        code if code == ErrorCode::Internal.as_str() => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::CONFLICT,
    };
    body::json_response(status, failure)
}

/// One document as a line of its own.
pub(super) fn line(value: &impl Serialize) -> Bytes {
    match serde_json::to_vec(value) {
        Ok(mut bytes) => {
            bytes.push(b'\n');
            bytes.into()
        }
        Err(error) => {
            tracing::error!(%error, "a message could not be written as JSON");
            Bytes::new()
        }
    }
}

/// An answer of many lines that come one by one.
pub(super) fn lines(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    response
}

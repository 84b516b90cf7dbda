//! Bodies in: bounded and of the right type. Bodies out: JSON, in the form that the route speaks.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde_json::{Value, json};
use webcodex_contracts::limits::MAX_REQUEST_BYTES;
use webcodex_contracts::{CanonicalResult, ErrorCode, ToolError};

/// What is read and thrown away of a body that is too large, so that its sender can read the answer, in bytes.
const MAX_DRAINED_BYTES: usize = 32 * 1024 * 1024;
/// Most answers are no longer.
const USUAL_BYTES: usize = 2 * 1024;

/// Why a body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyFault {
    /// Larger than the limit.
    #[error("the body is larger than {MAX_REQUEST_BYTES} bytes; send less at once")]
    TooLarge,
    /// It ended early or was not framed as HTTP wants it.
    #[error("the body could not be read to its end")]
    Broken,
}

impl BodyFault {
    /// The status that goes with it.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            BodyFault::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            BodyFault::Broken => StatusCode::BAD_REQUEST,
        }
    }
}

/// Reads a body of at most [`MAX_REQUEST_BYTES`].
pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, BodyFault> {
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MAX_REQUEST_BYTES as u64) {
        drain(body).await;
        return Err(BodyFault::TooLarge);
    }
    let mut body = body;
    match Limited::new(&mut body, MAX_REQUEST_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            drain(body).await;
            Err(BodyFault::TooLarge)
        }
        Err(_) => Err(BodyFault::Broken),
    }
}

/// Reads on for a while, so that a client in the middle of sending gets an answer and not a reset connection.
async fn drain(mut body: Body) {
    let mut drained = 0;
    while let Some(Ok(frame)) = body.frame().await {
        drained += frame.data_ref().map_or(0, Bytes::len);
        if drained > MAX_DRAINED_BYTES {
            return;
        }
    }
}

/// Whether the body is declared as JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        value.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
    })
}

/// A JSON answer.
pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    match json(value) {
        Ok(bytes) => json_bytes(status, bytes),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            json_bytes(StatusCode::INTERNAL_SERVER_ERROR, Bytes::from_static(b"{}"))
        }
    }
}

/// The JSON of an answer.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<Bytes> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    serde_json::to_writer(&mut bytes, value)?;
    Ok(bytes.into())
}

/// A JSON answer that is written already.
pub(crate) fn json_bytes(status: StatusCode, bytes: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A refusal in the form that `path` speaks: a JSON-RPC error on `/mcp`, a canonical result elsewhere.
pub(crate) fn refusal(path: &str, status: StatusCode, code: ErrorCode, message: &str) -> Response<Body> {
    if path == crate::app::MCP {
        return rpc_error(status, &Value::Null, i64::from(status.as_u16()), message, None);
    }
    json_response(status, &CanonicalResult::from(ToolError::new(code, message).changed(false)))
}

/// A JSON-RPC error.
pub(crate) fn rpc_error(
    status: StatusCode,
    id: &Value,
    code: i64,
    message: &str,
    data: Option<Value>,
) -> Response<Body> {
    let mut error = json!({"code": code, "message": message});
    if let Some(data) = data {
        error["data"] = data;
    }
    json_response(status, &json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

//! `POST /api/tools/call`: the tools without MCP. One call in, its canonical result out.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use http::{Response, StatusCode};
use serde_json::{Map, Value};
use webcodex_contracts::{CanonicalResult, ErrorCode, ToolError, decode};
use webcodex_store::Door;

use crate::app::{API_CALL, App};
use crate::auth::Caller;
use crate::body::{self, json_bytes, json_response, refusal};
use crate::dispatch::{self, Incoming};
use crate::via::Origin;

/// Calls one tool. The result of the tool, failures too, is a 200; only a body that is no call is a 400.
pub(crate) async fn call(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Some(Caller(caller)) = parts.extensions.get::<Caller>().cloned() else {
        return refusal(API_CALL, StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, "no caller");
    };
    let bytes = match body::read(&parts.headers, body).await {
        Ok(bytes) => bytes,
        Err(fault) => return refusal(API_CALL, fault.status(), ErrorCode::BadRequest, &fault.to_string()),
    };
    if !body::is_json(&parts.headers) {
        let message = "send the call as `Content-Type: application/json`";
        return refusal(API_CALL, StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::BadRequest, message);
    }
    let (tool, arguments) = match parse(&bytes) {
        Ok(call) => call,
        Err(error) => return json_response(StatusCode::BAD_REQUEST, &CanonicalResult::from(error)),
    };
    let incoming = Incoming::new(caller, app.policy(), Door::Api).request_bytes(bytes.len());
    let incoming = match parts.extensions.get::<Origin>() {
        Some(origin) => incoming.through(origin),
        None => incoming,
    };
    let mut answer = dispatch::dispatch(&app, &tool, arguments, incoming).await;
    match body::json(&answer.result) {
        Ok(written) => {
            answer.record.response_bytes(written.len());
            json_bytes(StatusCode::OK, written)
        }
        Err(error) => {
            let message = format!("the result could not be written as JSON: {error}");
            refusal(API_CALL, StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal, &message)
        }
    }
}

/// `{"tool": text, "arguments"?: object}`, nothing else.
fn parse(bytes: &[u8]) -> Result<(String, Value), ToolError> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| decode::invalid("", format!("the body is not JSON: {error}")))?;
    let Value::Object(mut fields) = value else {
        return Err(decode::invalid("", "the body must be an object with `tool` and `arguments`"));
    };
    let tool = match fields.remove("tool") {
        Some(Value::String(tool)) => tool,
        Some(_) => return Err(decode::invalid("tool", "`tool` must be text: the name of a tool")),
        None => return Err(decode::invalid("tool", "`tool` is required: the name of a tool")),
    };
    let arguments = match fields.remove("arguments") {
        None => Value::Object(Map::new()),
        Some(arguments @ Value::Object(_)) => arguments,
        // Some hosts wrap an object as JSON text.
        Some(Value::String(text)) => serde_json::from_str::<Map<String, Value>>(&text)
            .map(Value::Object)
            .map_err(|_| decode::invalid("arguments", "`arguments` must be an object"))?,
        Some(_) => return Err(decode::invalid("arguments", "`arguments` must be an object")),
    };
    match fields.keys().next() {
        None => Ok((tool, arguments)),
        Some(name) => {
            let error = decode::invalid(name, format!("`{name}` is not a field of a call"));
            Err(error.hint("Known fields: tool, arguments."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_no_call_says_what_is_wrong() {
        let message = |body: &str| parse(body.as_bytes()).unwrap_err().to_text();
        assert!(message("").contains("not JSON"));
        assert!(message("[]").contains("must be an object"));
        assert!(message("{}").contains("`tool` is required"));
        assert!(message(r#"{"tool": 1}"#).contains("must be text"));
        assert!(message(r#"{"tool": "x", "arguments": [1]}"#).contains("must be an object"));
        assert!(message(r#"{"tool": "x", "argument": {}}"#).contains("Known fields"));
        assert!(message(&"[".repeat(100_000)).contains("not JSON"), "deep nesting is an error, not a crash");
        assert_eq!(parse(br#"{"tool": "x"}"#).unwrap(), ("x".to_owned(), Value::Object(Map::new())));
    }
}

//! `/openapi.json`: the routes without MCP, as they are.

use std::sync::LazyLock;

use axum::body::Body;
use bytes::Bytes;
use http::{Response, StatusCode};
use serde_json::{Value, json};
use webcodex_contracts::{ErrorCode, table};

use crate::app::API_CALL;
use crate::body::json_bytes;

/// The description; the same for every caller.
pub(crate) async fn serve() -> Response<Body> {
    static WRITTEN: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(document().to_string()));
    json_bytes(StatusCode::OK, WRITTEN.clone())
}

fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "WebCodex",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Understand, search, edit, run and review code in registered projects.",
        },
        "security": [{"bearer": []}],
        "paths": {
            API_CALL: {"post": call_operation()},
            "/healthz": {"get": read_operation("live", "Whether the Server lives", &[(200, "It does.")])},
            "/readyz": {"get": read_operation(
                "ready",
                "Whether calls can be served",
                &[(200, "A Runner is linked and answers."), (503, "Not now; `reason` says why.")],
            )},
            "/openapi.json": {"get": read_operation("describe", "This description", &[(200, "The description.")])},
        },
        "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    })
}

fn call_operation() -> Value {
    let known = table::all().iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>().join(", ");
    let mut responses =
        json!({"200": answer("The tool's result. `success` alone says whether it worked.", result())});
    for (status, meaning) in [
        ("400", "The body is not a call."),
        ("401", "No valid credential was sent."),
        ("403", "A foreign Host or Origin, or a credential that does not open this route."),
        ("405", "The method is not POST."),
        ("413", "The body is larger than 4 MiB."),
        ("415", "The body is not declared as JSON."),
    ] {
        responses[status] = answer(meaning, result());
    }
    json!({
        "operationId": "call_tool",
        "summary": "Calls one tool",
        "description": format!("Tools: {known}. `read_tool_manifest` describes each exactly."),
        "requestBody": {"required": true, "content": {"application/json": {"schema": {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "description": "The tool's name."},
                "arguments": {"type": "object", "description": "The tool's arguments; its own schema checks them."},
            },
            "required": ["tool"],
            "additionalProperties": false,
        }}}},
        "responses": responses,
    })
}

fn read_operation(id: &str, summary: &str, answers: &[(u16, &str)]) -> Value {
    let mut responses = json!({
        "401": answer("No valid credential was sent.", result()),
        "403": answer("A foreign Host or Origin, or a credential that does not open this route.", result()),
        "405": answer("The method is not GET.", result()),
    });
    for (status, meaning) in answers {
        responses[status.to_string()] = answer(meaning, json!({"type": "object"}));
    }
    json!({"operationId": id, "summary": summary, "responses": responses})
}

fn answer(description: &str, schema: Value) -> Value {
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

/// The canonical result.
fn result() -> Value {
    let codes: Vec<_> = ErrorCode::ALL.iter().map(|(code, _)| code.as_str()).collect();
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "output": {"type": "object"},
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string", "enum": codes},
                    "message": {"type": "string"},
                    "hint": {"type": "string"},
                    "field": {"type": "string"},
                    "changed": {"type": "boolean"},
                },
                "required": ["code", "message"],
            },
            "recovery": {"type": "object"},
        },
        "required": ["success", "output"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_plain_and_names_every_tool() {
        let text = document().to_string();
        for keyword in ["oneOf", "anyOf", "allOf", "$ref"] {
            assert!(!text.contains(keyword), "{keyword}");
        }
        for tool in table::all() {
            assert!(text.contains(tool.name.as_str()), "{}", tool.name);
        }
    }
}

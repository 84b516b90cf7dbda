//! A first look at a JSON-RPC message: enough to refuse what is none, in JSON-RPC's own words.

use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Nesting that is passed on, in levels. Arguments may use 64 of them; the JSON reader behind stops at 128.
const MAX_NESTING: usize = 100;

/// JSON-RPC: not JSON.
pub(super) const PARSE_ERROR: i64 = -32700;
/// JSON-RPC: not a message.
pub(super) const INVALID_REQUEST: i64 = -32600;
/// JSON-RPC: parameters that do not fit the method.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC: a fault of ours.
pub(super) const INTERNAL_ERROR: i64 = -32603;

/// A message that is worth passing on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// A request with its id.
    Request(Value),
    /// A notification.
    Notification,
    /// The answer to a request of ours.
    Response,
}

/// Why a body is no message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NotAMessage {
    pub(super) code: i64,
    pub(super) message: String,
    /// The id, where there is a usable one.
    pub(super) id: Value,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Keeps `null` apart from a member that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Looks at `body`.
pub(super) fn look_at(body: &[u8]) -> Result<Message, NotAMessage> {
    let text = std::str::from_utf8(body).map_err(|_| refuse(PARSE_ERROR, "the body is not UTF-8 text"))?;
    if nesting(body) > MAX_NESTING {
        // Counted before the text is read, so deep nesting costs nothing and cannot exhaust a stack.
        return Err(refuse(
            INVALID_REQUEST,
            format!("the message is nested deeper than {MAX_NESTING} levels"),
        ));
    }
    if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<&RawValue>>(text).map_err(|error| unreadable(&error))?;
        return Err(refuse(INVALID_REQUEST, "batches are not served; send one message per request"));
    }
    if !text.trim_start().starts_with('{') {
        serde_json::from_str::<&RawValue>(text).map_err(|error| unreadable(&error))?;
        return Err(refuse(INVALID_REQUEST, "a message is a JSON object"));
    }
    let head: Head<'_> = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    classify(&head)
}

fn classify(head: &Head<'_>) -> Result<Message, NotAMessage> {
    let id = match head.id {
        None => None,
        Some(raw) => Some(usable_id(raw).ok_or_else(|| {
            refuse(INVALID_REQUEST, "`id` must be text or a whole number; leave it out for a notification")
        })?),
    };
    let refused = |message: &str| NotAMessage {
        code: INVALID_REQUEST,
        message: message.to_owned(),
        id: id.clone().unwrap_or(Value::Null),
    };
    if head.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return Err(refused("`jsonrpc` must be \"2.0\""));
    }
    match head.method {
        None if head.result.is_some() || head.error.is_some() => Ok(Message::Response),
        None => Err(refused("`method` is missing")),
        Some(method) if !method.get().starts_with('"') => Err(refused("`method` must be text")),
        Some(_) if head.params.is_some_and(|params| !params.get().starts_with('{')) => {
            Err(NotAMessage { code: INVALID_PARAMS, ..refused("`params` must be an object") })
        }
        Some(_) => Ok(id.map_or(Message::Notification, Message::Request)),
    }
}

fn usable_id(raw: &RawValue) -> Option<Value> {
    let id: Value = serde_json::from_str(raw.get()).ok()?;
    (id.is_string() || id.is_i64()).then_some(id)
}

fn unreadable(error: &serde_json::Error) -> NotAMessage {
    match error.classify() {
        Category::Data => refuse(INVALID_REQUEST, format!("the body is not a message: {error}")),
        _ => refuse(PARSE_ERROR, format!("the body is not JSON: {error}")),
    }
}

fn refuse(code: i64, message: impl Into<String>) -> NotAMessage {
    NotAMessage { code, message: message.into(), id: json!(null) }
}

/// The deepest nesting of brackets outside of texts.
fn nesting(body: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(body: impl AsRef<[u8]>) -> i64 {
        look_at(body.as_ref()).unwrap_err().code
    }

    #[test]
    fn messages_are_told_apart() {
        let request = r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{}}"#;
        assert_eq!(look_at(request.as_bytes()), Ok(Message::Request(json!(7))));
        let text_id = r#"  {"jsonrpc":"2.0","id":"a","method":"ping"}"#;
        assert_eq!(look_at(text_id.as_bytes()), Ok(Message::Request(json!("a"))));
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(look_at(notification.as_bytes()), Ok(Message::Notification));
        assert_eq!(look_at(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(Message::Response));
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for body in [
            &b""[..],
            b"{",
            b"nonsense",
            b"{\"a\":}",
            b"[1,",
            b"{} x",
            b"\xff\xfe",
            b"{\"a\":\"\xff\"}",
            b"\xef\xbb\xbf{}",
        ] {
            assert_eq!(code(body), PARSE_ERROR, "{:?}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn json_that_is_no_message_is_an_invalid_request() {
        for body in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "5",
            "null",
            "\"text\"",
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        ] {
            assert_eq!(code(body), INVALID_REQUEST, "{body}");
        }
    }

    #[test]
    fn the_id_is_repeated_where_there_is_one() {
        let error = look_at(br#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":[]}"#).unwrap_err();
        assert_eq!((error.code, error.id), (INVALID_PARAMS, json!("x")));
    }

    #[test]
    fn deep_nesting_is_refused_before_it_is_read() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}}}}}"#, "[".repeat(1_000_000));
        assert_eq!(code(deep), INVALID_REQUEST);
        let brackets_in_text =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":"\"{}"}}}}"#, "[".repeat(500));
        assert!(look_at(brackets_in_text.as_bytes()).is_ok());
    }
}

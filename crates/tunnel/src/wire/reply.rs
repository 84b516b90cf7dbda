//! What the Server says while it answers a call.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// One message of the Server.
#[derive(Debug)]
pub enum Reply {
    /// A notification on the way.
    Notification(Box<RawValue>),
    /// The result.
    Result(Box<RawValue>),
    /// The error the Server chose; passed on unchanged.
    Error(Box<RawValue>),
}

/// The message is no answer to the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Not JSON.
    #[error("the message is not JSON")]
    NotJson,
    /// JSON, but not the protocol: another id, a request to the client, or no message at all.
    #[error("the message does not answer the call")]
    NotAnAnswer,
}

impl Reply {
    /// Reads one message as an answer to the call with `id`.
    ///
    /// # Errors
    /// [`ReplyError`] where it is none.
    pub fn read(text: &[u8], id: &RawValue) -> Result<Self, ReplyError> {
        let raw: Box<RawValue> = serde_json::from_slice(text).map_err(|_| ReplyError::NotJson)?;
        let keys: HashMap<String, &RawValue> =
            serde_json::from_str(raw.get()).map_err(|_| ReplyError::NotAnAnswer)?;
        if keys.get("jsonrpc").map(|version| version.get()) != Some("\"2.0\"") {
            return Err(ReplyError::NotAnAnswer);
        }
        let answers = keys.get("id").is_some_and(|answered| same_id(answered, id));
        match (keys.contains_key("method"), keys.contains_key("result"), keys.contains_key("error")) {
            (true, false, false) if !keys.contains_key("id") => Ok(Self::Notification(raw)),
            (false, true, false) if answers => Ok(Self::Result(raw)),
            (false, false, true) if answers => Ok(Self::Error(raw)),
            _ => Err(ReplyError::NotAnAnswer),
        }
    }
}

/// Ids are equal as JSON values, so that `"a"` and `"\u0061"` are the same id and `1` and `"1"` are not.
fn same_id(one: &RawValue, other: &RawValue) -> bool {
    if one.get() == other.get() {
        return true;
    }
    let read = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).ok();
    matches!((read(one), read(other)), (Some(one), Some(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, id: &str) -> Result<Reply, ReplyError> {
        Reply::read(text.as_bytes(), &RawValue::from_string(id.to_owned()).unwrap())
    }

    #[test]
    fn only_an_answer_to_this_call_is_one() {
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":"\u0061","result":{}}"#, "\"a\""),
            Ok(Reply::Result(_))
        ));
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32003}}"#, "0"),
            Ok(Reply::Error(_))
        ));
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#, "0"),
            Ok(Reply::Notification(_))
        ));
        for text in [
            r#"{"jsonrpc":"2.0","id":"1","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
            r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
            r#"{"id":1,"result":{}}"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
            "null",
        ] {
            assert_eq!(read(text, "1").unwrap_err(), ReplyError::NotAnAnswer, "{text}");
        }
        assert_eq!(read("<html>", "1").unwrap_err(), ReplyError::NotJson);
        assert_eq!(read("", "1").unwrap_err(), ReplyError::NotJson);
    }
}

//! Giving a result back.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;

use super::HeaderList;

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AnswerKind {
    /// A notification of the Server while a call runs; does not end the command.
    #[serde(rename = "jsonrpc_notify")]
    Notify,
    /// The result or error of a call.
    #[serde(rename = "jsonrpc_response")]
    Response,
    /// The command was itself a notification.
    #[serde(rename = "notify_ack")]
    NotifyAck,
    /// The session was closed, or why not.
    #[serde(rename = "session_termination_response")]
    SessionTermination,
}

/// One answer, with exactly the keys the control plane takes.
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    /// Of the command.
    pub request_id: &'a str,
    /// Of the command, where it named a proper one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<&'a str>,
    /// HTTP status of the exchange with the Server.
    #[serde(serialize_with = "as_number")]
    pub resp_code: StatusCode,
    /// What this answer is.
    pub resp_type: AnswerKind,
    /// Headers of the Server that pass.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub resp_headers: HeaderList,
    /// The message; left out of the two acknowledgements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resp_json: Option<&'a RawValue>,
}

impl Answer<'_> {
    /// The bytes to send; they stay the same when they have to be sent again.
    ///
    /// # Errors
    /// Never for the values this type can hold; the writer's error is passed on.
    pub fn to_bytes(&self) -> Result<Bytes, serde_json::Error> {
        serde_json::to_vec(self).map(Bytes::from)
    }
}

fn as_number<S: serde::Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(status.as_u16())
}

fn as_map<S: serde::Serializer>(list: &HeaderList, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(list.iter().map(|(name, values)| (name, values)).collect::<BTreeMap<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_passed_on_byte_for_byte() {
        let message =
            RawValue::from_string(r#"{ "jsonrpc":"2.0", "id":1.0,"result":{} }"#.to_owned()).unwrap();
        let answer = Answer {
            request_id: "cmd_1",
            channel: Some("main"),
            resp_code: StatusCode::OK,
            resp_type: AnswerKind::Response,
            resp_headers: vec![("Content-Type".to_owned(), vec!["application/json".to_owned()])],
            resp_json: Some(&message),
        };
        assert_eq!(
            answer.to_bytes().unwrap(),
            r#"{"request_id":"cmd_1","channel":"main","resp_code":200,"resp_type":"jsonrpc_response","resp_headers":{"Content-Type":["application/json"]},"resp_json":{ "jsonrpc":"2.0", "id":1.0,"result":{} }}"#
        );
        let answer =
            Answer { resp_type: AnswerKind::NotifyAck, resp_headers: Vec::new(), resp_json: None, ..answer };
        assert_eq!(
            answer.to_bytes().unwrap(),
            r#"{"request_id":"cmd_1","channel":"main","resp_code":200,"resp_type":"notify_ack"}"#
        );
    }
}

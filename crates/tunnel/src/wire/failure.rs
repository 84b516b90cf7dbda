//! The answer made up when the Server gave no usable one.

use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;

/// Where an exchange with the Server broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureSource {
    /// It answered with this HTTP status and no JSON-RPC error.
    TargetHttp,
    /// It could not be reached.
    Connect,
    /// Its answer ended too early.
    TransportClosed,
    /// It took longer than we wait.
    Timeout,
    /// Its answer, or the command, is not what the protocol says.
    Protocol,
    /// The fault is ours.
    ClientInternal,
}

/// What exactly broke; a closed list of the protocol, of which these can happen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum FailureKind {
    ConnectionRefused,
    UnexpectedEof,
    HttpStatus,
    InvalidProtocolResponse,
    MalformedJson,
    NonProtocolResponse,
    ResponseBodyMissing,
    ResponseBodyTooLarge,
    ResponseBodyUnreadable,
    Timeout,
    Unknown,
}

/// A failure with all that is said about it: a status phrase and no text from anywhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The status given to the caller.
    pub status: StatusCode,
    source: FailureSource,
    kind: FailureKind,
    upstream: Option<StatusCode>,
    answered: bool,
}

#[derive(Serialize)]
struct Envelope<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: ErrorBody,
}

#[derive(Serialize)]
struct ErrorBody {
    code: i32,
    message: &'static str,
    data: Data,
}

#[derive(Serialize)]
struct Data {
    tunnel_failure: Detail,
}

#[derive(Serialize)]
struct Detail {
    version: u8,
    source: FailureSource,
    transport_error_kind: FailureKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    upstream_status: Option<u16>,
    upstream_response_received: bool,
}

impl Failure {
    /// The Server answered `status` (400 to 599) without a JSON-RPC error.
    pub fn target_http(status: StatusCode) -> Self {
        if !(status.is_client_error() || status.is_server_error()) {
            return Self::protocol(FailureKind::NonProtocolResponse);
        }
        let (source, kind) = (FailureSource::TargetHttp, FailureKind::HttpStatus);
        Self { status, source, kind, upstream: Some(status), answered: true }
    }

    /// The Server answered with something that is not the protocol.
    pub fn protocol(kind: FailureKind) -> Self {
        Self { answered: true, ..Self::bad_gateway(FailureSource::Protocol, kind) }
    }

    /// The command itself is not what the protocol says, or asks for a channel that is not served.
    pub fn bad_command() -> Self {
        let failure = Self::bad_gateway(FailureSource::Protocol, FailureKind::InvalidProtocolResponse);
        Self { status: StatusCode::BAD_REQUEST, ..failure }
    }

    /// The Server could not be asked.
    pub fn unreachable() -> Self {
        Self::bad_gateway(FailureSource::Connect, FailureKind::ConnectionRefused)
    }

    /// The Server's answer ended before the result.
    pub fn ended_early() -> Self {
        Self {
            answered: true,
            ..Self::bad_gateway(FailureSource::TransportClosed, FailureKind::UnexpectedEof)
        }
    }

    /// The Server took longer than we wait for anything.
    pub fn timed_out() -> Self {
        Self::bad_gateway(FailureSource::Timeout, FailureKind::Timeout)
    }

    /// Something on our side went wrong, for example our own Server refusing our own credential.
    pub fn internal() -> Self {
        Self::bad_gateway(FailureSource::ClientInternal, FailureKind::Unknown)
    }

    fn bad_gateway(source: FailureSource, kind: FailureKind) -> Self {
        Self { status: StatusCode::BAD_GATEWAY, source, kind, upstream: None, answered: false }
    }

    /// Where it broke.
    pub fn source(&self) -> FailureSource {
        self.source
    }

    /// The JSON-RPC error for the request with `id`.
    ///
    /// # Errors
    /// Never for the values this type can hold; the writer's error is passed on.
    pub fn to_json(&self, id: Option<&RawValue>) -> Result<Box<RawValue>, serde_json::Error> {
        serde_json::value::to_raw_value(&Envelope {
            jsonrpc: "2.0",
            id,
            error: ErrorBody {
                code: -32603,
                message: self.status.canonical_reason().unwrap_or("Bad Gateway"),
                data: Data {
                    tunnel_failure: Detail {
                        version: 1,
                        source: self.source,
                        transport_error_kind: self.kind,
                        upstream_status: self.upstream.map(|status| status.as_u16()),
                        upstream_response_received: self.answered,
                    },
                },
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_written_as_the_protocol_says() {
        let id = RawValue::from_string("12".to_owned()).unwrap();
        assert_eq!(
            Failure::unreachable().to_json(Some(&id)).unwrap().get(),
            r#"{"jsonrpc":"2.0","id":12,"error":{"code":-32603,"message":"Bad Gateway","data":{"tunnel_failure":{"version":1,"source":"connect","transport_error_kind":"connection_refused","upstream_response_received":false}}}}"#
        );
        let not_found = Failure::target_http(StatusCode::NOT_FOUND);
        let json = not_found.to_json(Some(&id)).unwrap();
        assert!(
            json.get().contains(r#""upstream_status":404"#)
                && json.get().contains(r#""message":"Not Found""#)
        );
        assert_eq!(Failure::target_http(StatusCode::FOUND).source(), FailureSource::Protocol);
    }
}

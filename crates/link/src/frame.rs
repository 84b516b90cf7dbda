//! The frames of the link. Each is one binary WebSocket message: a kind byte, a call number where there is one, and a
//! body. Whole documents are JSON; answers are cut into chunks so that small calls pass large ones.

use bytes::{BufMut, Bytes, BytesMut};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::{ClientId, ToolName};

use crate::ask::{Question, Verdict};
use crate::control::{ControlRequest, RunnerNews};

/// Raised when a Server and a Runner of different versions can no longer understand each other.
pub const PROTOCOL_GENERATION: u32 = 2;

/// Largest chunk of an answer, in bytes.
pub(crate) const CHUNK_BYTES: usize = 32 * 1024;

/// The Runner's first frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// See [`PROTOCOL_GENERATION`].
    pub generation: u32,
    /// Which Runner this is.
    pub client_id: ClientId,
    /// The Runner's version.
    pub version: String,
    /// What this Runner can do beyond the first version's tools.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// The Runner's process.
    pub pid: u32,
}

/// The Server's answer to a hello that it accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// See [`PROTOCOL_GENERATION`].
    pub generation: u32,
    /// The Server's version.
    pub version: String,
}

/// A call as it travels.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub tool: ToolName,
    /// Canonical arguments of the tool.
    pub arguments: Box<RawValue>,
    /// The caller's side.
    pub context: CallContext,
}

/// Everything that can be said on the link.
#[derive(Debug, Clone)]
pub enum Frame {
    /// Runner → Server, first.
    Hello(Hello),
    /// Server → Runner: accepted.
    Welcome(Welcome),
    /// Server → Runner: not accepted, with the reason.
    Refused(String),
    /// Server → Runner: do this. The number is unique on this connection.
    Call(u64, Box<Call>),
    /// Runner → Server: a part of the result of a call.
    Answer {
        /// The call's number.
        call: u64,
        /// Whether the result is complete with this part.
        last: bool,
        /// Bytes of the result's JSON.
        chunk: Bytes,
    },
    /// Server → Runner: nobody waits for this call any more. Jobs go on; reading may stop.
    Cancel(u64),
    /// Runner → Server: before this call's work is done, ask a person.
    Ask {
        /// The call's number.
        call: u64,
        /// What is asked.
        question: Box<Question>,
    },
    /// Server → Runner: what became of the question.
    Verdict {
        /// The call's number.
        call: u64,
        /// The answer.
        verdict: Verdict,
    },
    /// Server → Runner: a request of the desktop app, answered like a call.
    Control {
        /// Unique on this connection, among calls too.
        number: u64,
        /// What is asked.
        request: Box<ControlRequest>,
    },
    /// Runner → Server: something that the desktop app shows has changed.
    News(RunnerNews),
    /// Either way: are you there?
    Ping,
    /// The answer to a ping.
    Pong,
}

/// A message that is no frame.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The message is empty or ends inside a field.
    #[error("a link frame of {0} bytes is too short")]
    Short(usize),
    /// The kind byte is unknown.
    #[error("a link frame has the unknown kind {0}")]
    UnknownKind(u8),
    /// The body is not the JSON document it should be.
    #[error("a link frame cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The text is not UTF-8.
    #[error("a link frame holds text that is not UTF-8")]
    Text,
}

mod kind {
    pub(super) const HELLO: u8 = 1;
    pub(super) const WELCOME: u8 = 2;
    pub(super) const REFUSED: u8 = 3;
    pub(super) const CALL: u8 = 4;
    pub(super) const ANSWER: u8 = 5;
    pub(super) const LAST_ANSWER: u8 = 6;
    pub(super) const CANCEL: u8 = 7;
    pub(super) const PING: u8 = 8;
    pub(super) const PONG: u8 = 9;
    pub(super) const ASK: u8 = 10;
    pub(super) const VERDICT: u8 = 11;
    pub(super) const CONTROL: u8 = 12;
    pub(super) const NEWS: u8 = 13;
}

impl Frame {
    /// The bytes of the frame.
    pub fn encode(&self) -> Result<Bytes, FrameError> {
        let mut bytes = BytesMut::with_capacity(self.usual_bytes());
        match self {
            Frame::Hello(hello) => json(&mut bytes, kind::HELLO, hello)?,
            Frame::Welcome(welcome) => json(&mut bytes, kind::WELCOME, welcome)?,
            Frame::Refused(reason) => {
                bytes.put_u8(kind::REFUSED);
                bytes.put_slice(reason.as_bytes());
            }
            Frame::Call(number, call) => numbered_json(&mut bytes, kind::CALL, *number, call)?,
            Frame::Answer { call, last, chunk } => {
                bytes.put_u8(if *last { kind::LAST_ANSWER } else { kind::ANSWER });
                bytes.put_u64(*call);
                bytes.put_slice(chunk);
            }
            Frame::Cancel(number) => {
                bytes.put_u8(kind::CANCEL);
                bytes.put_u64(*number);
            }
            Frame::Ask { call, question } => numbered_json(&mut bytes, kind::ASK, *call, question)?,
            Frame::Verdict { call, verdict } => numbered_json(&mut bytes, kind::VERDICT, *call, verdict)?,
            Frame::Control { number, request } => numbered_json(&mut bytes, kind::CONTROL, *number, request)?,
            Frame::News(news) => json(&mut bytes, kind::NEWS, news)?,
            Frame::Ping => bytes.put_u8(kind::PING),
            Frame::Pong => bytes.put_u8(kind::PONG),
        }
        Ok(bytes.freeze())
    }

    /// How much room to begin with.
    fn usual_bytes(&self) -> usize {
        match self {
            Frame::Answer { chunk, .. } => 9 + chunk.len(),
            Frame::Call(_, call) => 512 + call.arguments.get().len(),
            _ => 64,
        }
    }

    /// Reads a frame.
    pub fn decode(message: Bytes) -> Result<Self, FrameError> {
        let kind = *message.first().ok_or(FrameError::Short(0))?;
        let body = message.slice(1..);
        match kind {
            kind::HELLO => Ok(Frame::Hello(serde_json::from_slice(&body)?)),
            kind::WELCOME => Ok(Frame::Welcome(serde_json::from_slice(&body)?)),
            kind::REFUSED => {
                String::from_utf8(body.to_vec()).map(Frame::Refused).map_err(|_| FrameError::Text)
            }
            kind::CALL => {
                let (number, body) = numbered(&body)?;
                Ok(Frame::Call(number, serde_json::from_slice(&body)?))
            }
            kind::ANSWER | kind::LAST_ANSWER => {
                let (call, chunk) = numbered(&body)?;
                Ok(Frame::Answer { call, last: kind == kind::LAST_ANSWER, chunk })
            }
            kind::CANCEL => Ok(Frame::Cancel(numbered(&body)?.0)),
            kind::ASK => {
                let (call, body) = numbered(&body)?;
                Ok(Frame::Ask { call, question: serde_json::from_slice(&body)? })
            }
            kind::VERDICT => {
                let (call, body) = numbered(&body)?;
                Ok(Frame::Verdict { call, verdict: serde_json::from_slice(&body)? })
            }
            kind::CONTROL => {
                let (number, body) = numbered(&body)?;
                Ok(Frame::Control { number, request: serde_json::from_slice(&body)? })
            }
            kind::NEWS => Ok(Frame::News(serde_json::from_slice(&body)?)),
            kind::PING => Ok(Frame::Ping),
            kind::PONG => Ok(Frame::Pong),
            other => Err(FrameError::UnknownKind(other)),
        }
    }
}

fn json(bytes: &mut BytesMut, kind: u8, document: &impl Serialize) -> Result<(), FrameError> {
    bytes.put_u8(kind);
    serde_json::to_writer(bytes.writer(), document)?;
    Ok(())
}

fn numbered_json(
    bytes: &mut BytesMut,
    kind: u8,
    number: u64,
    document: &impl Serialize,
) -> Result<(), FrameError> {
    bytes.put_u8(kind);
    bytes.put_u64(number);
    serde_json::to_writer(bytes.writer(), document)?;
    Ok(())
}

fn numbered(body: &Bytes) -> Result<(u64, Bytes), FrameError> {
    let (number, _) = body.split_first_chunk::<8>().ok_or(FrameError::Short(body.len() + 1))?;
    Ok((u64::from_be_bytes(*number), body.slice(8..)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use webcodex_contracts::call::Grant;
    use webcodex_contracts::policy::WaitingPolicy;

    use super::*;

    fn call() -> Call {
        Call {
            tool: ToolName::ReadFiles,
            arguments: RawValue::from_string(r#"{"project":"agent:a:b"}"#.into()).unwrap(),
            context: CallContext {
                call_id: webcodex_contracts::CallId::parse("c1").unwrap(),
                grant: Grant::All,
                session_id: None,
                policy: WaitingPolicy::default(),
            },
        }
    }

    fn round_trip(frame: &Frame) -> Frame {
        Frame::decode(frame.encode().unwrap()).unwrap()
    }

    #[test]
    fn frames_survive_the_way() {
        let Frame::Call(7, read) = round_trip(&Frame::Call(7, Box::new(call()))) else {
            panic!("another kind")
        };
        assert_eq!((read.tool, read.arguments.get()), (ToolName::ReadFiles, r#"{"project":"agent:a:b"}"#));
        assert_eq!(read.context, call().context);
        let denied = Verdict::Denied { word: "no".into() };
        let back = round_trip(&Frame::Verdict { call: 3, verdict: denied.clone() });
        assert!(matches!(back, Frame::Verdict { call: 3, verdict } if verdict == denied));
        assert!(matches!(round_trip(&Frame::Cancel(u64::MAX)), Frame::Cancel(u64::MAX)));
        assert!(matches!(round_trip(&Frame::Refused("no".into())), Frame::Refused(reason) if reason == "no"));
    }

    proptest! {
        #[test]
        fn an_answer_keeps_its_bytes(number: u64, last: bool, chunk: Vec<u8>) {
            let frame = Frame::Answer { call: number, last, chunk: chunk.clone().into() };
            let Frame::Answer { call, last: was_last, chunk: read } = round_trip(&frame) else { panic!("another kind") };
            prop_assert_eq!((call, was_last, read.to_vec()), (number, last, chunk));
        }

        #[test]
        fn no_message_makes_the_reader_panic(message: Vec<u8>) {
            let _ = Frame::decode(message.into());
        }
    }
}

//! What a poll hands out.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderValue;
use serde_json::value::RawValue;
use webcodex_settings::Secret;

use super::{BodyError, HeaderList, MAIN_CHANNEL, read_timeout};

const MAX_REQUEST_ID: usize = 1024;
const MAX_TOKEN: usize = 4096;

/// The token that belongs to one command; it goes back in a header and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct ShardToken(Secret);

impl ShardToken {
    fn parse(text: String) -> Option<Self> {
        let visible =
            !text.is_empty() && text.len() <= MAX_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic());
        visible.then(|| Self(Secret::new(text)))
    }

    /// The token as a header value that no log shows.
    pub fn to_header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(self.0.expose()).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for ShardToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShardToken(…)")
    }
}

/// What a command asks for.
#[derive(Clone)]
pub enum Work {
    /// A call, which gets an answer with the same id.
    Call {
        /// The id with its JSON type, as it came.
        id: Box<RawValue>,
        /// The method, for records.
        method: String,
        /// The request, byte for byte.
        body: Bytes,
    },
    /// A notification, which is acknowledged.
    Notification {
        /// The method, for records.
        method: String,
        /// The notification, byte for byte.
        body: Bytes,
    },
    /// The end of a session.
    EndSession,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call { method, .. } => write!(f, "Call({method})"),
            Self::Notification { method, .. } => write!(f, "Notification({method})"),
            Self::EndSession => f.write_str("EndSession"),
        }
    }
}

/// One command that can be run.
#[derive(Debug, Clone)]
pub struct Command {
    /// Opaque; goes back in the body.
    pub request_id: String,
    /// Opaque; goes back in the header.
    pub shard_token: ShardToken,
    /// Where it came from; goes back in the body.
    pub channel: String,
    /// How long the caller waits, counted from the headers of the poll's answer.
    pub timeout: Option<Duration>,
    /// All headers, unfiltered.
    pub headers: HeaderList,
    /// What to do.
    pub work: Work,
}

/// A command that cannot be run, but whose caller can be told so.
#[derive(Debug, Clone)]
pub struct Rejected {
    /// Opaque; goes back in the body.
    pub request_id: String,
    /// Opaque; goes back in the header.
    pub shard_token: ShardToken,
    /// Where it came from; `None` where its name is none. Goes back in the body.
    pub channel: Option<String>,
    /// How long the caller waits.
    pub timeout: Option<Duration>,
    /// The id of the call; without one it was the end of a session.
    pub id: Option<Box<RawValue>>,
}

/// One entry of a poll's answer.
#[derive(Debug, Clone)]
pub enum Received {
    /// To be run.
    Command(Command),
    /// To be answered with 400.
    Rejected(Rejected),
    /// Of a kind we do not know; not run and not answered.
    UnknownKind,
    /// Too broken to be answered.
    Unreadable,
}

type Fields<'a> = HashMap<String, &'a RawValue>;

/// Reads the body of a poll that was answered with 200.
///
/// Unknown fields are accepted, and one broken command does not spoil the others.
///
/// # Errors
/// [`BodyError`] where the whole body cannot be read.
pub fn read_poll(body: &[u8]) -> Result<Vec<Received>, BodyError> {
    let Ok(top) = serde_json::from_slice::<Fields<'_>>(body) else { return Err(BodyError::of(body)) };
    let list = top.get("commands").ok_or(BodyError::Unexpected)?;
    let list: Option<Vec<&RawValue>> = serde_json::from_str(list.get()).map_err(|_| BodyError::Unexpected)?;
    Ok(list.unwrap_or_default().into_iter().map(read_one).collect())
}

fn read_one(raw: &RawValue) -> Received {
    let Ok(fields) = serde_json::from_str::<Fields<'_>>(raw.get()) else {
        return Received::Unreadable;
    };
    let kind = text(&fields, "command_type");
    let ends_session = match kind.as_deref() {
        Some("session_termination") => true,
        Some("jsonrpc") | None => false,
        Some(_) => return Received::UnknownKind,
    };
    let request_id = text(&fields, "request_id").filter(|id| !id.is_empty() && id.len() <= MAX_REQUEST_ID);
    let (Some(request_id), Some(shard_token)) =
        (request_id, text(&fields, "shard_token").and_then(ShardToken::parse))
    else {
        return Received::Unreadable;
    };
    let timeout = fields.get("response_timeout").and_then(|value| read_timeout(value.get()));
    let message =
        fields.get("jsonrpc").and_then(|value| serde_json::from_str::<Fields<'_>>(value.get()).ok());
    let id = message
        .as_ref()
        .and_then(|message| message.get("id"))
        .filter(|id| is_id(id))
        .map(|id| (*id).to_owned());
    let channel = channel(&fields);
    let work = if ends_session {
        Some(Work::EndSession)
    } else {
        message.as_ref().zip(fields.get("jsonrpc")).and_then(|(message, raw)| read_message(message, raw))
    };
    match (work, headers(&fields), channel) {
        (Some(work), Some(headers), Some(channel)) if kind.is_some() => {
            Received::Command(Command { request_id, shard_token, channel, timeout, headers, work })
        }
        (_, _, channel) if ends_session || id.is_some() => {
            Received::Rejected(Rejected { request_id, shard_token, channel, timeout, id })
        }
        _ => Received::Unreadable,
    }
}

fn read_message(message: &Fields<'_>, raw: &RawValue) -> Option<Work> {
    let method = text(message, "method")?;
    let body = Bytes::copy_from_slice(raw.get().as_bytes());
    match message.get("id") {
        Some(id) if is_id(id) => Some(Work::Call { id: (*id).to_owned(), method, body }),
        Some(_) => None,
        None => Some(Work::Notification { method, body }),
    }
}

/// An id of a call is a string or a number.
fn is_id(raw: &RawValue) -> bool {
    matches!(raw.get().as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
}

fn text(fields: &Fields<'_>, key: &str) -> Option<String> {
    serde_json::from_str(fields.get(key)?.get()).ok()
}

/// The channel; `None` where its name is none.
fn channel(fields: &Fields<'_>) -> Option<String> {
    let Some(raw) = fields.get("channel").filter(|raw| raw.get() != "null") else {
        return Some(MAIN_CHANNEL.to_owned());
    };
    let letter = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    let name: String = serde_json::from_str(raw.get()).ok()?;
    ((1..=64).contains(&name.len()) && name.bytes().all(letter)).then_some(name)
}

/// The headers; `None` where they are no map. A value that is no list of texts is left out.
fn headers(fields: &Fields<'_>) -> Option<HeaderList> {
    let Some(raw) = fields.get("headers").filter(|raw| raw.get() != "null") else {
        return Some(HeaderList::new());
    };
    let map: serde_json::Map<String, serde_json::Value> = serde_json::from_str(raw.get()).ok()?;
    let list =
        map.into_iter().filter_map(|(name, values)| Some((name, serde_json::from_value(values).ok()?)));
    Some(list.collect())
}

#[cfg(test)]
mod tests;

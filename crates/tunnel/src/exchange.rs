//! One exchange with the Server: a request, perhaps notifications, and exactly one end.

use std::panic::AssertUnwindSafe;

use bytes::Bytes;
use futures_util::FutureExt;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::value::RawValue;

use crate::sse::Events;
use crate::status::{LocalServer, Reason};
use crate::target::{Target, TargetBody};
use crate::wire::{Failure, FailureKind, ForwardedHeaders, HeaderList, Reply, ReplyError, for_service};

/// A larger answer is replaced by a short error.
const MAX_ANSWER: usize = 8 * 1024 * 1024;
/// No more of an answer that is no success is looked at for a JSON-RPC error.
const MAX_ERROR: usize = 100 * 1024;

/// How an exchange ended.
#[derive(Debug)]
pub(crate) struct End {
    /// The status to give back.
    pub(crate) status: StatusCode,
    /// The headers to give back.
    pub(crate) headers: HeaderList,
    /// The message to give back; a failure is made up later, when the id is at hand.
    pub(crate) message: Result<Box<RawValue>, Failure>,
    /// What was seen of the Server.
    pub(crate) local: LocalServer,
}

/// What comes next in an exchange.
pub(crate) enum Said {
    /// A notification on the way, with the headers to give back.
    Notification(Box<RawValue>, HeaderList),
    /// The end.
    End(End),
}

/// A running exchange for a call.
pub(crate) struct Exchange<'a> {
    id: &'a RawValue,
    status: StatusCode,
    headers: HeaderMap,
    body: TargetBody,
    /// `None`: the body is one message and not a stream of them.
    events: Option<Events>,
}

impl<'a> Exchange<'a> {
    /// Sends the call with `id`.
    pub(crate) async fn begin(
        target: &Target,
        id: &'a RawValue,
        forwarded: ForwardedHeaders,
        request: Bytes,
    ) -> Result<Self, End> {
        let response = target.send(Method::POST, forwarded, request).await.map_err(|_| End::unreachable())?;
        let (head, body) = response.into_parts();
        if head.status == StatusCode::UNAUTHORIZED {
            return Err(End::refused());
        }
        let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_stream = kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream");
        let events = (is_stream && head.status.is_success()).then(Events::default);
        Ok(Self { id, status: head.status, headers: head.headers, body, events })
    }

    /// What the Server says next. Must not be called after the end.
    pub(crate) async fn next(&mut self) -> Said {
        match AssertUnwindSafe(self.read()).catch_unwind().await {
            Ok(said) => said,
            Err(_) => Said::End(End::unreachable()),
        }
    }

    async fn read(&mut self) -> Said {
        if self.events.is_none() {
            let most = if self.status.is_success() { MAX_ANSWER } else { MAX_ERROR };
            let message = match read_all(&mut self.body, most).await {
                Ok(body) => self.single(&body),
                Err(kind) => Err(self.failure(kind)),
            };
            return Said::End(self.end(message));
        }
        loop {
            if let Some(said) = self.next_event() {
                return said;
            }
            let piece = match self.body.frame().await {
                Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
                Some(Err(_)) | None => return Said::End(self.end(Err(Failure::ended_early()))),
            };
            if self.events.as_mut().is_some_and(|events| events.push(&piece).is_err()) {
                let failure = Failure::protocol(FailureKind::ResponseBodyTooLarge);
                return Said::End(self.end(Err(failure)));
            }
        }
    }

    fn next_event(&mut self) -> Option<Said> {
        let event = self.events.as_mut()?.next()?;
        let message = match Reply::read(&event, self.id) {
            Ok(Reply::Notification(message)) => {
                return Some(Said::Notification(message, for_service(&self.headers)));
            }
            Ok(Reply::Result(message) | Reply::Error(message)) => Ok(message),
            Err(error) => Err(Failure::protocol(kind_of(error))),
        };
        Some(Said::End(self.end(message)))
    }

    fn single(&self, body: &[u8]) -> Result<Box<RawValue>, Failure> {
        if body.trim_ascii().is_empty() {
            return Err(self.failure(FailureKind::ResponseBodyMissing));
        }
        match Reply::read(body, self.id) {
            Ok(Reply::Result(message)) if self.status.is_success() => Ok(message),
            Ok(Reply::Error(message)) if !self.status.is_redirection() => Ok(message),
            Ok(_) => Err(self.failure(FailureKind::NonProtocolResponse)),
            Err(error) => Err(self.failure(kind_of(error))),
        }
    }

    /// An HTTP error says more than what is wrong with its body.
    fn failure(&self, kind: FailureKind) -> Failure {
        if self.status.is_success() { Failure::protocol(kind) } else { Failure::target_http(self.status) }
    }

    fn end(&self, message: Result<Box<RawValue>, Failure>) -> End {
        let status = message.as_ref().map_or_else(|failure| failure.status, |_| self.status);
        let mut headers = if message.is_ok() { for_service(&self.headers) } else { HeaderList::new() };
        if self.events.is_none() || message.is_err() {
            set_json(&mut headers);
        }
        End { status, headers, message, local: LocalServer::Works }
    }
}

impl End {
    /// An end that was made up here.
    pub(crate) fn failed(failure: Failure, local: LocalServer) -> Self {
        let mut headers = HeaderList::new();
        set_json(&mut headers);
        Self { status: failure.status, headers, message: Err(failure), local }
    }

    fn unreachable() -> Self {
        Self::failed(Failure::unreachable(), LocalServer::Broken(Reason::LocalServerDown))
    }

    /// Our own Server refused our own credential: a fault of ours that must not start a login in ChatGPT.
    fn refused() -> Self {
        Self::failed(Failure::internal(), LocalServer::Broken(Reason::LocalServerRefuses))
    }
}

/// Sends something that is only acknowledged; the status, and what was seen of the Server.
pub(crate) async fn acknowledge(
    target: &Target,
    method: Method,
    forwarded: ForwardedHeaders,
    body: Bytes,
) -> (StatusCode, HeaderList, LocalServer) {
    let none = HeaderList::new();
    match target.send(method, forwarded, body).await {
        Err(_) => (StatusCode::BAD_GATEWAY, none, LocalServer::Broken(Reason::LocalServerDown)),
        Ok(response) if response.status() == StatusCode::UNAUTHORIZED => {
            (StatusCode::BAD_GATEWAY, none, LocalServer::Broken(Reason::LocalServerRefuses))
        }
        Ok(response) => (response.status(), for_service(response.headers()), LocalServer::Works),
    }
}

async fn read_all(body: &mut TargetBody, most: usize) -> Result<Vec<u8>, FailureKind> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| FailureKind::ResponseBodyUnreadable)?;
        bytes.extend_from_slice(&frame.into_data().unwrap_or_default());
        if bytes.len() > most {
            return Err(FailureKind::ResponseBodyTooLarge);
        }
    }
    Ok(bytes)
}

fn set_json(headers: &mut HeaderList) {
    let json = vec!["application/json".to_owned()];
    match headers.iter_mut().find(|(name, _)| name == "Content-Type") {
        Some((_, values)) => *values = json,
        None => headers.push(("Content-Type".to_owned(), json)),
    }
}

fn kind_of(error: ReplyError) -> FailureKind {
    match error {
        ReplyError::NotJson => FailureKind::MalformedJson,
        ReplyError::NotAnAnswer => FailureKind::InvalidProtocolResponse,
    }
}

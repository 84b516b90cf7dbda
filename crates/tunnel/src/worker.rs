//! Runs commands: each once, each with at most one end.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, StatusCode};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::clock::{Clock, Deadline};
use crate::delivery::{Delivery, Fate};
use crate::exchange::{End, Exchange, Said, acknowledge};
use crate::status::{Board, Call, CallOutcome, LocalServer, Moment, Reason};
use crate::target::Target;
use crate::wire::{
    Answer, AnswerKind, Command, Failure, FailureKind, ForwardedHeaders, HeaderList, MAIN_CHANNEL, Rejected,
    ShardToken, Work, for_target,
};

/// So many commands run at once.
pub(crate) const AT_ONCE: usize = 16;
/// Nothing lives for ever, whatever the caller allows.
const CEILING: Duration = Duration::from_secs(600);

/// What all commands of a connection share.
pub(crate) struct Worker {
    pub(crate) target: Target,
    pub(crate) delivery: Delivery,
    pub(crate) board: Board,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) places: Semaphore,
}

/// Where an answer goes.
struct Address<'a> {
    request_id: &'a str,
    channel: Option<&'a str>,
    token: &'a ShardToken,
}

impl Worker {
    /// Runs `command` and delivers its end, unless `deadline` passes first: then nothing more happens.
    pub(crate) async fn run(&self, command: Command, deadline: Deadline) {
        let outcome = tokio::select! {
            biased;
            () = deadline.passed() => CallOutcome::Expired,
            outcome = self.run_and_deliver(&command) => outcome,
        };
        self.board.count(|counters| match outcome {
            CallOutcome::Answered | CallOutcome::Failed => counters.answered += 1,
            CallOutcome::Expired => counters.expired += 1,
            CallOutcome::NotDelivered => counters.undelivered += 1,
        });
        let method = match &command.work {
            Work::Call { method, .. } | Work::Notification { method, .. } => name(method),
            Work::EndSession => "session_termination".to_owned(),
        };
        let protocol = protocol(&command.headers);
        tracing::debug!(method, ?outcome, "a command ended");
        self.board.call(Call { at: Moment::from(self.clock.wall()), method, outcome, protocol });
    }

    /// Tells the caller of an unusable command so.
    pub(crate) async fn reject(&self, rejected: Rejected, deadline: Deadline) {
        let address = Address {
            request_id: &rejected.request_id,
            channel: rejected.channel.as_deref(),
            token: &rejected.shard_token,
        };
        let answer = async {
            match &rejected.id {
                Some(id) => self.fail(&address, Some(id), Failure::bad_command()).await,
                None => {
                    self.acknowledged(
                        &address,
                        AnswerKind::SessionTermination,
                        StatusCode::BAD_REQUEST,
                        Vec::new(),
                    )
                    .await
                }
            }
        };
        tokio::select! {
            biased;
            () = deadline.passed() => {}
            _ = answer => {}
        }
    }

    async fn run_and_deliver(&self, command: &Command) -> CallOutcome {
        // Closed never; without a place nothing is run.
        let Ok(_place) = self.places.acquire().await else { return CallOutcome::NotDelivered };
        let address = Address {
            request_id: &command.request_id,
            channel: Some(&command.channel),
            token: &command.shard_token,
        };
        let served = command.channel == MAIN_CHANNEL;
        let forwarded = self.forward(&command.headers);
        match &command.work {
            Work::Call { id, .. } if !served => self.fail(&address, Some(id), Failure::bad_command()).await,
            Work::Call { id, body, .. } => self.call(&address, id, forwarded, body.clone()).await,
            Work::Notification { body, .. } => {
                let request = served.then(|| (Method::POST, forwarded, body.clone()));
                self.acknowledge(&address, AnswerKind::NotifyAck, request).await
            }
            Work::EndSession => {
                let known = served && forwarded.headers.contains_key("mcp-session-id");
                let request = known.then(|| (Method::DELETE, forwarded, Bytes::new()));
                self.acknowledge(&address, AnswerKind::SessionTermination, request).await
            }
        }
    }

    fn forward(&self, headers: &HeaderList) -> ForwardedHeaders {
        let forwarded = for_target(headers);
        if forwarded.dropped > 0 {
            self.board.count(|counters| counters.dropped_headers += forwarded.dropped as u64);
        }
        if forwarded.carried_credentials {
            self.board.notice(Reason::ConnectorSendsCredentials);
        }
        forwarded
    }

    async fn call(
        &self,
        address: &Address<'_>,
        id: &RawValue,
        forwarded: ForwardedHeaders,
        body: Bytes,
    ) -> CallOutcome {
        let end = timeout(CEILING, self.exchange(address, id, forwarded, body))
            .await
            .unwrap_or_else(|_| End::failed(Failure::timed_out(), LocalServer::Works));
        self.board.local_server(end.local);
        match end.message {
            Ok(message) => {
                let fate =
                    self.post(address, AnswerKind::Response, end.status, end.headers, Some(&message)).await;
                match fate {
                    Fate::TooBig => {
                        self.board.count(|counters| counters.too_big += 1);
                        self.fail(address, Some(id), Failure::protocol(FailureKind::ResponseBodyTooLarge))
                            .await
                    }
                    fate => outcome(fate, CallOutcome::Answered),
                }
            }
            Err(failure) => self.fail(address, Some(id), failure).await,
        }
    }

    async fn exchange(
        &self,
        address: &Address<'_>,
        id: &RawValue,
        forwarded: ForwardedHeaders,
        body: Bytes,
    ) -> End {
        match Exchange::begin(&self.target, id, forwarded, body).await {
            Ok(exchange) => self.follow(address, exchange).await,
            Err(end) => end,
        }
    }

    /// Passes notifications on until the end. After one that was not taken the rest is left out, the end is not.
    async fn follow(&self, address: &Address<'_>, mut exchange: Exchange<'_>) -> End {
        let mut wanted = true;
        loop {
            match exchange.next().await {
                Said::End(end) => return end,
                Said::Notification(message, headers) if wanted => {
                    let body = write(address, AnswerKind::Notify, StatusCode::OK, headers, Some(&message));
                    wanted = match body {
                        Some(body) => self.delivery.notify(address.token, &body).await == Fate::Accepted,
                        None => false,
                    };
                }
                Said::Notification(..) => {}
            }
        }
    }

    /// Sends the request and acknowledges; without one the command was a bad one.
    async fn acknowledge(
        &self,
        address: &Address<'_>,
        kind: AnswerKind,
        request: Option<(Method, ForwardedHeaders, Bytes)>,
    ) -> CallOutcome {
        let Some((method, forwarded, body)) = request else {
            return self.acknowledged(address, kind, StatusCode::BAD_REQUEST, Vec::new()).await;
        };
        let run = acknowledge(&self.target, method, forwarded, body);
        let (status, headers) = match timeout(CEILING, run).await {
            Ok((status, headers, local)) => {
                self.board.local_server(local);
                (status, headers)
            }
            Err(_) => (StatusCode::BAD_GATEWAY, Vec::new()),
        };
        self.acknowledged(address, kind, status, headers).await
    }

    async fn acknowledged(
        &self,
        address: &Address<'_>,
        kind: AnswerKind,
        status: StatusCode,
        headers: HeaderList,
    ) -> CallOutcome {
        let success = if status.is_success() { CallOutcome::Answered } else { CallOutcome::Failed };
        outcome(self.post(address, kind, status, headers, None).await, success)
    }

    async fn fail(&self, address: &Address<'_>, id: Option<&RawValue>, failure: Failure) -> CallOutcome {
        let end = End::failed(failure, LocalServer::Works);
        let Ok(message) = failure.to_json(id) else { return CallOutcome::NotDelivered };
        let fate =
            self.post(address, AnswerKind::Response, failure.status, end.headers, Some(&message)).await;
        outcome(fate, CallOutcome::Failed)
    }

    async fn post(
        &self,
        address: &Address<'_>,
        kind: AnswerKind,
        status: StatusCode,
        headers: HeaderList,
        message: Option<&RawValue>,
    ) -> Fate {
        match write(address, kind, status, headers, message) {
            Some(body) => self.delivery.deliver(address.token, &body).await,
            None => Fate::Undelivered,
        }
    }
}

fn write(
    address: &Address<'_>,
    kind: AnswerKind,
    status: StatusCode,
    headers: HeaderList,
    message: Option<&RawValue>,
) -> Option<Bytes> {
    let answer = Answer {
        request_id: address.request_id,
        channel: address.channel,
        resp_code: status,
        resp_type: kind,
        resp_headers: headers,
        resp_json: message,
    };
    answer.to_bytes().ok()
}

fn outcome(fate: Fate, success: CallOutcome) -> CallOutcome {
    match fate {
        Fate::Accepted => success,
        Fate::NobodyWaits => CallOutcome::Expired,
        Fate::TooBig | Fate::Undelivered => CallOutcome::NotDelivered,
    }
}

/// A method as it may be shown: a plain short name, whatever was sent.
fn name(method: &str) -> String {
    let plain =
        |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '_' | '-' | '.' | '$');
    method.chars().filter(plain).take(64).collect()
}

/// The version of MCP a caller speaks, where it is one.
fn protocol(headers: &HeaderList) -> Option<String> {
    let (_, values) = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("mcp-protocol-version"))?;
    let version = values.first()?;
    let is_date = version.len() == 10 && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date.then(|| version.clone())
}

//! Serves one request, or does to it what the script says.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use http::request::Parts;
use http::{Method, Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};

use super::book::{Poll, Post};
use super::{Endpoint, FakeControlPlane, Fault, check};

type Body = UnsyncBoxBody<Bytes, io::Error>;
type Served = Result<Response<Body>, io::Error>;

impl FakeControlPlane {
    /// Answers one request; an error ends the connection.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Served {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let other = self.book().others.iter().find(|other| other.endpoint(&parts).is_some()).cloned();
        other.as_ref().unwrap_or(self).answer_own(parts, body).await
    }

    async fn answer_own(&self, parts: Parts, body: Bytes) -> Served {
        let Some(endpoint) = self.endpoint(&parts) else {
            self.book().breach(format!("{} {} is no place to ask", parts.method, parts.uri));
            return Ok(error(404, "not_found"));
        };
        let key_is_good = check::request(&mut self.book(), &parts);
        if endpoint == Endpoint::Tunnel {
            self.book().lookups += 1;
        }
        let fault = self.book().faults.take(endpoint);
        if endpoint == Endpoint::Poll {
            self.note_poll(&parts);
            self.changed.notify_waiters();
        }
        let answer = self.meet(endpoint, fault, &parts, &body, key_is_good).await;
        self.changed.notify_waiters();
        answer
    }

    async fn meet(
        &self,
        endpoint: Endpoint,
        fault: Fault,
        parts: &Parts,
        body: &Bytes,
        key_is_good: bool,
    ) -> Served {
        match fault {
            Fault::Status(status, code, retry_after) => {
                self.note_untaken(endpoint, body);
                let mut answer = error(status, code.unwrap_or_default());
                if let Some(value) = retry_after.and_then(|text| text.parse().ok()) {
                    answer.headers_mut().insert("retry-after", value);
                }
                return Ok(answer);
            }
            Fault::Body(status, kind, text) => return Ok(respond(status, kind, text)),
            Fault::Redirect(place) => {
                self.note_untaken(endpoint, body);
                let mut answer = respond(302, "text/html", String::new());
                answer.headers_mut().insert("location", place.parse().map_err(io::Error::other)?);
                return Ok(answer);
            }
            Fault::Cut(after) => {
                self.note_untaken(endpoint, body);
                sleep(after).await;
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            Fault::Hang => {
                self.note_untaken(endpoint, body);
                std::future::pending::<()>().await;
            }
            Fault::Slow(time) => sleep(time).await,
            _ => {}
        }
        if !key_is_good {
            return Ok(error(401, "invalid_api_key"));
        }
        let answer = match endpoint {
            Endpoint::Tunnel => {
                let body =
                    json!({"id": self.book().tunnel, "name": "Test tunnel", "description": "", "more": 1});
                respond(200, "application/json", body.to_string())
            }
            Endpoint::Poll => self.poll(parts, &fault).await,
            Endpoint::Response => self.take(parts, body),
        };
        match fault {
            Fault::LoseAnswer => Err(io::ErrorKind::ConnectionReset.into()),
            Fault::LieAbout(status) => Ok(error(status, "")),
            Fault::CutInBody => cut(answer).await,
            Fault::SlowBody(time) => slow(answer, time).await,
            _ => Ok(answer),
        }
    }

    fn endpoint(&self, parts: &Parts) -> Option<Endpoint> {
        let base = format!("/v1/tunnels/{}", self.book().tunnel);
        let rest = parts.uri.path().strip_prefix(&base)?;
        match (&parts.method, rest) {
            (&Method::GET, "") => Some(Endpoint::Tunnel),
            (&Method::GET, "/poll") => Some(Endpoint::Poll),
            (&Method::POST, "/response") => Some(Endpoint::Response),
            _ => None,
        }
    }

    fn note_poll(&self, parts: &Parts) {
        let (limit, timeout_ms) = poll_wishes(parts);
        let mut book = self.book();
        if !(1..=25).contains(&limit)
            || timeout_ms > 600_000
            || parts.headers.contains_key("x-tunnel-shard-token")
        {
            book.breach(format!("a poll asks for {:?}", parts.uri.query()));
        }
        book.polls.push(Poll { at: Instant::now(), limit, timeout_ms });
    }

    /// Notes a post that was not even looked at.
    fn note_untaken(&self, endpoint: Endpoint, body: &Bytes) {
        if endpoint == Endpoint::Response {
            let value = serde_json::from_slice(body).unwrap_or_default();
            self.note_post(&value, body, false);
        }
    }

    fn note_post(&self, value: &Value, body: &Bytes, taken: bool) {
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let (request_id, kind) = (text("request_id"), text("resp_type"));
        self.book().posts.push(Post { at: Instant::now(), request_id, kind, body: body.to_vec(), taken });
    }

    async fn poll(&self, parts: &Parts, fault: &Fault) -> Response<Body> {
        let (limit, timeout_ms) = poll_wishes(parts);
        let end = Instant::now() + Duration::from_millis(timeout_ms.min(60_000));
        let _open = OpenPoll::new(self);
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if !self.book().queue.is_empty() {
                break;
            }
            if timeout_at(end, changed).await.is_err() {
                return match fault {
                    Fault::EmptyList => respond(200, "application/json", r#"{"commands":[]}"#.to_owned()),
                    _ => respond(204, "", String::new()),
                };
            }
        }
        let mut book = self.book();
        if matches!(fault, Fault::LoseAnswer | Fault::CutInBody | Fault::LieAbout(_)) {
            book.lost += book.queue.iter().take(limit).filter(|queued| !queued.copy).count();
        }
        let body = match fault {
            Fault::TooMany => book.hand_out(usize::MAX),
            Fault::Duplicate => {
                let mut kept = book.queue.clone();
                kept.iter_mut().take(limit).for_each(|queued| queued.copy = true);
                let body = book.hand_out(limit);
                book.queue = kept;
                body
            }
            _ => book.hand_out(limit),
        };
        respond(200, "application/json", body)
    }

    fn take(&self, parts: &Parts, body: &Bytes) -> Response<Body> {
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        let request_id = value["request_id"].as_str().unwrap_or_default().to_owned();
        let token = parts
            .headers
            .get("x-tunnel-shard-token")
            .and_then(|token| token.to_str().ok())
            .unwrap_or_default();
        let json = parts.headers.get("content-type").is_some_and(|kind| kind == "application/json");
        let answer = {
            let mut book = self.book();
            let text = String::from_utf8_lossy(body);
            if !json || book.forbidden.iter().any(|forbidden| text.contains(forbidden.as_str())) {
                book.breach("an answer is not JSON or holds a forbidden text");
            }
            let wrong = match book.known.get(&request_id) {
                None => None,
                Some(known) if known.ended => None,
                Some(known) => Some(check::answer(known, token, &value)),
            };
            match wrong {
                _ if body.len() > book.max_body => error(413, "request_body_too_large"),
                None => error(404, "pending_request_not_found"),
                Some(wrong) if !wrong.is_empty() => {
                    book.breaches
                        .extend(wrong.into_iter().map(|what| format!("answer to {request_id}: {what}")));
                    error(400, "invalid_request")
                }
                Some(_) => {
                    let ends = value["resp_type"] != "jsonrpc_notify";
                    if let Some(known) = book.known.get_mut(&request_id) {
                        known.taken.push(value.clone());
                        known.ended = ends;
                    }
                    if ends {
                        book.note_end(&request_id);
                    }
                    respond(200, "application/json", r#"{"status":"ok"}"#.to_owned())
                }
            }
        };
        self.note_post(&value, body, answer.status() == 200);
        answer
    }
}

/// Counts open polls: one client has one.
struct OpenPoll(FakeControlPlane);

impl OpenPoll {
    fn new(plane: &FakeControlPlane) -> Self {
        let mut book = plane.book();
        book.open_polls += 1;
        if book.open_polls > 1 {
            book.breach("two polls at once");
        }
        Self(plane.clone())
    }
}

impl Drop for OpenPoll {
    fn drop(&mut self) {
        self.0.book().open_polls -= 1;
    }
}

fn poll_wishes(parts: &Parts) -> (usize, u64) {
    let query = parts.uri.query().unwrap_or_default();
    let read = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let limit = read("limit").and_then(|text| text.parse().ok()).unwrap_or_default();
    (limit, read("timeout_ms").and_then(|text| text.parse().ok()).unwrap_or(u64::MAX))
}

fn respond(status: u16, kind: &str, body: String) -> Response<Body> {
    let body = Full::new(Bytes::from(body)).map_err(|never| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    if let (false, Ok(kind)) = (kind.is_empty(), kind.parse()) {
        response.headers_mut().insert("content-type", kind);
    }
    response.headers_mut().insert("x-request-id", http::HeaderValue::from_static("req-test-1"));
    response
}

fn error(status: u16, code: &str) -> Response<Body> {
    let code = if code.is_empty() { Value::Null } else { Value::from(code) };
    let body =
        json!({"error": {"type": "invalid_request_error", "code": code, "message": "no", "param": null}});
    respond(status, "application/json", body.to_string())
}

async fn cut(response: Response<Body>) -> Served {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await?.to_bytes();
    let half = Frame::data(bytes.slice(..bytes.len() / 2));
    let frames = stream::iter([Ok(half), Err(io::ErrorKind::ConnectionReset)]).then(|frame| async {
        // What was written before has to leave first.
        if frame.is_err() {
            sleep(Duration::from_millis(10)).await;
        }
        frame.map_err(io::Error::from)
    });
    Ok(Response::from_parts(parts, BodyExt::boxed_unsync(StreamBody::new(frames))))
}

async fn slow(response: Response<Body>, time: Duration) -> Served {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await?.to_bytes();
    let frames = stream::iter([Ok(Frame::data(bytes))]).then(move |frame| async move {
        sleep(time).await;
        frame
    });
    Ok(Response::from_parts(parts, BodyExt::boxed_unsync(StreamBody::new(frames))))
}

//! A Server that does what the method of a call says, and counts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The Server. Clones are the same Server.
#[derive(Clone, Default)]
pub(crate) struct TestTarget(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    runs: HashMap<String, usize>,
    headers: Option<HeaderMap>,
    deletes: usize,
    down: Option<StatusCode>,
}

impl TestTarget {
    pub(crate) fn router(&self) -> Router {
        let target = self.clone();
        Router::new().route("/mcp", any(move |request: Request| target.clone().answer(request)))
    }

    /// How often anything ran.
    pub(crate) fn runs(&self) -> usize {
        self.0.lock().unwrap().runs.values().sum()
    }

    /// How often the same thing ran at most.
    pub(crate) fn most_runs(&self) -> usize {
        self.0.lock().unwrap().runs.values().copied().max().unwrap_or(0)
    }

    /// The headers of the last request.
    pub(crate) fn headers(&self) -> HeaderMap {
        self.0.lock().unwrap().headers.clone().unwrap_or_default()
    }

    pub(crate) fn deletes(&self) -> usize {
        self.0.lock().unwrap().deletes
    }

    /// Answers everything with this status.
    pub(crate) fn answer_all(&self, status: Option<StatusCode>) {
        self.0.lock().unwrap().down = status;
    }

    async fn answer(self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let authorized = parts.headers.get_all("authorization").iter().count() == 1
            && parts.headers["authorization"] == format!("Bearer {}", super::stage::BEARER).as_str();
        assert!(authorized, "every request carries our bearer and no other");
        assert!(parts.extensions.get::<webcodex_tunnel::ThroughTunnel>().is_some());
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let down = {
            let mut seen = self.0.lock().unwrap();
            seen.headers = Some(parts.headers);
            let what = if parts.method == Method::DELETE { "delete".to_owned() } else { message.to_string() };
            *seen.runs.entry(what).or_default() += 1;
            seen.deletes += usize::from(parts.method == Method::DELETE);
            seen.down
        };
        match down {
            Some(status) => status.into_response(),
            None if parts.method == Method::DELETE => StatusCode::NO_CONTENT.into_response(),
            None => perform(&message).await,
        }
    }
}

/// Does what the method says.
async fn perform(message: &Value) -> Response {
    let id = &message["id"];
    let params = &message["params"];
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let method = message["method"].as_str().unwrap_or_default();
    match method {
        _ if method.starts_with("notifications/") => StatusCode::ACCEPTED.into_response(),
        "slow" => {
            tokio::time::sleep(Duration::from_millis(params["ms"].as_u64().unwrap())).await;
            axum::Json(result(json!("late"))).into_response()
        }
        "hang" => std::future::pending().await,
        "big" => {
            axum::Json(result(json!("x".repeat(params["bytes"].as_u64().unwrap() as usize)))).into_response()
        }
        "wrong_id" => axum::Json(json!({"jsonrpc": "2.0", "id": "other", "result": {}})).into_response(),
        "no_id" => axum::Json(json!({"jsonrpc": "2.0", "result": {}})).into_response(),
        "asks_back" => axum::Json(json!({"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage"}))
            .into_response(),
        "html" => axum::response::Html("<html>PLANTED-BODY</html>").into_response(),
        "empty" => StatusCode::OK.into_response(),
        "status" => StatusCode::from_u16(params["code"].as_u64().unwrap() as u16).unwrap().into_response(),
        "status_with_error" => {
            let status = StatusCode::from_u16(params["code"].as_u64().unwrap() as u16).unwrap();
            let error = json!({"code": -32004, "message": "own words", "data": {"a": 1}});
            (status, axum::Json(json!({"jsonrpc": "2.0", "id": id, "error": error}))).into_response()
        }
        "status_with_page" => (StatusCode::NOT_FOUND, "PLANTED-BODY ".repeat(20_000)).into_response(),
        "panic" => panic!("PLANTED-BODY"),
        "progress" => stream(progress(id, params["count"].as_u64().unwrap(), true)),
        "stream_cut" => stream(progress(id, 1, false)),
        "stream_wrong_id" => stream(progress(&json!("other"), 0, true)),
        "stream_garbage" => stream(vec!["data: {oops\n\n".to_owned()]),
        "stream_asks_back" => {
            stream(vec![format!("data: {}\n\n", json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}))])
        }
        "stream_too_big" => stream(vec![format!("data: {}\n\n", "x".repeat(5 * 1024 * 1024))]),
        "stream_broken" => {
            let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(2);
            sender.send(Err(std::io::ErrorKind::Other.into())).await.unwrap();
            sse(receiver)
        }
        _ => axum::Json(result(json!({"echo": params}))).into_response(),
    }
}

fn progress(id: &Value, count: u64, ends: bool) -> Vec<String> {
    let mut events = vec!["\u{FEFF}: welcome\n\nid: 0\ndata:\n\n".to_owned()];
    for step in 0..count {
        let params = json!({"progressToken": "p", "progress": step});
        events.push(format!(
            "data: {}\r\n\r\n",
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        ));
    }
    if ends {
        events
            .push(format!("event: message\ndata: {}\n\n", json!({"jsonrpc": "2.0", "id": id, "result": {}})));
    }
    events
}

fn stream(events: Vec<String>) -> Response {
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    tokio::spawn(async move {
        for event in events {
            if sender.send(Ok(event.into())).await.is_err() {
                return;
            }
        }
    });
    sse(receiver)
}

fn sse<E: Into<axum::BoxError> + Send + 'static>(mut receiver: mpsc::Receiver<Result<Bytes, E>>) -> Response {
    let pieces = futures_util::stream::poll_fn(move |context| receiver.poll_recv(context));
    (
        [("content-type", "text/event-stream; charset=utf-8"), ("mcp-session-id", "5f0c")],
        Body::from_stream(pieces),
    )
        .into_response()
}

/// A Server that is not there.
pub(crate) fn absent() -> impl tower::Service<
    http::Request<http_body_util::Full<Bytes>>,
    Response = Response<Body>,
    Error = std::io::Error,
    Future = impl Send,
> + Clone
+ Send
+ Sync {
    tower::service_fn(|_| async { Err::<Response<Body>, _>(std::io::ErrorKind::ConnectionRefused.into()) })
}

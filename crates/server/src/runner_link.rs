//! Where a Runner dials in: the handshake of a WebSocket, then the link.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use webcodex_contracts::{ClientId, ErrorCode};
use webcodex_link::LinkPolicy;

use crate::app::{App, RUNNER_LINK};
use crate::auth::Caller;
use crate::body::refusal;

/// Upgrades the connection and serves the Runner on it until the link ends or the Server stops.
pub(crate) async fn accept(State(app): State<Arc<App>>, mut request: Request) -> Response<Body> {
    let Some(accept) = accept_key(request.headers()) else { return upgrade_required() };
    // A Runner's credential is named after the one Runner that may use it.
    let client = request.extensions().get::<Caller>().map(|Caller(caller)| ClientId::parse(&caller.name));
    let Some(Ok(client)) = client else {
        let message = "this credential does not name a Runner";
        return refusal(RUNNER_LINK, StatusCode::FORBIDDEN, ErrorCode::ScopeDenied, message);
    };
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let stream = match upgrade.await {
            Ok(stream) => TokioIo::new(stream),
            Err(error) => return tracing::debug!(%error, "a Runner's connection was not upgraded"),
        };
        let policy = LinkPolicy { client: Some(client.clone()), version: app.version.clone() };
        tokio::select! {
            ended = app.runners.serve(stream, policy) => match ended {
                Ok(()) => tracing::debug!(%client, "a Runner's link ended"),
                Err(error) => tracing::info!(%client, %error, "a Runner's link ended"),
            },
            () = app.links_end.cancelled() => {}
        }
    });
    switching(accept)
}

/// The answer to the handshake's key; `None` if the request is no handshake of a version we speak.
fn accept_key(headers: &HeaderMap) -> Option<HeaderValue> {
    let has = |name: HeaderName, wanted: &str| {
        let values = headers.get_all(name);
        let mut tokens =
            values.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
        tokens.any(|token| token.trim().eq_ignore_ascii_case(wanted))
    };
    let shaped = has(UPGRADE, "websocket") && has(CONNECTION, "upgrade") && has(SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| shaped)?;
    HeaderValue::from_str(&derive_accept_key(key.as_bytes())).ok()
}

fn switching(accept: HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    response
}

fn upgrade_required() -> Response<Body> {
    let message = "this address speaks WebSocket version 13 with Runners";
    let mut response = refusal(RUNNER_LINK, StatusCode::UPGRADE_REQUIRED, ErrorCode::BadRequest, message);
    response.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
    response.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handshake_is_answered_as_the_standard_says() {
        let mut headers = HeaderMap::new();
        headers.insert(CONNECTION, HeaderValue::from_static("keep-alive, Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("WebSocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(SEC_WEBSOCKET_KEY, HeaderValue::from_static("dGhlIHNhbXBsZSBub25jZQ=="));
        assert_eq!(accept_key(&headers).unwrap(), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "the example of RFC 6455");
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("8"));
        assert_eq!(accept_key(&headers), None);
    }
}

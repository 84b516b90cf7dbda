//! The three requests to the control plane. None is ever repeated here, and no redirect is followed.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, USER_AGENT as USER_AGENT_NAME};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::Access;
use super::classify::{Endpoint, fault_of, is_cut, reason_of};
use super::connector::Connector;
use crate::clock::Clock;
use crate::control_plane::{ControlPlane, Delivered, Polled, TunnelInfo};
use crate::fault::Fault;
use crate::route::{AddressError, Dial};
use crate::status::Reason;
use crate::wire::{
    BodyError, CLIENT_NAME, CLIENT_VERSION, MAX_REFUSAL_BYTES, Refusal, SERVER_INFO, ShardToken, USER_AGENT,
    WIRE_VERSION, read_poll, read_retry_after, read_tunnel_name,
};

/// Beyond its wait a poll may take this long.
pub(crate) const POLL_ALLOWANCE: Duration = Duration::from_secs(5);
const TUNNEL_LIMIT: Duration = Duration::from_secs(15);
const RESPOND_LIMIT: Duration = Duration::from_secs(30);
const MAX_POLL_BYTES: usize = 16 * 1024 * 1024;
/// A cut after less than this is no limit of a proxy.
const SHORTEST_CUT: Duration = Duration::from_secs(5);
const SHARD_TOKEN: HeaderName = HeaderName::from_static("x-tunnel-shard-token");

type Http = Client<Connector, Full<Bytes>>;

/// A control plane behind one route.
pub struct HttpControlPlane {
    /// Polls and posts have their own connections: a stuck poll cannot hold up a result.
    polls: Http,
    posts: Http,
    tunnel: Uri,
    respond: Uri,
    poll: String,
    headers: HeaderMap,
    clock: Arc<dyn Clock>,
}

impl HttpControlPlane {
    /// A control plane reached through `dial`.
    ///
    /// # Errors
    /// [`AddressError`] where the address and the tunnel make no URL.
    pub fn new(access: &Access, dial: &Arc<dyn Dial>, clock: Arc<dyn Clock>) -> Result<Self, AddressError> {
        let base = format!("/v1/tunnels/{}", access.tunnel.as_str());
        let poll = access.address.join(&format!("{base}/poll"))?;
        Ok(Self {
            polls: client(dial),
            posts: client(dial),
            tunnel: access.address.join(&base)?,
            respond: access.address.join(&format!("{base}/response"))?,
            poll: poll.to_string(),
            headers: headers(access).ok_or(AddressError)?,
            clock,
        })
    }

    fn request(&self, method: Method, uri: Uri, body: Bytes) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        request.headers_mut().clone_from(&self.headers);
        request
    }

    async fn ask_tunnel(&self) -> Result<TunnelInfo, Fault> {
        let response =
            self.send(&self.polls, self.request(Method::GET, self.tunnel.clone(), Bytes::new())).await?;
        if response.status() != StatusCode::OK {
            return Err(self.refused(Endpoint::Tunnel, response).await);
        }
        let date =
            response.headers().get(DATE).and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
        let body = read(response.into_body(), MAX_REFUSAL_BYTES).await?;
        read_tunnel_name(&body).map(|name| TunnelInfo { name, date }).map_err(unreadable)
    }

    async fn ask_commands(&self, limit: usize, wait: Duration) -> Result<Polled, Fault> {
        let uri = format!("{}?limit={limit}&timeout_ms={}", self.poll, wait.as_millis());
        let uri = uri.parse().map_err(|_| Fault::new(Reason::AddressInvalid))?;
        let response = self.send(&self.polls, self.request(Method::GET, uri, Bytes::new())).await?;
        // Taken before the body is read: a slow body must not lengthen anybody's deadline.
        let received = self.clock.now();
        let request_id = request_id(response.headers());
        let commands = match response.status() {
            StatusCode::NO_CONTENT => Vec::new(),
            StatusCode::OK => {
                let body = read(response.into_body(), MAX_POLL_BYTES).await?;
                read_poll(&body)
                    .map_err(|error| Fault { request_id: request_id.clone(), ..unreadable(error) })?
            }
            _ => return Err(self.refused(Endpoint::Poll, response).await),
        };
        Ok(Polled { received, commands, request_id })
    }

    async fn give(&self, token: &ShardToken, body: Bytes) -> Result<Delivered, Fault> {
        let mut request = self.request(Method::POST, self.respond.clone(), body);
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let Some(token) = token.to_header() else { return Ok(Delivered::Refused) };
        request.headers_mut().insert(SHARD_TOKEN, token);
        let response = self.send(&self.posts, request).await?;
        match response.status().as_u16() {
            200..=299 => {
                // Read to its end so that the connection can be used again; what it says does not matter.
                let _ = read(response.into_body(), MAX_REFUSAL_BYTES).await;
                Ok(Delivered::Accepted)
            }
            404 => Ok(Delivered::NobodyWaits),
            413 => Ok(Delivered::TooBig),
            408 | 429 | 502 | 503 | 504 => Err(self.refused(Endpoint::Respond, response).await),
            _ => Ok(Delivered::Refused),
        }
    }

    async fn send(&self, client: &Http, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Fault> {
        let started = self.clock.now();
        client.request(request).await.map_err(|error| {
            let mut fault = fault_of(&error);
            let after = self.clock.now().saturating_duration_since(started);
            fault.cut_after = (!fault.unsent && is_cut(&error) && after > SHORTEST_CUT).then_some(after);
            fault
        })
    }

    async fn refused(&self, endpoint: Endpoint, response: Response<Incoming>) -> Fault {
        let (head, body) = response.into_parts();
        let refusal =
            read(body, MAX_REFUSAL_BYTES).await.map(|body| Refusal::read(&body)).unwrap_or_default();
        Fault {
            wait_at_least: read_retry_after(&head.headers, self.clock.wall()),
            status: Some(head.status.as_u16()),
            request_id: request_id(&head.headers),
            ..Fault::new(reason_of(endpoint, head.status, &refusal))
        }
    }
}

impl ControlPlane for HttpControlPlane {
    fn tunnel(&self) -> BoxFuture<'_, Result<TunnelInfo, Fault>> {
        Box::pin(within(TUNNEL_LIMIT, self.ask_tunnel()))
    }

    fn poll(&self, limit: usize, wait: Duration) -> BoxFuture<'_, Result<Polled, Fault>> {
        Box::pin(within(wait + POLL_ALLOWANCE, self.ask_commands(limit, wait)))
    }

    fn respond<'a>(&'a self, token: &'a ShardToken, body: Bytes) -> BoxFuture<'a, Result<Delivered, Fault>> {
        Box::pin(within(RESPOND_LIMIT, self.give(token, body)))
    }
}

fn unreadable(error: BodyError) -> Fault {
    Fault::new(match error {
        BodyError::WebPage => Reason::CaptivePortal,
        BodyError::Unexpected => Reason::UnexpectedAnswer,
    })
}

async fn within<T>(limit: Duration, work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(Fault::new(Reason::NoAnswer)))
}

async fn read(body: Incoming, most: usize) -> Result<Bytes, Fault> {
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Fault::new(Reason::UnexpectedAnswer)),
        Err(_) => Err(Fault::new(Reason::ConnectionCut)),
    }
}

fn client(dial: &Arc<dyn Dial>) -> Http {
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(4)
        .retry_canceled_requests(false)
        .build(Connector(Arc::clone(dial)))
}

fn headers(access: &Access) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    let mut set = |name: &'static str, value: &str| {
        HeaderValue::from_str(value)
            .ok()
            .and_then(|value| headers.insert(HeaderName::from_static(name), value));
    };
    set("x-tunnel-client-name", CLIENT_NAME);
    set("x-tunnel-client-version", CLIENT_VERSION);
    set("x-tunnel-client-instance-id", access.instance.as_str());
    set("x-tunnel-client-wire-protocol-version", WIRE_VERSION);
    set("x-tunnel-mcp-server-info", SERVER_INFO);
    if let Some(organization) = &access.organization {
        set("openai-organization", organization);
    }
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT_NAME, HeaderValue::from_static(USER_AGENT));
    headers.insert(AUTHORIZATION, bearer(access.key.expose())?);
    Some(headers)
}

/// `Bearer` and `secret` as a header value that no log shows and whose bytes are wiped with its last copy.
pub(crate) fn bearer(secret: &str) -> Option<HeaderValue> {
    let bytes = Zeroizing::new([b"Bearer ", secret.as_bytes()].concat());
    let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(bytes)).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("x-request-id")?.to_str().ok()?;
    (id.len() <= 200).then(|| id.to_owned())
}

//! The Server that commands are run against.

use std::panic::AssertUnwindSafe;

use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use http::{HeaderValue, Method, Request, Response, Uri};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Body;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service, ServiceExt};
use webcodex_settings::Secret;

use crate::openai::bearer;
use crate::wire::ForwardedHeaders;

/// The body of an answer of the Server.
pub(crate) type TargetBody = UnsyncBoxBody<Bytes, BoxError>;

/// Found in the extensions of every request that came through a tunnel. It cannot come from outside the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThroughTunnel;

/// The Server did not answer at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoAnswer;

/// One fixed place where all commands go, and the credential that opens it.
///
/// The place is any [`Service`] for HTTP requests; in the Server's own process it is the Server's router, so that a
/// command passes the same guard and authentication as everybody else.
#[derive(Clone)]
pub struct Target {
    service: BoxCloneSyncService<Request<Full<Bytes>>, Response<TargetBody>, BoxError>,
    uri: Uri,
    authorization: HeaderValue,
}

impl Target {
    /// A target that answers at `/mcp` to the bearer of `credential`.
    ///
    /// # Errors
    /// The credential itself is not repeated; it has characters no header can carry.
    pub fn new<S, B>(service: S, credential: &Secret) -> Result<Self, CredentialError>
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send + 'static,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        let service = service
            .map_response(|response: Response<B>| {
                response.map(|body| body.map_err(Into::into).boxed_unsync())
            })
            .map_err(Into::into);
        Ok(Self {
            service: BoxCloneSyncService::new(service),
            uri: Uri::from_static("/mcp"),
            authorization: bearer(credential.expose()).ok_or(CredentialError)?,
        })
    }

    /// Sends one request and waits for the head of the answer.
    pub(crate) async fn send(
        &self,
        method: Method,
        forwarded: ForwardedHeaders,
        body: Bytes,
    ) -> Result<Response<TargetBody>, NoAnswer> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = self.uri.clone();
        request.extensions_mut().insert(ThroughTunnel);
        let mut headers = forwarded.headers;
        if !headers.contains_key(ACCEPT) {
            headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1"));
        // Last of all: whatever came in, this is what counts.
        headers.insert(AUTHORIZATION, self.authorization.clone());
        *request.headers_mut() = headers;
        let answer = AssertUnwindSafe(self.service.clone().oneshot(request)).catch_unwind().await;
        answer.map_err(|_| NoAnswer)?.map_err(|_| NoAnswer)
    }
}

/// The credential has characters no header can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the credential has characters that no header can carry; make a new one")]
pub struct CredentialError;

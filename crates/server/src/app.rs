//! The routes and the order in which a request is checked: foreign 403, unauthenticated 401, method 405, then the body.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use http::header::{ALLOW, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode, Uri};
use parking_lot::RwLock;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::control::{RecordLevel, ServerSettings};
use webcodex_contracts::policy::WaitingPolicy;
use webcodex_contracts::{ErrorCode, SessionId};
use webcodex_link::Runners;
use webcodex_store::Store;

use crate::body::refusal;
use crate::control::{self, Control, ReviewNews};
use crate::guard::Guard;
use crate::host_files::HostFiles;
use crate::tunnels::Tunnels;
use crate::via::{Origin, Via};
use crate::{api, auth, dispatch, health, mcp, openapi, runner_link};

/// The MCP endpoint.
pub(crate) const MCP: &str = "/mcp";
/// The same tools without MCP.
pub(crate) const API_CALL: &str = "/api/tools/call";
/// Where Runners dial in.
pub(crate) const RUNNER_LINK: &str = "/runner/link";

/// What every request may need. Nothing in here changes after the start but through its own types.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) runners: Runners,
    /// What may change while the Server runs.
    pub(crate) settings: RwLock<ServerSettings>,
    /// Whether the canonical result is repeated in the text of an MCP result.
    pub(crate) text_json_compat: bool,
    /// Whether modern requests through a tunnel get the `Mcp-*` headers they lack.
    pub(crate) fill_tunnel_headers: bool,
    /// Whether file addresses that a host puts into calls are believed.
    pub(crate) host_files: HostFiles,
    /// The connections to OpenAI, where this Server keeps any.
    pub(crate) tunnels: OnceLock<Arc<Tunnels>>,
    pub(crate) version: String,
    pub(crate) guard: Guard,
    pub(crate) control: Control,
    pub(crate) call_ids: dispatch::CallIds,
    /// Cancelled when the Runners' links are to end, after the last call.
    pub(crate) links_end: CancellationToken,
}

impl App {
    /// The waits of a request that says nothing itself.
    pub(crate) fn policy(&self) -> WaitingPolicy {
        self.settings.read().policy()
    }

    /// Keeps what a call tells of the review of its session.
    pub(crate) fn reviewed(&self, session: &SessionId, news: ReviewNews) {
        let subjects = self.settings.read().record == RecordLevel::Subjects;
        self.control.book.reviewed(&self.store, session, news, subjects);
    }
}

/// All routes behind the one gate.
pub(crate) fn router(app: Arc<App>) -> Router {
    let endpoint = mcp::Endpoint::new(app.clone());
    Router::new()
        .route(MCP, post(mcp::serve).with_state(endpoint).fallback(only_post))
        .route(API_CALL, post(api::call).with_state(app.clone()).fallback(only_post))
        .route("/openapi.json", get(openapi::serve).fallback(only_get))
        .route("/healthz", get(health::live).fallback(only_get))
        .route("/readyz", get(health::ready).with_state(app.clone()).fallback(only_get))
        .route(RUNNER_LINK, get(runner_link::accept).with_state(app.clone()).fallback(only_get))
        .merge(control::routes(app.clone()))
        .fallback(no_such_route)
        .layer(from_fn_with_state(app, gate))
}

/// Foreign requests and unknown callers end here, whatever they ask for.
async fn gate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if let Err(foreign) = app.guard.check(request.version(), request.uri(), request.headers()) {
        return refusal(path, StatusCode::FORBIDDEN, ErrorCode::ForeignRequest, &foreign.to_string());
    }
    let origin = Origin::of(&app.guard, &request);
    if path.starts_with(control::PREFIX) && origin.via != Via::Local {
        let message = "the desktop app's routes answer on this computer only";
        return refusal(path, StatusCode::FORBIDDEN, ErrorCode::ForeignRequest, message);
    }
    if path == control::PROOF {
        return next.run(request).await;
    }
    let caller = match auth::authenticate(&app.store, request.headers()) {
        Ok(caller) => caller,
        Err(reason) => {
            app.control.book.rejected(origin.program.as_deref().unwrap_or_default(), origin.via);
            return unauthenticated(path, reason);
        }
    };
    if !caller.may_use(path) {
        let message = "this credential does not open this route: Runners use /runner/link, the app /control, clients the rest";
        return refusal(path, StatusCode::FORBIDDEN, ErrorCode::ScopeDenied, message);
    }
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(origin);
    next.run(request).await
}

fn unauthenticated(path: &str, reason: auth::Unauthenticated) -> Response {
    let mut response =
        refusal(path, StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, &reason.to_string());
    response.headers_mut().insert(WWW_AUTHENTICATE, reason.challenge());
    response
}

async fn only_post(uri: Uri) -> Response<Body> {
    method_not_allowed(uri.path(), "POST")
}

async fn only_get(uri: Uri) -> Response<Body> {
    method_not_allowed(uri.path(), "GET")
}

fn method_not_allowed(path: &str, allowed: &'static str) -> Response<Body> {
    let message = format!("this address answers {allowed} only");
    let mut response = refusal(path, StatusCode::METHOD_NOT_ALLOWED, ErrorCode::BadRequest, &message);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

async fn no_such_route(uri: Uri) -> Response<Body> {
    let message = "there is nothing at this address; see /openapi.json";
    refusal(uri.path(), StatusCode::NOT_FOUND, ErrorCode::NotFound, message)
}

//! MCP on one endpoint, both eras: our thin edge, then rmcp, then the handler. All types of rmcp stay in here.

mod absent_headers;
mod compact;
mod edge;
mod handler;
mod lists;
mod message;
mod reply;
mod sentence;

use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use webcodex_contracts::policy::WaitingPolicy;
use webcodex_store::Credential;

use crate::app::App;
use crate::dispatch::PendingRecord;
use crate::via::Origin;
pub use absent_headers::fill as fill_mcp_headers;
pub(crate) use edge::serve;
pub(crate) use handler::Handler;

#[cfg(not(feature = "conformance"))]
type Served = Handler;
#[cfg(feature = "conformance")]
type Served = crate::conformance::Fixtures;

/// The endpoint: rmcp without sessions, behind the edge.
pub(crate) struct Endpoint {
    app: Arc<App>,
    service: StreamableHttpService<Served, NeverSessionManager>,
    #[cfg(feature = "conformance")]
    answers: crate::conformance::ClientAnswers,
}

/// What the edge knows of a request and the handler needs.
#[derive(Clone)]
struct Passed {
    caller: Arc<Credential>,
    policy: WaitingPolicy,
    origin: Origin,
    request_bytes: usize,
    /// The handler leaves the call's record here; the edge adds the size of the answer.
    record: Arc<Mutex<Option<PendingRecord>>>,
}

impl Endpoint {
    pub(crate) fn new(app: Arc<App>) -> Arc<Self> {
        let handler = Handler::new(app.clone());
        // Host and Origin have been checked for every route; a second list would only have to be kept equal.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts();
        #[cfg(feature = "conformance")]
        let answers = crate::conformance::ClientAnswers::default();
        #[cfg(feature = "conformance")]
        let handler = crate::conformance::Fixtures::new(handler, answers.clone());
        let make = move || Ok(handler.clone());
        Arc::new(Self {
            app,
            service: StreamableHttpService::new(make, Arc::new(NeverSessionManager::default()), config),
            #[cfg(feature = "conformance")]
            answers,
        })
    }
}

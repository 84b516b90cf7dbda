//! `/control/*`: what the desktop app sees and does. Only the control credential opens it, and only on this computer.
//!
//! One file per route. What is shown lives in [`state`]; nothing in here does a call of a client.

pub(crate) mod approvals;
mod apps;
mod book;
mod calls;
mod clients;
mod connections;
mod credential;
mod events;
mod folders;
mod jobs;
mod keeper;
mod projects;
mod proof;
mod reply;
mod reviews;
mod runner;
mod settings;
mod shutdown;
mod state;
pub(crate) mod subject;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::routing::{get, patch, post, put};
use http::{Response, StatusCode, Uri};
use sha2::{Digest, Sha256};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::{ErrorCode, table};
use webcodex_settings::Secret;
use webcodex_store::{ClientSeen, Store, now_ms};

use crate::app::App;
use crate::via::Via;
use approvals::Approvals;
pub(crate) use book::Book;
use folders::Shelf;
pub(crate) use keeper::keep;
use reply::failure;
pub(crate) use reviews::ReviewNews;

/// Where all routes of the desktop app begin.
pub(crate) const PREFIX: &str = "/control/";
/// The one of them that needs no credential: who asks does not yet know to whom it would show one.
pub(crate) const PROOF: &str = "/control/proof";

/// What the routes need besides the [`App`].
pub(crate) struct Control {
    /// The secret whose possession [`proof`] proves.
    secret: Option<Secret>,
    /// Where the Server listens.
    address: String,
    /// Cancelled when the app has asked the Server to end.
    pub(crate) shutdown: CancellationToken,
    /// Cancelled when the Server ends, so that no stream keeps it from doing so.
    pub(crate) closing: CancellationToken,
    /// Calls, sessions and clients.
    pub(crate) book: Arc<Book>,
    /// Questions to the person.
    approvals: Approvals,
    /// The registered folders and the jobs.
    pub(crate) shelf: Shelf,
    /// Tells listeners that something may have changed.
    news: watch::Sender<u64>,
    /// Wakes the keeper when somebody begins to listen.
    wake: Notify,
    /// Which list of tools is served.
    pub(crate) tools: String,
}

impl Control {
    /// Nobody listens yet.
    pub(crate) fn new(secret: Option<Secret>, address: String) -> Self {
        let news = watch::channel(0).0;
        Self {
            book: Arc::new(Book::new(news.clone())),
            approvals: Approvals::new(news.clone()),
            shelf: Shelf::default(),
            news,
            wake: Notify::new(),
            tools: tools_version(),
            secret,
            address,
            shutdown: CancellationToken::new(),
            closing: CancellationToken::new(),
        }
    }

    /// Whether the desktop app keeps a Runner for this Server.
    pub(crate) fn has_app(&self) -> bool {
        self.secret.is_some()
    }

    /// Whether somebody listens.
    fn is_listened_to(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// A client has fetched the list of tools.
    pub(crate) fn tools_fetched(&self, store: &Store, name: String, via: Via) {
        let seen = ClientSeen { name, via, tools_at_ms: now_ms(), tools: self.tools.clone() };
        self.book.tools_fetched(seen.clone());
        let store = store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.note_tools(seen).await {
                tracing::debug!(%error, "a client's list of tools was not noted");
            }
        });
    }

    /// Something that listeners see may have changed.
    pub(crate) fn changed(&self) {
        self.news.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// The routes, to be put behind the gate.
pub(crate) fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route(PROOF, post(proof::serve))
        .route("/control/events", get(events::serve))
        .route("/control/shutdown", post(shutdown::serve))
        .route("/control/calls", get(calls::earlier))
        .route("/control/calls/{id}", get(calls::detail))
        .route("/control/projects", post(projects::add))
        .route("/control/projects/{id}", patch(projects::change).delete(projects::remove))
        .route("/control/jobs/{id}/output", get(jobs::output))
        .route("/control/jobs/{id}/stop", post(jobs::stop))
        .route("/control/approvals/{id}", post(approvals::answer).delete(approvals::dismiss))
        .route("/control/settings", patch(settings::change))
        .route("/control/credential", put(credential::replace))
        .route("/control/apps", get(apps::read_page))
        .route("/control/apps/call", post(apps::call))
        .route("/control/connections", post(connections::add).put(connections::restore))
        .route("/control/connections/{id}", put(connections::edit).delete(connections::delete))
        .route("/control/connections/{id}/switch", post(connections::switch))
        .route("/control/connections/{id}/restart", post(connections::restart))
        .route("/control/network-changed", post(connections::network_changed))
        .route("/control/{*rest}", axum::routing::any(no_such_route))
        .with_state(app)
}

async fn no_such_route(uri: Uri) -> Response<Body> {
    let message = format!("there is no `{}`", uri.path());
    failure(
        StatusCode::NOT_FOUND,
        ErrorCode::NotFound,
        message,
        "Update the app and the Server to one version.",
    )
}

/// The public address that `text` states; nothing where it is empty.
pub(crate) fn public_url(text: &str) -> Result<Option<Uri>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let url = text.parse::<Uri>().ok().filter(|url| url.host().is_some() && url.scheme_str().is_some());
    url.map(Some).ok_or_else(|| text.to_owned())
}

/// Stands for the list of tools: another list has another one.
fn tools_version() -> String {
    let mut hash = Sha256::new();
    for tool in table::all().iter().filter(|tool| tool.is_direct()) {
        hash.update(tool.name.as_str());
        hash.update(tool.about);
        hash.update(tool.input_schema.to_string());
    }
    hash.finalize().iter().take(8).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

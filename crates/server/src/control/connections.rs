//! `/control/connections`: the connections to OpenAI.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use http::{Response, StatusCode};
use serde::Deserialize;
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::{ConnectionDraft, ConnectionEdit, ConnectionSwitch, SavedConnections};

use super::reply::{document, done, failure, read};
use crate::app::App;
use crate::body::json_response;
use crate::tunnels::{Refusal, Tunnels};

type Answer = Result<Response<Body>, Box<Response<Body>>>;

/// `POST /control/connections`: adds one, which is off; answers with what is to be saved.
pub(super) async fn add(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let answer = async || -> Answer {
        let draft: ConnectionDraft = read(request).await?;
        Ok(document(&tunnels(&app)?.add(&app, draft).map_err(refused)?))
    };
    either(answer().await)
}

/// `PUT /control/connections`: takes over what was saved.
pub(super) async fn restore(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let answer = async || -> Answer {
        let saved: SavedConnections = read(request).await?;
        tunnels(&app)?.restore(&app, saved).await;
        Ok(done())
    };
    either(answer().await)
}

/// `PUT /control/connections/{id}`: changes one; answers with what is to be saved.
pub(super) async fn edit(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Response<Body> {
    let answer = async || -> Answer {
        let ConnectionEdit { revision, draft } = read(request).await?;
        Ok(document(&tunnels(&app)?.edit(&app, &id, revision, draft).await.map_err(refused)?))
    };
    either(answer().await)
}

/// `?revision=…`
#[derive(Deserialize)]
pub(super) struct At {
    revision: u64,
}

/// `DELETE /control/connections/{id}?revision=…`: switches one off and forgets it.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(at): Query<At>,
) -> Response<Body> {
    let answer = async || -> Answer {
        tunnels(&app)?.delete(&app, &id, at.revision).await.map_err(refused)?;
        Ok(done())
    };
    either(answer().await)
}

/// `POST /control/connections/{id}/switch`: switches one on or off.
pub(super) async fn switch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Response<Body> {
    let answer = async || -> Answer {
        let ConnectionSwitch { on } = read(request).await?;
        tunnels(&app)?.switch(&id, on).await.map_err(refused)?;
        Ok(done())
    };
    either(answer().await)
}

/// `POST /control/connections/{id}/restart`: switches one off and on.
pub(super) async fn restart(State(app): State<Arc<App>>, Path(id): Path<String>) -> Response<Body> {
    let answer = async || -> Answer {
        tunnels(&app)?.restart(&id).await.map_err(refused)?;
        Ok(done())
    };
    either(answer().await)
}

/// `POST /control/network-changed`: tries all again now.
pub(super) async fn network_changed(State(app): State<Arc<App>>) -> Response<Body> {
    if let Some(tunnels) = app.tunnels.get() {
        tunnels.network_changed();
    }
    done()
}

fn either(answer: Answer) -> Response<Body> {
    answer.unwrap_or_else(|refused| *refused)
}

fn tunnels(app: &App) -> Result<&Arc<Tunnels>, Box<Response<Body>>> {
    app.tunnels.get().ok_or_else(|| {
        let message = "this Server keeps no connections";
        Box::new(failure(
            StatusCode::CONFLICT,
            ErrorCode::NotFound,
            message,
            "Start it from the desktop app.",
        ))
    })
}

fn refused(refusal: Refusal) -> Box<Response<Body>> {
    let status = if refusal.is_unknown() { StatusCode::NOT_FOUND } else { StatusCode::CONFLICT };
    Box::new(json_response(status, &refusal.into_failure()))
}

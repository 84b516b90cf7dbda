//! `PUT /control/credential`: clients use another secret from now on.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use http::{Response, StatusCode};
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::NewCredential;
use webcodex_store::{self as store, CredentialKind};

use super::reply::{done, failure, read};
use crate::app::App;

/// What the clients' credential is called.
const CLIENTS: &str = "client";
/// A secret has at least so many characters.
const MIN_SECRET: usize = 32;

/// Puts the new secret in force; the one before opens nothing any more. Sessions go on.
pub(super) async fn replace(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let NewCredential { secret } = match read(request).await {
        Ok(new) => new,
        Err(refused) => return *refused,
    };
    if secret.len() < MIN_SECRET || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = format!("a secret has at least {MIN_SECRET} visible ASCII characters and no blanks");
        return failure(StatusCode::BAD_REQUEST, ErrorCode::InvalidArguments, message, "");
    }
    let credentials = app.store.credentials();
    let known = credentials
        .list()
        .into_iter()
        .find(|known| known.kind == CredentialKind::Client && known.name == CLIENTS);
    let new = store::NewCredential::new(CredentialKind::Client, CLIENTS);
    let new = match known {
        Some(known) => store::NewCredential { lifetime: known.lifetime, ..new },
        // Kept like the one that a Server is started with: whoever calls with it finds its sessions again after a restart.
        None => new,
    };
    match credentials.adopt(&secret, new).await {
        Ok(_) => done(),
        Err(error) => {
            let message = format!("the secret could not be put in force: {error}");
            failure(
                StatusCode::INTERNAL_SERVER_ERROR,
                ErrorCode::Internal,
                message,
                "The one before still holds.",
            )
        }
    }
}

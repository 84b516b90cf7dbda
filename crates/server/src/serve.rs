//! Accepts connections on loopback and serves HTTP/1.1 on each, until told to stop.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::App;

/// A client has this long to send the next request's head; ends forgotten connections.
const HEAD_WITHIN: Duration = Duration::from_secs(90);
/// Pause after a connection could not be accepted, as with too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Calls in flight have this long to end when the Server stops; those of tunnels, beside them, have no longer.
const DRAIN_WITHIN: Duration = Duration::from_secs(5);

/// Serves until `stop`; then lets calls in flight finish, ends the links and writes what waits.
pub(crate) async fn serve(listener: TcpListener, router: Router, app: Arc<App>, stop: CancellationToken) {
    tokio::spawn(crate::control::keep(Arc::clone(&app)));
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            () = app.control.shutdown.cancelled() => {
                stop.cancel();
                break;
            }
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => { connections.spawn(connection(stream, router.clone(), stop.clone())); }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    app.control.closing.cancel();
    let drained = async { while connections.join_next().await.is_some() {} };
    let drained = tokio::time::timeout(DRAIN_WITHIN, drained);
    // Side by side: one after the other they would take longer than the whole program may.
    let (drained, ()) = tokio::join!(drained, async {
        if let Some(tunnels) = app.tunnels.get() {
            tunnels.end().await;
        }
    });
    if drained.is_err() {
        tracing::info!("calls were still in flight when the Server stopped");
        connections.shutdown().await;
    }
    app.links_end.cancel();
    let store = app.store.clone();
    if tokio::task::spawn_blocking(move || store.close()).await.is_err() {
        tracing::error!("the database could not be closed");
    }
}

async fn connection(stream: TcpStream, router: Router, stop: CancellationToken) {
    // Small answers must not wait for the acknowledgement of the one before.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY was refused");
    }
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

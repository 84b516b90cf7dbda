//! When a command has to end.

use tokio_util::sync::CancellationToken;

/// Fires at Ctrl-C, at a request to end and when the terminal goes away.
pub(crate) fn on_signal() -> CancellationToken {
    let ended = CancellationToken::new();
    let fire = ended.clone();
    tokio::spawn(async move {
        wait_for_signal().await;
        fire.cancel();
    });
    ended
}

#[cfg(unix)]
async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let waits = kinds.into_iter().filter_map(|kind| signal(kind).ok()).map(|mut signal| {
        Box::pin(async move {
            signal.recv().await;
        })
    });
    futures_util::future::select_all(waits).await;
}

#[cfg(windows)]
async fn wait_for_signal() {
    use tokio::signal::windows;
    let (Ok(mut close), Ok(mut shutdown), Ok(mut logoff)) =
        (windows::ctrl_close(), windows::ctrl_shutdown(), windows::ctrl_logoff())
    else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = close.recv() => {}
        _ = shutdown.recv() => {}
        _ = logoff.recv() => {}
    }
}

//! Gives the HTTP client its connections.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::route::{BoxIo, Dial};
use crate::status::Reason;

/// No connection was made; nothing was sent.
#[derive(Debug, thiserror::Error)]
#[error("no connection: {0:?}")]
pub(super) struct DialFailed(pub(super) Reason);

/// Dials whatever the address says: the route is fixed, so no answer can lead anywhere else.
#[derive(Clone)]
pub(super) struct Connector(pub(super) Arc<dyn Dial>);

impl tower::Service<Uri> for Connector {
    type Response = TokioIo<Stream>;
    type Error = DialFailed;
    type Future = BoxFuture<'static, Result<Self::Response, DialFailed>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), DialFailed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let dial = Arc::clone(&self.0);
        Box::pin(async move { dial.dial().await.map(|io| TokioIo::new(Stream(io))).map_err(DialFailed) })
    }
}

/// A connection as the HTTP client wants it.
pub(super) struct Stream(BoxIo);

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

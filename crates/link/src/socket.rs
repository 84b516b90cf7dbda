//! A WebSocket over any stream as a source and a sink of frames.

use std::io;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};

use crate::frame::{Frame, FrameError};

/// Largest message: a call with the largest allowed request body, and its context.
const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;
/// Frames that wait for the connection before senders have to.
const QUEUE: usize = 64;

/// Why a link ended.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// No Server runs.
    #[error("no Server is running")]
    NoServer,
    /// The other side could not be reached.
    #[error("the Server at {address} cannot be reached: {source}")]
    Unreachable {
        /// Host and port.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The connection broke.
    #[error("the link broke: {0}")]
    Broken(#[from] Box<tungstenite::Error>),
    /// A message was no frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The other side did not open the conversation as agreed.
    #[error("the other side of the link {0}")]
    Protocol(String),
    /// The other side refused the link.
    #[error("the link was refused: {0}")]
    Refused(String),
    /// No sign of life within the allowed time.
    #[error("the other side of the link does not answer")]
    Silent,
    /// The link was closed in order.
    #[error("the link was closed")]
    Closed,
}

impl From<tungstenite::Error> for LinkError {
    fn from(error: tungstenite::Error) -> Self {
        match error {
            tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => LinkError::Closed,
            other => LinkError::Broken(Box::new(other)),
        }
    }
}

/// Limits of the WebSocket on both sides.
pub(crate) fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES))
        // Small buffers: an idle link costs little.
        .read_buffer_size(16 * 1024)
        .write_buffer_size(0)
        .max_write_buffer_size(usize::MAX)
}

/// The WebSocket on a stream whose handshake is over (or which needs none).
pub(crate) async fn over<S: AsyncRead + AsyncWrite + Unpin>(stream: S, role: Role) -> WebSocketStream<S> {
    WebSocketStream::from_raw_socket(stream, role, Some(config())).await
}

/// Reads frames, skipping WebSocket control messages.
pub(crate) struct Reader<S>(pub(crate) SplitStream<WebSocketStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> Reader<S> {
    /// The next frame; `Closed` at the end.
    pub(crate) async fn next(&mut self) -> Result<Frame, LinkError> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Binary(bytes))) => return Ok(Frame::decode(bytes)?),
                Some(Ok(Message::Close(_))) | None => return Err(LinkError::Closed),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }
}

/// Where frames are put to be sent; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(mpsc::Sender<Bytes>);

impl Outbox {
    /// A new outbox and what [`write_all`] needs to empty it.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Bytes>) {
        let (sender, receiver) = mpsc::channel(QUEUE);
        (Self(sender), receiver)
    }

    /// Sends a frame, waiting while the connection is busy.
    pub(crate) async fn send(&self, frame: &Frame) -> Result<(), LinkError> {
        self.0.send(frame.encode()?).await.map_err(|_| LinkError::Closed)
    }

    /// Sends a small frame if there is room; for those that may be left out.
    pub(crate) fn try_send(&self, frame: &Frame) -> bool {
        frame.encode().is_ok_and(|bytes| self.0.try_send(bytes).is_ok())
    }
}

/// Writes frames until the outbox is dropped; several waiting ones go out with one flush.
pub(crate) async fn write_all<S: AsyncRead + AsyncWrite + Unpin>(
    mut sink: SplitSink<WebSocketStream<S>, Message>,
    mut frames: mpsc::Receiver<Bytes>,
) -> Result<(), LinkError> {
    while let Some(bytes) = frames.recv().await {
        sink.feed(Message::Binary(bytes)).await?;
        while let Ok(bytes) = frames.try_recv() {
            sink.feed(Message::Binary(bytes)).await?;
        }
        sink.flush().await?;
    }
    Ok(sink.close().await?)
}

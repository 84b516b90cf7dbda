//! The Runner's end: says hello, does the calls, answers in chunks.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_util::sync::CancellationToken;
#[cfg(doc)]
use webcodex_contracts::CanonicalResult;

use crate::ask::{Caller, InFlight};
use crate::control::{ControlReply, ControlRequest, RunnerNews};
use crate::frame::{CHUNK_BYTES, Call, Frame, Hello, Welcome};
use crate::liveness::{Heard, IDLE_PING};
use crate::socket::{self, LinkError, Outbox, Reader};

/// Most answers are no longer.
const USUAL_BYTES: usize = 2 * 1024;

/// Does calls.
pub trait CallHandler: Send + Sync + 'static {
    /// The result of a call; it is written as the JSON of a [`CanonicalResult`].
    type Answer: Serialize + Send;

    /// Does one call. The caller may be asked before work with effects begins, and tells when nobody waits for the
    /// answer any more; work with effects goes on then.
    fn call(self: Arc<Self>, call: Call, caller: Caller) -> impl Future<Output = Self::Answer> + Send;

    /// Answers a request of the desktop app. `unwanted` fires when nobody waits for the answer any more.
    fn control(
        self: Arc<Self>,
        _request: ControlRequest,
        _unwanted: CancellationToken,
    ) -> impl Future<Output = ControlReply> + Send {
        std::future::ready(ControlReply::unknown())
    }

    /// What the desktop app is told without asking.
    fn news(&self) -> Option<watch::Receiver<RunnerNews>> {
        None
    }
}

/// Serves one connection over a stream that needs no handshake, until it ends.
///
/// Calls `linked` once the Server has welcomed the Runner. Calls in progress go on when the link breaks; their
/// answers are dropped.
pub async fn serve<S, H>(
    stream: S,
    hello: Hello,
    handler: Arc<H>,
    linked: impl FnOnce(&Welcome),
) -> Result<(), LinkError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: CallHandler,
{
    serve_socket(socket::over(stream, Role::Client).await, hello, handler, linked).await
}

/// As [`serve`], on a WebSocket that is open.
pub(crate) async fn serve_socket<S, H>(
    socket: WebSocketStream<S>,
    hello: Hello,
    handler: Arc<H>,
    linked: impl FnOnce(&Welcome),
) -> Result<(), LinkError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: CallHandler,
{
    let (sink, source) = socket.split();
    let (outbox, frames) = Outbox::new();
    let heard = Heard::now();
    let reading = async {
        let mut reader = Reader(source);
        outbox.send(&Frame::Hello(hello)).await?;
        match reader.next().await? {
            Frame::Welcome(welcome) => linked(&welcome),
            Frame::Refused(reason) => return Err(LinkError::Refused(reason)),
            other => return Err(LinkError::Protocol(format!("opened with {other:?}"))),
        }
        let news = handler.news();
        tokio::select! {
            ended = answer_calls(&mut reader, &outbox, &heard, handler) => ended,
            failed = tell(news, &outbox) => failed,
        }
    };
    tokio::select! {
        ended = reading => ended,
        written = socket::write_all(sink, frames) => written,
        () = heard.until_silent(&outbox, IDLE_PING * 2) => Err(LinkError::Silent),
    }
}

async fn answer_calls<S, H>(
    reader: &mut Reader<S>,
    outbox: &Outbox,
    heard: &Heard,
    handler: Arc<H>,
) -> Result<(), LinkError>
where
    S: AsyncRead + AsyncWrite + Unpin,
    H: CallHandler,
{
    let in_flight = InFlight::default();
    let result = loop {
        let frame = reader.next().await;
        heard.note();
        match frame {
            Ok(Frame::Call(number, call)) => start(number, *call, outbox, &in_flight, &handler),
            Ok(Frame::Control { number, request }) => reply(number, *request, outbox, &in_flight, &handler),
            Ok(Frame::Cancel(number)) => {
                if let Some(waiting) = in_flight.lock().get(&number) {
                    waiting.unwanted.cancel();
                }
            }
            Ok(Frame::Verdict { call, verdict }) => {
                // An answer that comes too late finds nobody.
                let asked = in_flight.lock().get_mut(&call).and_then(|waiting| waiting.verdict.take());
                let _ = asked.map(|asked| asked.send(verdict));
            }
            Ok(Frame::Ping) => outbox.send(&Frame::Pong).await?,
            Ok(Frame::Pong) => {}
            Ok(other) => break Err(LinkError::Protocol(format!("sent {other:?}"))),
            Err(LinkError::Closed) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    in_flight.lock().values().for_each(|waiting| waiting.unwanted.cancel());
    result
}

fn start<H: CallHandler>(number: u64, call: Call, outbox: &Outbox, in_flight: &InFlight, handler: &Arc<H>) {
    let caller = Caller::linked(number, outbox, in_flight);
    let (outbox, in_flight, handler) = (outbox.clone(), Arc::clone(in_flight), Arc::clone(handler));
    tokio::spawn(async move {
        let result = json(&handler.call(call, caller).await);
        in_flight.lock().remove(&number);
        // The link may be gone by now; then nobody is there to tell.
        let _ = answer(number, result, &outbox).await;
    });
}

fn reply<H: CallHandler>(
    number: u64,
    request: ControlRequest,
    outbox: &Outbox,
    in_flight: &InFlight,
    handler: &Arc<H>,
) {
    let unwanted = in_flight.lock().entry(number).or_default().unwanted.clone();
    let (outbox, in_flight, handler) = (outbox.clone(), Arc::clone(in_flight), Arc::clone(handler));
    tokio::spawn(async move {
        let reply = json(&handler.control(request, unwanted).await);
        in_flight.lock().remove(&number);
        let _ = answer(number, reply, &outbox).await;
    });
}

/// Tells what changes, for as long as the link stands. What changes while the link is busy is told once.
async fn tell(news: Option<watch::Receiver<RunnerNews>>, outbox: &Outbox) -> Result<(), LinkError> {
    let Some(mut news) = news else { return std::future::pending().await };
    while news.changed().await.is_ok() {
        let now = *news.borrow_and_update();
        outbox.send(&Frame::News(now)).await?;
    }
    std::future::pending().await
}

fn json(answer: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::with_capacity(USUAL_BYTES);
    serde_json::to_writer(&mut json, answer)?;
    Ok(json)
}

async fn answer(number: u64, json: serde_json::Result<Vec<u8>>, outbox: &Outbox) -> Result<(), LinkError> {
    let mut rest = Bytes::from(json.map_err(crate::FrameError::from)?);
    loop {
        let chunk = rest.split_to(rest.len().min(CHUNK_BYTES));
        let last = rest.is_empty();
        outbox.send(&Frame::Answer { call: number, last, chunk }).await?;
        if last {
            return Ok(());
        }
    }
}

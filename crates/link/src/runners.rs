//! The Server's end: the Runners that are linked, and calls to them.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::{Fuse, FusedFuture};
use futures_util::{FutureExt, StreamExt};
use parking_lot::Mutex;
use serde_json::Value;
use serde_json::value::to_raw_value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::get_runtime_status::RunnerStatus;
use webcodex_contracts::{CanonicalResult, ClientId, ToolName};

use crate::ask::{Question, Verdict};
use crate::frame::{Call, Frame, Hello, PROTOCOL_GENERATION, Welcome};
use crate::liveness::{Heard, IDLE_PING, QUESTION_AFTER};
use crate::socket::{self, LinkError, Outbox, Reader};

/// Calls that may be in flight to one Runner.
const MAX_IN_FLIGHT: usize = 256;
/// A Runner has this long to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// A refusal has this long to leave.
const REFUSAL_WITHIN: Duration = Duration::from_secs(1);

/// The Runners that are or were linked to this Server; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Runners {
    known: Arc<Mutex<BTreeMap<ClientId, RunnerHandle>>>,
    sent: Arc<AtomicU64>,
}

/// What a link must fulfil.
#[derive(Debug, Clone, Default)]
pub struct LinkPolicy {
    /// The only Runner that may use the credential that was shown; `None`: any.
    pub client: Option<ClientId>,
    /// The Server's version, told to the Runner.
    pub version: String,
}

/// One Runner; cheap to clone.
#[derive(Debug, Clone)]
pub struct RunnerHandle(Arc<Connection>);

#[derive(Debug)]
struct Connection {
    hello: Hello,
    outbox: Outbox,
    heard: Heard,
    numbers: AtomicU64,
    waiting: Mutex<Waiting>,
    ended: CancellationToken,
    sent_to_all: Arc<AtomicU64>,
}

/// Calls in flight; `None` once the link has ended, so that no call is left waiting.
type Waiting = Option<HashMap<u64, Pending>>;

#[derive(Debug)]
struct Pending {
    answer: oneshot::Sender<Result<CanonicalResult, CallError>>,
    questions: mpsc::Sender<Question>,
    received: Vec<u8>,
}

/// Why a call brought no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Not linked; the call was not sent.
    #[error("the Runner is not linked")]
    Offline,
    /// The link broke while the call was in flight; its outcome is not known.
    #[error("the link to the Runner broke while the call was in flight")]
    Lost,
    /// No sign of life within seconds; the outcome is not known.
    #[error("the Runner does not answer")]
    Unresponsive,
    /// Too many calls in flight; this one was not sent.
    #[error("too many calls are in flight to the Runner")]
    Busy,
}

impl Runners {
    /// No Runners yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The linked Runner with this id.
    pub fn find(&self, client: &str) -> Option<RunnerHandle> {
        self.known
            .lock()
            .values()
            .find(|runner| runner.client().as_str() == client && runner.is_linked())
            .cloned()
    }

    /// The linked Runner with this routing tag, see [`ClientId::routing_tag`].
    pub fn by_tag(&self, tag: &str) -> Option<RunnerHandle> {
        self.all().into_iter().find(|runner| runner.client().routing_tag() == tag)
    }

    /// All linked Runners, by id.
    pub fn all(&self) -> Vec<RunnerHandle> {
        self.known.lock().values().filter(|runner| runner.is_linked()).cloned().collect()
    }

    /// How each known Runner stands.
    pub fn status(&self) -> Vec<RunnerStatus> {
        self.known.lock().values().map(RunnerHandle::status).collect()
    }

    /// Calls sent since the start, to all Runners.
    pub fn calls_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Serves one Runner on a stream whose handshake is over, until the link ends.
    ///
    /// A Runner that links again replaces its earlier link, whose calls in flight end as lost.
    pub async fn serve<S>(&self, stream: S, policy: LinkPolicy) -> Result<(), LinkError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (sink, source) = socket::over(stream, Role::Server).await.split();
        let (outbox, frames) = Outbox::new();
        let reading = async move {
            let mut reader = Reader(source);
            let hello = match tokio::time::timeout(HELLO_WITHIN, reader.next()).await {
                Ok(Ok(Frame::Hello(hello))) => hello,
                Ok(Ok(other)) => return Err(LinkError::Protocol(format!("opened with {other:?}"))),
                Ok(Err(error)) => return Err(error),
                Err(_) => return Err(LinkError::Silent),
            };
            if let Some(reason) = refusal(&hello, &policy) {
                outbox.send(&Frame::Refused(reason.clone())).await?;
                return Err(LinkError::Refused(reason));
            }
            let welcome = Welcome { generation: PROTOCOL_GENERATION, version: policy.version };
            outbox.send(&Frame::Welcome(welcome)).await?;
            self.serve_linked(hello, outbox.clone(), reader).await
        };
        let mut writing = pin!(socket::write_all(sink, frames));
        tokio::select! {
            ended = reading => {
                if matches!(ended, Err(LinkError::Refused(_))) {
                    // The Runner must learn the reason before the connection goes.
                    let _ = tokio::time::timeout(REFUSAL_WITHIN, writing).await;
                }
                ended
            }
            written = &mut writing => written,
        }
    }

    async fn serve_linked<S>(
        &self,
        hello: Hello,
        outbox: Outbox,
        mut reader: Reader<S>,
    ) -> Result<(), LinkError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let connection = Arc::new(Connection {
            hello,
            outbox,
            heard: Heard::now(),
            numbers: AtomicU64::new(1),
            waiting: Mutex::new(Some(HashMap::new())),
            ended: CancellationToken::new(),
            sent_to_all: Arc::clone(&self.sent),
        });
        let _fail_rest = FailRest(Arc::clone(&connection));
        let runner = RunnerHandle(Arc::clone(&connection));
        if let Some(earlier) = self.known.lock().insert(runner.client().clone(), runner) {
            earlier.0.end(CallError::Lost);
        }
        tokio::select! {
            ended = connection.read_answers(&mut reader) => ended,
            () = connection.heard.until_silent(&connection.outbox, IDLE_PING) => {
                connection.end(CallError::Unresponsive);
                Err(LinkError::Silent)
            }
            () = connection.ended.cancelled() => Err(LinkError::Closed),
        }
    }
}

/// However serving ends, a drop of its future included, no caller is left waiting.
struct FailRest(Arc<Connection>);

impl Drop for FailRest {
    fn drop(&mut self) {
        self.0.end(CallError::Lost);
    }
}

fn refusal(hello: &Hello, policy: &LinkPolicy) -> Option<String> {
    if hello.generation != PROTOCOL_GENERATION {
        return Some(format!(
            "the Runner speaks link generation {}, this Server {PROTOCOL_GENERATION}; update the older of the two",
            hello.generation
        ));
    }
    let expected = policy.client.as_ref()?;
    (*expected != hello.client_id)
        .then(|| format!("this credential belongs to Runner `{expected}`, not to `{}`", hello.client_id))
}

impl Connection {
    async fn read_answers<S>(&self, reader: &mut Reader<S>) -> Result<(), LinkError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        loop {
            let frame = reader.next().await;
            self.heard.note();
            match frame {
                Ok(Frame::Answer { call, last, chunk }) => self.take_answer(call, last, &chunk)?,
                Ok(Frame::Ask { call, question }) => self.take_question(call, *question),
                Ok(Frame::Ping) => self.outbox.send(&Frame::Pong).await?,
                Ok(Frame::Pong) => {}
                Ok(other) => return Err(LinkError::Protocol(format!("sent {other:?}"))),
                Err(LinkError::Closed) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// Adds a part to a call's result. A call that nobody waits for is unknown here, which is no fault.
    fn take_answer(&self, call: u64, last: bool, chunk: &[u8]) -> Result<(), LinkError> {
        let mut waiting = self.waiting.lock();
        let Some(calls) = waiting.as_mut() else { return Ok(()) };
        if !last {
            if let Some(pending) = calls.get_mut(&call) {
                pending.received.extend_from_slice(chunk);
            }
            return Ok(());
        }
        let Some(mut pending) = calls.remove(&call) else { return Ok(()) };
        drop(waiting);
        let bytes = if pending.received.is_empty() {
            chunk
        } else {
            pending.received.extend_from_slice(chunk);
            &pending.received
        };
        let result = serde_json::from_slice(bytes).map_err(crate::FrameError::from)?;
        let _ = pending.answer.send(Ok(result));
        Ok(())
    }

    /// Passes a question on to who waits for the call; a call asks one at a time.
    fn take_question(&self, call: u64, question: Question) {
        let waiting = self.waiting.lock();
        if let Some(pending) = waiting.as_ref().and_then(|calls| calls.get(&call)) {
            let _ = pending.questions.try_send(question);
        }
    }

    /// Ends the link for all who wait on it; the first reason stays.
    fn end(&self, reason: CallError) {
        let calls = self.waiting.lock().take();
        for pending in calls.into_iter().flat_map(HashMap::into_values) {
            let _ = pending.answer.send(Err(reason));
        }
        self.ended.cancel();
    }
}

impl RunnerHandle {
    /// Which Runner this is.
    pub fn client(&self) -> &ClientId {
        &self.0.hello.client_id
    }

    /// Whether the Runner can do what `capability` names.
    pub fn has_capability(&self, capability: &str) -> bool {
        self.0.hello.capabilities.iter().any(|known| known == capability)
    }

    /// Whether the link stands.
    pub fn is_linked(&self) -> bool {
        !self.0.ended.is_cancelled()
    }

    /// How the Runner stands.
    pub fn status(&self) -> RunnerStatus {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let last_heard = now.saturating_sub(self.0.heard.last().elapsed());
        let in_flight = self.0.waiting.lock().as_ref().map_or(0, HashMap::len);
        RunnerStatus {
            client_id: self.client().to_string(),
            online: self.is_linked(),
            version: self.0.hello.version.clone(),
            calls_in_flight: in_flight as u64,
            last_heard_at_ms: u64::try_from(last_heard.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Makes one call, with nobody to ask. It is sent once; dropping the future tells the Runner that nobody waits any
    /// more.
    pub async fn call(
        &self,
        tool: ToolName,
        arguments: &Value,
        context: &CallContext,
    ) -> Result<CanonicalResult, CallError> {
        self.call_asking(tool, arguments, context, async |_| Verdict::NobodyThere).await
    }

    /// As [`RunnerHandle::call`]; what the Runner asks before it does the work is answered by `ask`. Its future is
    /// dropped when the call ends before the answer is there.
    pub async fn call_asking<A>(
        &self,
        tool: ToolName,
        arguments: &Value,
        context: &CallContext,
        ask: impl Fn(Question) -> A,
    ) -> Result<CanonicalResult, CallError>
    where
        A: Future<Output = Verdict>,
    {
        // A value of ours always serialises; were it not so, the call would not be sent.
        let arguments = to_raw_value(arguments).map_err(|_| CallError::Offline)?;
        let call = Call { tool, arguments, context: context.clone() };
        let connection = &self.0;
        let number = connection.numbers.fetch_add(1, Ordering::Relaxed);
        let (answer, mut answered) = oneshot::channel();
        let (questions, mut asked) = mpsc::channel(1);
        {
            let mut waiting = connection.waiting.lock();
            let calls = waiting.as_mut().ok_or(CallError::Offline)?;
            if calls.len() >= MAX_IN_FLIGHT {
                return Err(CallError::Busy);
            }
            calls.insert(number, Pending { answer, questions, received: Vec::new() });
        }
        connection.sent_to_all.fetch_add(1, Ordering::Relaxed);
        let unanswered = Unanswered { connection, number };
        if connection.outbox.send(&Frame::Call(number, Box::new(call))).await.is_err() {
            return Err(CallError::Offline);
        }
        let mut silent = pin!(connection.heard.until_silent(&connection.outbox, QUESTION_AFTER));
        let mut verdict = pin!(Fuse::terminated());
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => {
                    std::mem::forget(unanswered);
                    return answer.unwrap_or(Err(CallError::Lost));
                }
                () = &mut silent => {
                    connection.end(CallError::Unresponsive);
                    return Err(CallError::Unresponsive);
                }
                Some(question) = asked.recv(), if verdict.is_terminated() => verdict.set(ask(question).fuse()),
                verdict = &mut verdict, if !verdict.is_terminated() => {
                    let frame = Frame::Verdict { call: number, verdict };
                    // A link that ends meanwhile ends the call as well.
                    let _ = connection.outbox.send(&frame).await;
                }
            }
        }
    }
}

/// Tells the Runner that nobody waits when a call's future is dropped before its answer.
struct Unanswered<'a> {
    connection: &'a Connection,
    number: u64,
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        let waiting = self.connection.waiting.lock().as_mut().and_then(|calls| calls.remove(&self.number));
        if waiting.is_some() {
            self.connection.outbox.try_send(&Frame::Cancel(self.number));
        }
    }
}

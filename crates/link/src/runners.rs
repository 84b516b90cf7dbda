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
use tokio::sync::{mpsc, oneshot, watch};
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::get_runtime_status::RunnerStatus;
use webcodex_contracts::{CanonicalResult, ClientId, ToolName};

use crate::ask::{Question, Verdict};
use crate::control::{ControlReply, RunnerNews};
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
    news: Arc<watch::Sender<News>>,
}

/// How often something about the Runners has changed. Only differences mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct News {
    /// Links that came or went.
    pub links: u64,
    /// Registered folders, or what is known of them.
    pub projects: u64,
    /// Jobs.
    pub jobs: u64,
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
pub(crate) struct Connection {
    hello: Hello,
    pub(crate) outbox: Outbox,
    pub(crate) heard: Heard,
    pub(crate) numbers: AtomicU64,
    waiting: Mutex<Waiting>,
    ended: CancellationToken,
    sent_to_all: Arc<AtomicU64>,
    news: Arc<watch::Sender<News>>,
}

/// Calls in flight; `None` once the link has ended, so that no call is left waiting.
type Waiting = Option<HashMap<u64, Pending>>;

#[derive(Debug)]
struct Pending {
    expected: Expected,
    received: Vec<u8>,
}

/// What somebody waits for.
#[derive(Debug)]
pub(crate) enum Expected {
    /// The result of a call, and its questions before.
    Result {
        answer: oneshot::Sender<Result<CanonicalResult, CallError>>,
        questions: mpsc::Sender<Box<Question>>,
    },
    /// The answer to a request of the desktop app.
    Reply(oneshot::Sender<Result<ControlReply, CallError>>),
}

impl Expected {
    /// Hands over what has come. Whoever waited may be gone by now.
    fn complete(self, bytes: &[u8]) -> Result<(), serde_json::Error> {
        match self {
            Expected::Result { answer, .. } => drop(answer.send(Ok(serde_json::from_slice(bytes)?))),
            Expected::Reply(reply) => drop(reply.send(Ok(serde_json::from_slice(bytes)?))),
        }
        Ok(())
    }

    fn fail(self, reason: CallError) {
        match self {
            Expected::Result { answer, .. } => drop(answer.send(Err(reason))),
            Expected::Reply(reply) => drop(reply.send(Err(reason))),
        }
    }
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

    /// Whether any Runner is linked.
    pub fn any(&self) -> bool {
        self.known.lock().values().any(RunnerHandle::is_linked)
    }

    /// All linked Runners, by id.
    pub fn all(&self) -> Vec<RunnerHandle> {
        self.known.lock().values().filter(|runner| runner.is_linked()).cloned().collect()
    }

    /// How each known Runner stands.
    pub fn status(&self) -> Vec<RunnerStatus> {
        self.known.lock().values().map(RunnerHandle::status).collect()
    }

    /// Tells when links come and go, and what Runners tell by themselves.
    pub fn news(&self) -> watch::Receiver<News> {
        self.news.subscribe()
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
            news: Arc::clone(&self.news),
        });
        let _fail_rest = FailRest(Arc::clone(&connection));
        let runner = RunnerHandle(Arc::clone(&connection));
        if let Some(earlier) = self.known.lock().insert(runner.client().clone(), runner) {
            earlier.0.end(CallError::Lost);
        }
        self.news.send_modify(|news| news.links += 1);
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
        let mut told = RunnerNews::default();
        loop {
            let frame = reader.next().await;
            self.heard.note();
            match frame {
                Ok(Frame::Answer { call, last, chunk }) => self.take_answer(call, last, &chunk)?,
                Ok(Frame::Ask { call, question }) => self.take_question(call, question),
                Ok(Frame::News(now)) => self.take_news(&mut told, now),
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
        Ok(pending.expected.complete(bytes).map_err(crate::FrameError::from)?)
    }

    /// Passes a question on to who waits for the call; a call asks one at a time.
    fn take_question(&self, call: u64, question: Box<Question>) {
        let waiting = self.waiting.lock();
        let pending = waiting.as_ref().and_then(|calls| calls.get(&call));
        if let Some(Expected::Result { questions, .. }) = pending.map(|pending| &pending.expected) {
            let _ = questions.try_send(question);
        }
    }

    /// Passes on what the Runner tells by itself.
    fn take_news(&self, told: &mut RunnerNews, now: RunnerNews) {
        let before = std::mem::replace(told, now);
        self.news.send_modify(|news| {
            news.projects += u64::from(before.projects != now.projects);
            news.jobs += u64::from(before.jobs != now.jobs);
        });
    }

    /// Ends the link for all who wait on it; the first reason stays.
    pub(crate) fn end(&self, reason: CallError) {
        let calls = self.waiting.lock().take();
        for pending in calls.into_iter().flat_map(HashMap::into_values) {
            pending.expected.fail(reason);
        }
        if !self.ended.is_cancelled() {
            self.ended.cancel();
            self.news.send_modify(|news| news.links += 1);
        }
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

    pub(crate) fn connection(&self) -> &Connection {
        &self.0
    }

    /// Makes room for an answer, unless too many are waited for.
    pub(crate) fn expect(&self, number: u64, expected: Expected) -> Result<Unanswered<'_>, CallError> {
        let mut waiting = self.0.waiting.lock();
        let pending = waiting.as_mut().ok_or(CallError::Offline)?;
        if pending.len() >= MAX_IN_FLIGHT {
            return Err(CallError::Busy);
        }
        pending.insert(number, Pending { expected, received: Vec::new() });
        Ok(Unanswered { connection: &self.0, number })
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
        let unanswered = self.expect(number, Expected::Result { answer, questions })?;
        connection.sent_to_all.fetch_add(1, Ordering::Relaxed);
        if connection.outbox.send(&Frame::Call(number, Box::new(call))).await.is_err() {
            return Err(CallError::Offline);
        }
        let mut silent = pin!(connection.heard.until_silent(&connection.outbox, QUESTION_AFTER));
        let mut verdict = pin!(Fuse::terminated());
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => {
                    unanswered.answered();
                    return answer.unwrap_or(Err(CallError::Lost));
                }
                () = &mut silent => {
                    connection.end(CallError::Unresponsive);
                    return Err(CallError::Unresponsive);
                }
                Some(question) = asked.recv(), if verdict.is_terminated() => verdict.set(ask(*question).fuse()),
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
pub(crate) struct Unanswered<'a> {
    connection: &'a Connection,
    number: u64,
}

impl Unanswered<'_> {
    /// The answer is there.
    pub(crate) fn answered(self) {
        std::mem::forget(self);
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        let waiting = self.connection.waiting.lock().as_mut().and_then(|calls| calls.remove(&self.number));
        if waiting.is_some() {
            self.connection.outbox.try_send(&Frame::Cancel(self.number));
        }
    }
}

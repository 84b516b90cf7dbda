//! Both ends of the link over an in-memory duplex, with time under control.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::{CallContext, Grant};
use webcodex_contracts::control::{ApprovalAsks, ApprovalScope};
use webcodex_contracts::policy::WaitingPolicy;
use webcodex_contracts::{CallId, CanonicalResult, ClientId, ErrorCode, ProjectId, ToolError, ToolName};
use webcodex_link::control::{ControlReply, ControlRequest, RunnerNews};
use webcodex_link::{
    Call, CallError, CallHandler, Caller, Hello, LinkError, LinkPolicy, PROTOCOL_GENERATION, Question,
    RunnerHandle, Runners, Verdict, serve,
};

/// Echoes the arguments; `{"hang": true}` waits until nobody wants the answer, `{"ask": true}` asks first.
#[derive(Default)]
struct Echo {
    started: AtomicUsize,
    unwanted: Notify,
    verdicts: Mutex<Vec<Verdict>>,
    news: watch::Sender<RunnerNews>,
}

fn question() -> Question {
    Question {
        project: ProjectId::parse("agent:me:web").unwrap(),
        project_name: "web".into(),
        folder: "/web".into(),
        asks: ApprovalAsks::Command { command: "make".into() },
        asks_since: 7,
        within_ms: 10_000,
    }
}

impl CallHandler for Echo {
    type Answer = CanonicalResult;

    async fn call(self: Arc<Self>, call: Call, caller: Caller) -> CanonicalResult {
        self.started.fetch_add(1, Ordering::SeqCst);
        let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
        if arguments["hang"] == json!(true) {
            caller.unwanted().cancelled().await;
            self.unwanted.notify_one();
        }
        if arguments["ask"] == json!(true) {
            let verdict = caller.ask(question()).await;
            self.verdicts.lock().push(verdict.clone());
            return CanonicalResult::success(json!({"verdict": verdict}));
        }
        CanonicalResult::success(arguments)
    }

    /// Knows no projects, refuses every folder, and answers nothing else until nobody waits.
    async fn control(self: Arc<Self>, request: ControlRequest, unwanted: CancellationToken) -> ControlReply {
        match request {
            ControlRequest::Projects { .. } => ControlReply::Projects(Vec::new()),
            ControlRequest::AddProject { path } => {
                ControlReply::failed(&ToolError::new(ErrorCode::FolderRefused, path))
            }
            _ => {
                unwanted.cancelled().await;
                self.unwanted.notify_one();
                ControlReply::Done
            }
        }
    }

    fn news(&self) -> Option<watch::Receiver<RunnerNews>> {
        Some(self.news.subscribe())
    }
}

fn hello(client: &str, generation: u32) -> Hello {
    let client_id = ClientId::parse(client).unwrap();
    Hello { generation, client_id, version: "1".into(), capabilities: vec!["x".into()], pid: 1 }
}

fn context() -> CallContext {
    CallContext {
        call_id: CallId::parse("c").unwrap(),
        grant: Grant::All,
        session_id: None,
        policy: WaitingPolicy::default(),
    }
}

struct Linked {
    runners: Runners,
    runner: RunnerHandle,
    echo: Arc<Echo>,
    server_side: JoinHandle<Result<(), LinkError>>,
    runner_side: JoinHandle<Result<(), LinkError>>,
}

fn start_server(runners: &Runners, policy: LinkPolicy) -> (DuplexStream, JoinHandle<Result<(), LinkError>>) {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let runners = runners.clone();
    (far, tokio::spawn(async move { runners.serve(near, policy).await }))
}

async fn linked(runners: Runners) -> Linked {
    let (far, server_side) = start_server(&runners, LinkPolicy::default());
    let echo = Arc::new(Echo::default());
    let welcomed = Arc::new(Notify::new());
    let runner_side = tokio::spawn({
        let (echo, welcomed) = (Arc::clone(&echo), Arc::clone(&welcomed));
        async move { serve(far, hello("me", PROTOCOL_GENERATION), echo, |_| welcomed.notify_one()).await }
    });
    welcomed.notified().await;
    while runners.find("me").is_none() {
        tokio::task::yield_now().await;
    }
    let runner = runners.find("me").unwrap();
    Linked { runners, runner, echo, server_side, runner_side }
}

#[tokio::test(start_paused = true)]
async fn many_calls_large_and_small_are_answered_at_once() {
    let link = linked(Runners::new()).await;
    let calls = (0..100).map(|number| {
        let runner = link.runner.clone();
        tokio::spawn(async move {
            let size = if number % 10 == 0 { 300_000 } else { 10 };
            let arguments = json!({"number": number, "text": "x".repeat(size)});
            let result = runner.call(ToolName::ReadFiles, &arguments, &context()).await.unwrap();
            assert_eq!(Value::Object(result.output), arguments);
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!(link.runner.status().calls_in_flight, 0);
    assert!(link.runner.has_capability("x"));
}

#[tokio::test(start_paused = true)]
async fn a_broken_link_ends_calls_in_flight_as_lost_and_later_ones_as_offline() {
    let link = linked(Runners::new()).await;
    let call = tokio::spawn({
        let runner = link.runner.clone();
        async move { runner.call(ToolName::RunProcess, &json!({"hang": true}), &context()).await }
    });
    while link.echo.started.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    link.runner_side.abort();
    assert_eq!(call.await.unwrap(), Err(CallError::Lost));
    let _either_way_it_ended = link.server_side.await.unwrap();
    assert_eq!(link.runner.call(ToolName::ReadFiles, &json!({}), &context()).await, Err(CallError::Offline));
    assert!(link.runners.find("me").is_none() && !link.runners.status()[0].online);
}

#[tokio::test(start_paused = true)]
async fn a_hung_runner_fails_calls_within_seconds() {
    let runners = Runners::new();
    let (far, server_side) = start_server(&runners, LinkPolicy::default());
    // A Runner that says hello and then neither reads nor writes, like a stopped process.
    let mut socket = tokio_tungstenite::WebSocketStream::from_raw_socket(
        far,
        tokio_tungstenite::tungstenite::protocol::Role::Client,
        None,
    )
    .await;
    let bytes = webcodex_link::Frame::Hello(hello("me", PROTOCOL_GENERATION)).encode().unwrap();
    futures_util::SinkExt::send(&mut socket, tokio_tungstenite::tungstenite::Message::Binary(bytes))
        .await
        .unwrap();
    while runners.find("me").is_none() {
        tokio::task::yield_now().await;
    }
    let started = tokio::time::Instant::now();
    let runner = runners.find("me").unwrap();
    let result = runner.call(ToolName::RunProcess, &json!({}), &context()).await;
    assert_eq!(result, Err(CallError::Unresponsive));
    assert!(started.elapsed() <= Duration::from_secs(6), "{:?}", started.elapsed());
    assert!(runners.find("me").is_none(), "it is no longer called linked");
    assert!(server_side.await.unwrap().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_slow_call_of_a_healthy_runner_is_waited_for() {
    let link = linked(Runners::new()).await;
    let (arguments, context) = (json!({"hang": true}), context());
    let call = link.runner.call(ToolName::RunProcess, &arguments, &context);
    assert!(
        tokio::time::timeout(Duration::from_secs(50), call).await.is_err(),
        "still waiting, not given up"
    );
    link.echo.unwanted.notified().await;
    assert!(link.runner.is_linked());
    assert_eq!(link.echo.started.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_idle_link_stays() {
    let link = linked(Runners::new()).await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert!(link.runner.is_linked());
    assert!(link.runner.call(ToolName::ReadFiles, &json!({}), &context()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_same_runner_replaces_its_earlier_link() {
    let first = linked(Runners::new()).await;
    let second = linked(first.runners.clone()).await;
    first.server_side.await.unwrap().unwrap_err();
    assert!(!first.runner.is_linked() && second.runner.is_linked());
    assert_eq!(second.runners.all().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn another_generation_or_identity_is_refused_with_the_reason() {
    let only = LinkPolicy { client: Some(ClientId::parse("me").unwrap()), version: String::new() };
    for (who, generation, reason) in
        [("me", 99, "update the older"), ("other", PROTOCOL_GENERATION, "belongs to Runner `me`")]
    {
        let runners = Runners::new();
        let (far, _server) = start_server(&runners, only.clone());
        let ended = serve(far, hello(who, generation), Arc::new(Echo::default()), |_| {}).await;
        let Err(LinkError::Refused(text)) = ended else { panic!("{ended:?}") };
        assert!(text.contains(reason), "{text}");
        assert!(runners.all().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_gets_its_answer_while_the_call_waits() {
    let link = linked(Runners::new()).await;
    let ask = json!({"ask": true});
    let answers = [
        Verdict::Allowed { scope: ApprovalScope::Session },
        Verdict::Denied { word: "not now".into() },
        Verdict::NobodyThere,
    ];
    for answer in answers {
        let result = link
            .runner
            .call_asking(ToolName::RunProcess, &ask, &context(), async |asked| {
                assert_eq!(asked, question(), "as it was asked");
                // Longer than silence is borne, which a waiting Runner does not keep.
                tokio::time::sleep(Duration::from_secs(8)).await;
                answer.clone()
            })
            .await;
        assert_eq!(result.unwrap().output["verdict"], serde_json::to_value(&answer).unwrap());
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_ends_by_itself_and_a_late_answer_finds_nobody() {
    let link = linked(Runners::new()).await;
    let (ask, context) = (json!({"ask": true}), context());
    let dropped = Arc::new(());
    let held = Arc::clone(&dropped);
    let call = link.runner.call_asking(ToolName::RunProcess, &ask, &context, move |_| {
        let held = Arc::clone(&held);
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Verdict::NobodyThere
        }
    });
    assert_eq!(call.await.unwrap().output["verdict"]["kind"], "unanswered");
    assert_eq!(Arc::strong_count(&dropped), 1, "nobody is asked any more");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_ends_its_question() {
    let link = linked(Runners::new()).await;
    let (ask, context) = (json!({"ask": true}), context());
    let call = link
        .runner
        .call_asking(ToolName::RunProcess, &ask, &context, async |_| std::future::pending::<Verdict>().await);
    assert!(tokio::time::timeout(Duration::from_secs(1), call).await.is_err());
    while link.echo.verdicts.lock().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(link.echo.verdicts.lock()[0], Verdict::Unanswered);
}

#[tokio::test(start_paused = true)]
async fn a_link_that_breaks_ends_the_questions_on_it() {
    let link = linked(Runners::new()).await;
    let asked = Notify::new();
    let ask = json!({"ask": true});
    let context = context();
    let call = link.runner.call_asking(ToolName::RunProcess, &ask, &context, async |_| {
        asked.notify_one();
        std::future::pending::<Verdict>().await
    });
    let (ended, ()) = tokio::join!(call, async {
        asked.notified().await;
        link.server_side.abort();
    });
    assert_eq!(ended, Err(CallError::Lost));
    link.runner_side.await.unwrap().ok();
    while link.echo.verdicts.lock().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(link.echo.verdicts.lock()[0], Verdict::Unanswered);
}

#[tokio::test(start_paused = true)]
async fn the_desktop_apps_requests_are_answered_beside_calls() {
    let link = linked(Runners::new()).await;
    let listed = link.runner.control(&ControlRequest::Projects { worked_in: Vec::new() }).await.unwrap();
    assert_eq!(listed, ControlReply::Projects(Vec::new()));
    // Longer than one part of an answer.
    let path = "x".repeat(100_000);
    let refused = link.runner.control(&ControlRequest::AddProject { path: path.clone() }).await.unwrap();
    assert!(matches!(refused, ControlReply::Failed(failure) if failure.message == path));
    let waiting = tokio::spawn({
        let runner = link.runner.clone();
        async move { runner.control(&ControlRequest::Jobs).await }
    });
    let arguments = json!({"a": 1});
    link.runner.call(ToolName::ReadFiles, &arguments, &context()).await.unwrap();
    waiting.abort();
    link.echo.unwanted.notified().await;
    assert_eq!(link.runners.calls_sent(), 1, "these are no calls");
}

#[tokio::test(start_paused = true)]
async fn news_of_the_runner_and_of_links_reach_who_waits_for_them() {
    let link = linked(Runners::new()).await;
    let mut news = link.runners.news();
    let before = *news.borrow_and_update();
    link.echo.news.send_modify(|news| news.jobs += 3);
    news.changed().await.unwrap();
    let now = *news.borrow_and_update();
    assert_eq!((now.jobs, now.projects), (before.jobs + 1, before.projects), "many become one");
    link.runner_side.abort();
    news.changed().await.unwrap();
    assert_eq!(news.borrow().links, now.links + 1);
    let gone = link.runner.control(&ControlRequest::Jobs).await;
    assert_eq!(gone, Err(CallError::Offline));
}

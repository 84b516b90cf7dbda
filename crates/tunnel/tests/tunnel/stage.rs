//! A client, a control plane, a Server and two clocks.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use webcodex_settings::Secret;
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, FakeNetwork, Fault, Place};
use webcodex_tunnel::route::{
    BoxIo, ControlPlaneAddress, FoundProxy, Network, ProxySource, RouteSetting, V6Trust,
};
use webcodex_tunnel::status::{Reason, State, Status};
use webcodex_tunnel::wire::{InstanceId, TunnelId};
use webcodex_tunnel::{Access, Clock, Connection, Ground, HttpApproach, Randomness, Target};

use crate::target::TestTarget;

pub(crate) const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
pub(crate) const KEY: &str = "sk-PLANTED-KEY_1";
pub(crate) const BEARER: &str = "wct_PLANTED_BEARER";
pub(crate) const PROXY_PASSWORD: &str = "PLANTED-PROXY";
/// 1994-11-06 08:49:00 UTC, the time all stages begin.
pub(crate) const BEGIN: Duration = Duration::from_secs(784_111_740);
/// What must never be seen outside.
const PLANTED: [&str; 7] =
    [KEY, BEARER, PROXY_PASSWORD, "shard-secret", "PLANTED-ARGUMENT", "PLANTED-BODY", "UExBTlRFRC1QUk9YWQ"];

/// Runs a test in its own virtual time.
pub(crate) fn play<T>(test: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(test)
}

/// A wall clock that follows virtual time and can jump.
pub(crate) struct TestClock {
    start: Instant,
    jumped_ms: AtomicU64,
}

impl TestClock {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), jumped_ms: AtomicU64::new(0) })
    }

    /// The computer sleeps: only the wall goes on.
    pub(crate) fn jump(&self, by: Duration) {
        self.jumped_ms.fetch_add(by.as_millis() as u64, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn wall(&self) -> SystemTime {
        let jumped = Duration::from_millis(self.jumped_ms.load(Ordering::SeqCst));
        UNIX_EPOCH + BEGIN + self.start.elapsed() + jumped
    }
}

/// Chance that is the same in every run.
pub(crate) struct TestRandomness(AtomicU64);

impl TestRandomness {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(1)))
    }
}

impl Randomness for TestRandomness {
    fn next(&self) -> u64 {
        let count = self.0.fetch_add(1, Ordering::SeqCst);
        count.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

/// The fake network as the client takes it.
pub(crate) struct TestNetwork(pub(crate) FakeNetwork);

impl Network for TestNetwork {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(self.0.resolve(host))
    }

    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<BoxIo>> {
        Box::pin(async move { self.0.connect(address).await.map(|stream| Box::new(stream) as BoxIo) })
    }
}

/// Proxies this computer is set to use.
#[derive(Clone, Default)]
pub(crate) struct TestProxies(pub(crate) Vec<FoundProxy>);

impl ProxySource for TestProxies {
    fn proxies(&self, _: &ControlPlaneAddress) -> Vec<FoundProxy> {
        self.0.clone()
    }
}

/// Everything that was logged on this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a stage is made of; everything has a usual value.
pub(crate) struct Props {
    pub(crate) address: &'static str,
    pub(crate) route: RouteSetting,
    pub(crate) proxies: TestProxies,
    pub(crate) ca_file: Option<std::path::PathBuf>,
    pub(crate) key: &'static str,
    pub(crate) target: Option<Target>,
}

impl Default for Props {
    fn default() -> Self {
        Self {
            address: "http://localhost",
            route: RouteSetting::Auto,
            proxies: TestProxies::default(),
            ca_file: None,
            key: KEY,
            target: None,
        }
    }
}

/// A whole stage; `finish` checks what must hold for every play.
pub(crate) struct Stage {
    pub(crate) plane: FakeControlPlane,
    pub(crate) network: FakeNetwork,
    pub(crate) target: TestTarget,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) connection: Arc<Connection>,
    log: Log,
    _logging: tracing::subscriber::DefaultGuard,
}

impl Stage {
    /// The usual stage: a control plane on this computer, reached directly.
    pub(crate) fn new() -> Self {
        Self::with(Props::default())
    }

    pub(crate) fn with(props: Props) -> Self {
        let log = Log::default();
        let (writer, clock, target) = (log.clone(), TestClock::new(), TestTarget::default());
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_writer(move || writer.clone())
            .finish();
        let _logging = tracing::subscriber::set_default(subscriber);
        let (plane, network) = (FakeControlPlane::new(TUNNEL, KEY), FakeNetwork::new());
        plane.forbid(BEARER);
        network.name("localhost", &["127.0.0.1"]);
        let served = plane.clone();
        network.put("127.0.0.1:80", Place::open(move |stream| served.serve(stream)));
        let random = TestRandomness::new();
        let access = Access {
            tunnel: TunnelId::parse(TUNNEL).unwrap(),
            key: Secret::new(props.key.to_owned()),
            organization: None,
            address: ControlPlaneAddress::parse(props.address).unwrap(),
            instance: InstanceId::new(&*random),
        };
        let approach = HttpApproach {
            access,
            route: props.route,
            ca_file: props.ca_file,
            network: Arc::new(TestNetwork(network.clone())),
            proxies: Arc::new(props.proxies),
            clock: clock.clone(),
            v6: V6Trust::default(),
        };
        let ground = Ground {
            target: props
                .target
                .unwrap_or_else(|| Target::new(target.router(), &Secret::new(BEARER.to_owned())).unwrap()),
            clock: clock.clone(),
            random,
        };
        let connection = Arc::new(Connection::new(Arc::new(approach), ground));
        Self { plane, network, target, clock, connection, log, _logging }
    }

    pub(crate) fn status(&self) -> Status {
        self.connection.status().borrow().clone()
    }

    pub(crate) fn state(&self) -> State {
        self.status().state
    }

    /// Waits, for up to ten virtual minutes, until `wanted` is true of the status.
    pub(crate) async fn until(&self, wanted: impl Fn(&Status) -> bool) -> Status {
        let mut status = self.connection.status();
        let found = timeout(Duration::from_secs(600), status.wait_for(|status| wanted(status))).await;
        match found {
            Ok(found) => found.unwrap().clone(),
            Err(_) => panic!("it never came to that: {:#?}", self.status()),
        }
    }

    pub(crate) async fn until_online(&self) -> Status {
        self.until(|status| status.state == State::Online).await
    }

    /// Starts and waits until online.
    pub(crate) async fn online(&self) {
        self.connection.start().await;
        self.until_online().await;
    }

    /// Waits for the end of a command.
    pub(crate) async fn ended(&self, request_id: &str) -> Value {
        let ended = timeout(Duration::from_secs(600), self.plane.ended(request_id)).await;
        ended.unwrap_or_else(|_| panic!("{request_id} was never answered: {:#?}", self.status()))
    }

    /// Lets virtual time go by.
    pub(crate) async fn wait(&self, seconds: u64) {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }

    pub(crate) fn fail(&self, endpoint: Endpoint, fault: Fault) {
        self.plane.fail(endpoint, fault);
    }

    /// Stops, and checks what must hold after every play.
    pub(crate) async fn finish(self) {
        self.connection.stop().await;
        assert_eq!(self.state(), State::Off);
        assert_eq!(self.plane.breaches(), Vec::<String>::new());
        assert!(self.target.most_runs() <= 1, "something ran twice");
        let log = String::from_utf8_lossy(&self.log.0.lock().unwrap()).into_owned();
        let shown = format!("{log} {:?} {}", self.status(), serde_json::to_string(&self.status()).unwrap());
        for secret in PLANTED {
            assert!(!shown.contains(secret), "{secret} is seen in:\n{shown}");
        }
    }
}

/// The word for a state, and its reason.
pub(crate) fn word(state: State) -> (&'static str, Option<Reason>) {
    match state {
        State::Off => ("off", None),
        State::Starting => ("starting", None),
        State::Checking => ("checking", None),
        State::Online => ("online", None),
        State::Degraded { reason } => ("degraded", Some(reason)),
        State::Waiting { reason, .. } => ("waiting", Some(reason)),
        State::NeedsYou { reason } => ("needs you", Some(reason)),
        State::Stopping => ("stopping", None),
    }
}

//! Many commands over a bad line: none runs twice, none is lost without a reason, memory stays flat.
//!
//! `WEBCODEX_TUNNEL_SOAK=100000` runs that many commands over eight connections and looks at the memory, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use serde_json::{Value, json};
use webcodex_settings::Secret;
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, FakeNetwork, Fault, Place};
use webcodex_tunnel::route::{ControlPlaneAddress, NoProxies};
use webcodex_tunnel::status::State;
use webcodex_tunnel::wire::InstanceId;
use webcodex_tunnel::{Connections, Draft, Ground, Surroundings, Target};

use crate::stage::{BEARER, KEY, TestClock, TestNetwork, TestRandomness, play};

/// How often each command ran.
type Runs = Arc<Vec<AtomicU8>>;

fn target(runs: &Runs) -> Target {
    let runs = Arc::clone(runs);
    let answer = move |body: Bytes| async move {
        let message: Value = serde_json::from_slice(&body).unwrap();
        let number = message["params"]["n"].as_u64().unwrap();
        runs[number as usize].fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(number * 7 % 900)).await;
        axum::Json(json!({"jsonrpc": "2.0", "id": message["id"], "result": {"n": number}}))
    };
    Target::new(Router::new().route("/mcp", post(answer)), &Secret::new(BEARER.to_owned())).unwrap()
}

fn spoil(plane: &FakeControlPlane, seed: u64) {
    let cut = Fault::Cut(Duration::ZERO);
    let status = |code| Fault::Status(code, None, None);
    let polls = vec![
        cut.clone(),
        Fault::Cut(Duration::from_secs(13)),
        status(500),
        status(503),
        Fault::Status(429, None, Some("2")),
        Fault::Slow(Duration::from_secs(3)),
        Fault::LoseAnswer,
        Fault::CutInBody,
        Fault::Duplicate,
        Fault::Hang,
    ];
    plane.fail_sometimes(Endpoint::Poll, 6, seed, polls);
    let answers = vec![
        cut,
        status(503),
        status(429),
        Fault::LoseAnswer,
        Fault::LieAbout(502),
        Fault::Slow(Duration::from_secs(2)),
    ];
    plane.fail_sometimes(Endpoint::Response, 5, seed + 1, answers);
    plane.fail_sometimes(Endpoint::Tunnel, 3, seed + 2, vec![status(500), Fault::Cut(Duration::ZERO)]);
    plane.remember_only(500);
}

/// Memory of this process in KiB, where that is known.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
}

#[test]
fn over_a_bad_line_nothing_runs_twice_and_nothing_is_lost_without_a_reason() {
    let wanted = std::env::var("WEBCODEX_TUNNEL_SOAK").ok().and_then(|text| text.parse().ok());
    let (total, lines) = wanted.map_or((2_000, 4), |total| (total, 8));
    play(soak(total, lines, wanted.is_some()));
}

async fn soak(total: usize, lines: usize, watch_memory: bool) {
    let each = total / lines;
    let runs: Runs = Arc::new((0..total).map(|_| AtomicU8::new(0)).collect());
    let planes: Vec<FakeControlPlane> =
        (0..lines).map(|line| FakeControlPlane::new(&format!("tunnel_{line:032}"), KEY)).collect();
    planes[1..].iter().for_each(|other| planes[0].also_serve(other));
    let (network, served) = (FakeNetwork::new(), planes[0].clone());
    network.name("localhost", &["127.0.0.1"]);
    network.put("127.0.0.1:80", Place::open(move |stream| served.serve(stream)));
    let random = TestRandomness::new();
    let surroundings = Surroundings {
        network: Arc::new(TestNetwork(network)),
        proxies: Arc::new(NoProxies),
        address: ControlPlaneAddress::parse("http://localhost").unwrap(),
        instance: InstanceId::new(&*random),
        ground: Ground { target: target(&runs), clock: TestClock::new(), random },
    };
    let connections = Connections::new(surroundings, Vec::new());
    for (line, plane) in planes.iter().enumerate() {
        spoil(plane, 1000 + line as u64);
        let key = Some(Secret::new(KEY.to_owned()));
        let (name, tunnel) = (format!("Line {line}"), format!("tunnel_{line:032}"));
        connections.add(Draft { name, tunnel, key, autostart: true, ..Draft::default() }).unwrap();
    }
    connections.autostart().await;

    let mut warm = None;
    for number in 0..each {
        for (line, plane) in planes.iter().enumerate() {
            plane.call(json!(format!("call-{number}")), "tools/call", json!({"n": line * each + number}));
        }
        // About a third of what a good line could carry.
        tokio::time::sleep(Duration::from_millis(100)).await;
        if number == each / 2 {
            warm = resident();
        }
    }
    // The last are in; whatever can still be delivered is.
    tokio::time::sleep(Duration::from_secs(900)).await;
    if let (true, Some(warm), Some(now)) = (watch_memory, warm, resident()) {
        assert!(now < warm + 8 * 1024, "memory grew from {warm} to {now} KiB");
    }

    assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) <= 1), "something ran twice");
    let mut duplicates = 0;
    for (line, plane) in planes.iter().enumerate() {
        assert_eq!(plane.breaches(), Vec::<String>::new());
        let ran = runs[line * each..][..each].iter().filter(|runs| runs.load(Ordering::Relaxed) == 1).count();
        assert_eq!(ran + plane.lost_count(), each, "line {line}: run or lost on the way here");
        let named = |name: &str| connections.views().into_iter().find(|view| view.settings.name == name);
        let view = named(&format!("Line {line}")).unwrap();
        let counters = view.status.counters;
        assert_eq!(counters.commands as usize, ran, "line {line}");
        assert_eq!(
            counters.answered + counters.expired + counters.undelivered,
            counters.commands,
            "line {line}"
        );
        let ended = plane.ended_count() as u64;
        assert!(
            ended + counters.undelivered >= counters.commands && ended <= counters.commands,
            "line {line}"
        );
        assert!(counters.answered > counters.commands / 2, "line {line}: {counters:?}");
        duplicates += counters.duplicates;
        assert!(matches!(view.status.state, State::Online | State::Degraded { .. } | State::Waiting { .. }));
        assert_eq!(view.status.running, 0);
    }
    assert!(duplicates > 0, "the line was not that bad");
    connections.stop_all().await;
}

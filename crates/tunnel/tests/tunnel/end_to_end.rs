//! Over real sockets, in real time, against a real router.

use std::sync::Arc;

use serde_json::{Value, json};
use webcodex_settings::Secret;
use webcodex_testkit::control_plane::FakeControlPlane;
use webcodex_tunnel::route::{ControlPlaneAddress, RouteSetting, SystemNetwork, SystemProxies, V6Trust};
use webcodex_tunnel::status::State;
use webcodex_tunnel::wire::{InstanceId, TunnelId};
use webcodex_tunnel::{Access, Connection, Ground, HttpApproach, SystemClock, SystemRandomness, Target};

use crate::stage::{BEARER, KEY, TUNNEL};
use crate::target::TestTarget;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chatgpt_talks_to_a_server_on_this_computer() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    plane.forbid(BEARER);
    let address = plane.listen().await.unwrap();
    let approach = HttpApproach {
        access: Access {
            tunnel: TunnelId::parse(TUNNEL).unwrap(),
            key: Secret::new(KEY.to_owned()),
            organization: Some("org-test".to_owned()),
            address: ControlPlaneAddress::parse(&format!("http://{address}")).unwrap(),
            instance: InstanceId::new(&SystemRandomness),
        },
        route: RouteSetting::Auto,
        ca_file: None,
        network: Arc::new(SystemNetwork),
        proxies: Arc::new(SystemProxies),
        clock: Arc::new(SystemClock),
        v6: V6Trust::default(),
    };
    let target = TestTarget::default();
    let ground = Ground {
        target: Target::new(target.router(), &Secret::new(BEARER.to_owned())).unwrap(),
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandomness),
    };
    let connection = Connection::new(Arc::new(approach), ground);
    connection.start().await;
    connection.status().wait_for(|status| status.state == State::Online).await.unwrap();

    let discover = plane.call(json!("openai-mcp-discover"), "server/discover", json!({}));
    assert_eq!(plane.ended(&discover).await["resp_json"]["id"], "openai-mcp-discover");
    for round in 0..50 {
        let request = plane.call(json!(round), "tools/call", json!({"round": round}));
        let answer = plane.ended(&request).await;
        assert_eq!(answer["resp_json"]["result"]["echo"]["round"], round);
    }
    let burst: Vec<(usize, String)> =
        (100..160).map(|n| (n, plane.call(json!(n), "slow", json!({"ms": n % 7, "n": n})))).collect();
    for (n, request) in burst {
        let answer: Value = plane.ended(&request).await;
        assert_eq!(answer["resp_json"]["id"], n);
    }
    let progress = plane.call(json!("p"), "progress", json!({"count": 5}));
    plane.ended(&progress).await;
    assert_eq!(plane.taken(&progress).len(), 6);
    let end = plane.submit(json!({"headers": {"Mcp-Session-Id": ["5f0c"]}}));
    assert_eq!(plane.ended(&end).await["resp_code"], 204);
    assert_eq!(target.deletes(), 1);

    connection.stop().await;
    assert_eq!(plane.breaches(), Vec::<String>::new());
    assert_eq!((target.most_runs(), connection.status().borrow().counters.undelivered), (1, 0));
}

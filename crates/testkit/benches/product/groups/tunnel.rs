//! The way through the tunnel against a direct call, with a control plane on this computer.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use webcodex_testkit::TestServer;
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, Fault};

use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::repository::SMALL_FILE;
use crate::samples::{Samples, race};

const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
const KEY: &str = "sk-benchmark";
/// Commands handed out at once in the burst.
const BURST: usize = 500;

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let folder = bench.real()?;
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let base = format!("http://{}", plane.listen().await?);
    let variables = [
        ("CONTROL_PLANE_BASE_URL", base.as_str()),
        ("CONTROL_PLANE_TUNNEL_ID", TUNNEL),
        ("CONTROL_PLANE_API_KEY", KEY),
    ];
    let server = TestServer::share_tunnel(bench.executable(), &folder, &variables).await?;
    anyhow::ensure!(server.tunnel["state"]["name"] == "online", "not online: {}", server.tunnel);
    round_trip(bench, report, &plane, &server).await?;
    burst(report, &plane, &server).await?;
    reconnect(bench, report, &plane).await?;
    anyhow::ensure!(plane.breaches().is_empty(), "{:?}", plane.breaches());
    drop(server);
    super::tunnel_lines::measure(bench, report).await
}

fn call(server: &TestServer) -> Value {
    json!({
        "name": "read_files",
        "arguments": {"project": server.project, "items": [{"path": SMALL_FILE, "line_count": 10}]},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    })
}

async fn through_tunnel(plane: &FakeControlPlane, params: Value) -> Result<()> {
    let answer = plane.ended(&plane.call(json!(1), "tools/call", params)).await;
    let done = answer["resp_json"]["result"]["structuredContent"]["success"] == true;
    anyhow::ensure!(done, "{answer}");
    Ok(())
}

/// One call at a time, against the same call over the Server's own port.
async fn round_trip(
    bench: &Bench,
    report: &mut Report,
    plane: &FakeControlPlane,
    server: &TestServer,
) -> Result<()> {
    let mut client = server.client().await?;
    let pair = race(
        bench.rounds(400),
        async |samples| samples.time(through_tunnel(plane, call(server))).await,
        async |samples| samples.time(client.mcp("tools/call", call(server))).await.map(drop),
    )
    .await?;
    let added = (pair.product.median() - pair.floor.median()) / 1e3;
    report.pair("small read through the tunnel, over a direct call", &pair, Target::None);
    report.value("what the tunnel adds, with the control plane's own time", "ms", added, Target::AtMost(1.0));
    Ok(())
}

async fn burst(report: &mut Report, plane: &FakeControlPlane, server: &TestServer) -> Result<()> {
    let started = Instant::now();
    let ids: Vec<_> = (0..BURST).map(|n| plane.call(json!(n), "tools/call", call(server))).collect();
    for id in &ids {
        plane.ended(id).await;
    }
    let rate = BURST as f64 / started.elapsed().as_secs_f64();
    report.value("calls through one tunnel", "per s", rate, Target::None);
    Ok(())
}

/// From the moment the network is back until a poll succeeds.
async fn reconnect(bench: &Bench, report: &mut Report, plane: &FakeControlPlane) -> Result<()> {
    let mut back = Samples::default();
    for round in 0..bench.rounds(8) {
        plane.fail_always(Endpoint::Poll, Some(Fault::Cut(Duration::ZERO)));
        let polls = plane.polls().len();
        tokio::time::timeout(Duration::from_secs(30), plane.until(|plane| plane.polls().len() > polls + 1))
            .await
            .context("no poll while the line was down")?;
        plane.fail_always(Endpoint::Poll, None);
        let answered = plane.call(json!(format!("back-{round}")), "ping", json!({}));
        back.time(async { Ok(plane.ended(&answered).await) }).await?;
    }
    report.times("from the return of the line to the next answered call", &back, Target::AtMost(3000.0));
    Ok(())
}

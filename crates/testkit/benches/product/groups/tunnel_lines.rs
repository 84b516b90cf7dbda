//! Eight connections to a control plane on this computer, in the Server that the app starts. Linux only: its processor
//! time is read from /proc.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use webcodex_contracts::control::{ConnectionDraft, ServerSettings, TunnelRoute};
use webcodex_contracts::supervised::{PartSays, ServerStart};
use webcodex_testkit::ToolClient;
use webcodex_testkit::control_plane::FakeControlPlane;

use super::idle::idle_share;
use crate::bench::Bench;
use crate::report::{Report, Target};
use crate::samples::Samples;

const KEY: &str = "sk-benchmark";
const CONTROL: &str = "wc_control_benchmark";
/// Connections at the same time.
const LINES: usize = 8;

pub(super) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let planes: Vec<_> = (0..LINES).map(|line| FakeControlPlane::new(&tunnel(line), KEY)).collect();
    planes[1..].iter().for_each(|other| planes[0].also_serve(other));
    let server = Server::start(bench, format!("http://{}", planes[0].listen().await?)).await?;
    let mut client = ToolClient::connect(server.address, CONTROL).await?;
    let mut ids = Vec::new();
    for line in 0..LINES {
        let (name, tunnel, key) = (format!("Line {line}"), tunnel(line), KEY.to_owned());
        let route = TunnelRoute::Direct;
        let draft = ConnectionDraft { name, tunnel, key, route, ..ConnectionDraft::default() };
        let draft = serde_json::to_string(&draft)?;
        let saved: Value = client.post("/control/connections", draft).await?.json()?;
        ids.push(saved["id"].as_str().with_context(|| format!("not added: {saved}"))?.to_owned());
    }
    let mut online = Samples::default();
    for _ in 0..bench.rounds(20) {
        switch(&mut client, &ids[0], false).await?;
        let mut events = server.events().await?;
        let started = Instant::now();
        switch(&mut client, &ids[0], true).await?;
        while !events.next_line().await?.context("the events ended")?.contains(r#"{"name":"online"}"#) {}
        online.push(started.elapsed().as_secs_f64() * 1e6);
    }
    report.times("from the order to connect to Online, as the app hears it", &online, Target::AtMost(300.0));
    for id in &ids[1..] {
        switch(&mut client, id, true).await?;
    }
    for plane in &planes {
        plane.until(|plane| plane.polls().len() > 1).await;
    }
    let share = idle_share(bench, &BTreeSet::from([server.pid])).await?;
    report.value(
        "processor time of eight idle connections, with their Server",
        "%",
        share,
        Target::AtMost(0.5),
    );
    for plane in &planes {
        ensure!(plane.breaches().is_empty(), "{:?}", plane.breaches());
    }
    Ok(())
}

fn tunnel(line: usize) -> String {
    format!("tunnel_{line:032}")
}

async fn switch(client: &mut ToolClient, id: &str, on: bool) -> Result<()> {
    let answer =
        client.post(&format!("/control/connections/{id}/switch"), json!({"on": on}).to_string()).await?;
    ensure!(answer.status.is_success(), "not switched: {}", answer.status);
    Ok(())
}

/// The Server as the app starts it.
struct Server {
    address: SocketAddr,
    pid: u32,
    /// It ends with its standard input.
    _process: Child,
    _data: tempfile::TempDir,
}

impl Server {
    async fn start(bench: &Bench, control_plane: String) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let mut command = Command::new(bench.executable());
        command.args(["server", "--supervised"]).env("WEBCODEX_DATA_DIR", data.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn()?;
        let start = ServerStart {
            control: CONTROL.to_owned(),
            client: None,
            runner: "wc_runner_benchmark".to_owned(),
            port: None,
            settings: ServerSettings::default(),
            control_plane: Some(control_plane),
        };
        let line = format!("{}\n", serde_json::to_string(&start)?);
        process.stdin.as_mut().context("stdin is piped")?.write_all(line.as_bytes()).await?;
        let mut lines = BufReader::new(process.stdout.take().context("stdout is piped")?).lines();
        let said = lines.next_line().await?.context("it ended without a word")?;
        match serde_json::from_str(&said)? {
            PartSays::Ready { address: Some(address), pid, .. } => {
                Ok(Self { address, pid, _process: process, _data: data })
            }
            _ => anyhow::bail!("not ready: {said}"),
        }
    }

    /// What the app hears from now on, after what it hears first.
    async fn events(&self) -> Result<Lines<BufReader<TcpStream>>> {
        let mut stream = TcpStream::connect(self.address).await?;
        let request = format!(
            "GET /control/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {CONTROL}\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).await?;
        let mut lines = BufReader::new(stream).lines();
        while !lines.next_line().await?.context("the events ended")?.contains(r#""kind":"state""#) {}
        Ok(lines)
    }
}

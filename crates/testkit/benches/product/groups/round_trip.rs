//! Server → Runner → back, against a bare axum route that reads and writes JSON of the same size.

use anyhow::Result;
use bytes::Bytes;
use serde_json::{Value, json};
use webcodex_testkit::{SplitServer, TestServer, ToolClient};

use crate::bench::Bench;
use crate::burst::{Crowd, Post};
use crate::floor_server::FloorServer;
use crate::report::{Report, Target};
use crate::repository::SMALL_FILE;
use crate::samples::{Pair, race};

const API: &str = "/api/tools/call";

pub(crate) async fn measure(bench: &Bench, report: &mut Report) -> Result<()> {
    let folder = bench.real()?;
    let floor = FloorServer::start().await?;
    let shared = bench.share(&folder).await?;
    let split = SplitServer::start_with(bench.executable(), &folder, &[]).await?;
    for count in [1, 8, 32] {
        let target = if count == 32 { Target::Ratio(2.2) } else { Target::Ratio(3.0) };
        let clients = Clients::of_share(&shared, count).await?;
        let pair = against_floor(bench, clients, &floor, API, small_read(&shared.project)).await?;
        report.pair(format!("small read, one process, {count} clients"), &pair, target);
        let clients = Clients::of_split(&split, count).await?;
        let pair = against_floor(bench, clients, &floor, API, small_read(&split.project)).await?;
        report.pair(format!("small read, Server and Runner apart, {count} clients"), &pair, target);
        let clients = Clients::of_share_mcp(&shared, count).await?;
        let pair = against_floor(bench, clients, &floor, "/mcp", over_mcp(&shared.project)).await?;
        report.pair(format!("small read, one process, over MCP, {count} clients"), &pair, target);
    }
    batches(bench, &shared, report).await
}

/// A batch of 8 reads against one read of the same size each.
async fn batches(bench: &Bench, shared: &TestServer, report: &mut Report) -> Result<()> {
    let body = |items: usize| {
        let items: Vec<Value> = (0..items)
            .map(|item| json!({"path": SMALL_FILE, "start_line": item + 1, "line_count": 10}))
            .collect();
        call("read_files", json!({"project": shared.project, "items": items}))
    };
    for count in [1, 8, 32] {
        let mut batch = Clients::of_share(shared, count).await?.crowd(API, body(8));
        let mut single = Clients::of_share(shared, count).await?.crowd(API, body(1));
        let each = each(count);
        let pair = race(
            bench.rounds(8),
            async |samples| batch.burst(each, samples).await,
            async |samples| single.burst(each, samples).await,
        )
        .await?;
        let target = if count == 1 { Target::Ratio(2.0) } else { Target::None };
        report.pair(format!("batch of 8 reads to one read, {count} clients"), &pair, target);
    }
    Ok(())
}

async fn against_floor(
    bench: &Bench,
    clients: Clients,
    floor: &FloorServer,
    path: &'static str,
    body: Bytes,
) -> Result<Pair> {
    let count = clients.0.len();
    let mut crowd = clients.crowd(path, body.clone());
    floor.answer_with(&crowd.one_answer().await?).await?;
    let mut floor = Clients::of_floor(floor, count).await?.crowd("/call", body);
    let each = each(count);
    race(
        bench.rounds(8),
        async |samples| crowd.burst(each, samples).await,
        async |samples| floor.burst(each, samples).await,
    )
    .await
}

/// Requests of each client in a round: about the same number in all.
fn each(clients: usize) -> usize {
    (800 / clients).max(50)
}

/// Connected clients of one server.
struct Clients(Vec<ToolClient>);

impl Clients {
    async fn of_share(server: &TestServer, count: usize) -> Result<Self> {
        let mut clients = Vec::new();
        for _ in 0..count {
            clients.push(server.client().await?);
        }
        Ok(Self(clients))
    }

    async fn of_share_mcp(server: &TestServer, count: usize) -> Result<Self> {
        let Self(clients) = Self::of_share(server, count).await?;
        let headers =
            [("mcp-protocol-version", REVISION), ("mcp-method", "tools/call"), ("mcp-name", "read_files")];
        let with_headers = |client| {
            headers.iter().fold(client, |client: ToolClient, (name, value)| client.with_header(name, value))
        };
        Ok(Self(clients.into_iter().map(with_headers).collect()))
    }

    async fn of_split(server: &SplitServer, count: usize) -> Result<Self> {
        let mut clients = Vec::new();
        for _ in 0..count {
            clients.push(server.client().await?);
        }
        Ok(Self(clients))
    }

    async fn of_floor(server: &FloorServer, count: usize) -> Result<Self> {
        let mut clients = Vec::new();
        for _ in 0..count {
            clients.push(server.client().await?);
        }
        Ok(Self(clients))
    }

    fn crowd(self, path: &'static str, body: Bytes) -> Crowd<Post> {
        let Self(clients) = self;
        Crowd::new(clients.into_iter().map(|client| Post { client, path, body: body.clone() }).collect())
    }
}

const REVISION: &str = "2026-07-28";

fn call(tool: &str, arguments: Value) -> Bytes {
    json!({"tool": tool, "arguments": arguments}).to_string().into()
}

fn small_read(project: &str) -> Bytes {
    call("read_files", json!({"project": project, "items": [{"path": SMALL_FILE, "line_count": 10}]}))
}

fn over_mcp(project: &str) -> Bytes {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let arguments = json!({"project": project, "items": [{"path": SMALL_FILE, "line_count": 10}]});
    let params = json!({"name": "read_files", "arguments": arguments, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string().into()
}

//! The floor of a round trip: an axum route that reads JSON and writes JSON, in a process of its own.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::Value;
use tempfile::TempDir;
use webcodex_testkit::{Launched, ToolClient};

type Kept = Arc<Mutex<Value>>;

/// Serves until it is killed; prints its address first.
pub(crate) async fn serve() -> Result<()> {
    let routes =
        Router::new().route("/answer", post(keep)).route("/call", post(answer)).with_state(Kept::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    std::io::Write::write_all(&mut std::io::stdout(), format!("{address}\n").as_bytes())?;
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        let _ = stream.set_nodelay(true);
    });
    Ok(axum::serve(listener, routes).await?)
}

async fn keep(State(kept): State<Kept>, Json(answer): Json<Value>) -> Json<Value> {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    Json(Value::Null)
}

async fn answer(State(kept): State<Kept>, Json(_request): Json<Value>) -> Json<Value> {
    Json(kept.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

/// The running floor server.
pub(crate) struct FloorServer {
    address: SocketAddr,
    _process: Launched,
    _data: TempDir,
}

impl FloorServer {
    /// Starts it as another process of this program.
    pub(crate) async fn start() -> Result<Self> {
        let data = TempDir::new()?;
        let mut process = Launched::start(&std::env::current_exe()?, data.path(), &["--floor-server"], &[])?;
        let address = process.line().await?.parse().context("the floor server names its address")?;
        Ok(Self { address, _process: process, _data: data })
    }

    /// A client of the same kind as the product's.
    pub(crate) async fn client(&self) -> Result<ToolClient> {
        ToolClient::connect(self.address, "none").await
    }

    /// Answers with these bytes from now on.
    pub(crate) async fn answer_with(&self, answer: &[u8]) -> Result<()> {
        self.client().await?.post("/answer", answer.to_vec()).await.map(drop)
    }
}

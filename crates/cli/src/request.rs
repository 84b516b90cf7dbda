//! One request to the own Server, over a plain connection that no proxy touches.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// A Server that does not answer by then hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Asks for `path`; gives the status and the JSON body of the answer.
pub(crate) async fn get(address: SocketAddr, path: &str, credential: &str) -> anyhow::Result<(u16, Value)> {
    in_time(ask(address, Request::get(path), credential, Bytes::new())).await
}

/// Calls a tool; gives its canonical result.
pub(crate) async fn call_tool(
    address: SocketAddr,
    tool: &str,
    arguments: Value,
    credential: &str,
) -> anyhow::Result<Value> {
    let body = json!({"tool": tool, "arguments": arguments}).to_string();
    let request = Request::post("/api/tools/call").header("content-type", "application/json");
    let (status, result) = in_time(ask(address, request, credential, body.into())).await?;
    anyhow::ensure!(status == 200, "it answered with HTTP status {status}");
    Ok(result)
}

async fn in_time<T>(answer: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::time::timeout(ANSWER_WITHIN, answer).await.context("no answer within 5 seconds")?
}

async fn ask(
    address: SocketAddr,
    request: hyper::http::request::Builder,
    credential: &str,
    body: Bytes,
) -> anyhow::Result<(u16, Value)> {
    let stream = TcpStream::connect(address).await.context("no connection")?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = request
        .header("host", address.to_string())
        .header("authorization", format!("Bearer {credential}"))
        .body(Full::new(body))?;
    let response = sender.send_request(request).await?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await?.to_bytes();
    Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

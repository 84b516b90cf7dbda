//! One request to the own Server, over a plain connection that no proxy touches.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::header::HeaderValue;
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

/// Sends one MCP message and waits as long as it takes; gives the answer, null where there is none to a notification.
/// Nothing where the credential is not accepted.
pub(crate) async fn mcp(
    address: SocketAddr,
    message: Bytes,
    revision: Option<&str>,
    credential: &str,
) -> anyhow::Result<Option<Value>> {
    let mut request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if let Some(headers) = request.headers_mut() {
        webcodex_server::fill_mcp_headers(headers, &message);
        if let Some(revision) = revision.and_then(|revision| HeaderValue::from_str(revision).ok()) {
            headers.entry("mcp-protocol-version").or_insert(revision);
        }
    }
    let (status, answer) = ask(address, request, credential, message).await?;
    Ok((status != 401).then_some(answer))
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

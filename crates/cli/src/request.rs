//! One request to the own Server, over a plain connection that no proxy touches.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A Server that does not answer by then hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The status and the JSON body of the answer.
pub(crate) async fn get(address: SocketAddr, path: &str, credential: &str) -> anyhow::Result<(u16, Value)> {
    tokio::time::timeout(ANSWER_WITHIN, ask(address, path, credential))
        .await
        .context("no answer within 5 seconds")?
}

async fn ask(address: SocketAddr, path: &str, credential: &str) -> anyhow::Result<(u16, Value)> {
    let stream = TcpStream::connect(address).await.context("no connection")?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = hyper::Request::get(path)
        .header("host", address.to_string())
        .header("authorization", format!("Bearer {credential}"))
        .body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await?.to_bytes();
    Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

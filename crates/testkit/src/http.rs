//! One keep-alive HTTP/1.1 connection to a loopback server.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A connection that carries one request at a time and stays open between them.
pub struct Connection {
    address: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub body: Bytes,
}

impl Answer {
    /// The body as JSON; the error shows the beginning of what came instead.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| {
            let shown: String = String::from_utf8_lossy(&self.body).chars().take(200).collect();
            format!("{}: not JSON: {shown:?}", self.status)
        })
    }
}

impl Connection {
    /// Connects to `address`.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        Ok(Self { address, sender: connect(address).await? })
    }

    /// Sends a request and reads the whole answer; connects again if the server has closed the idle connection.
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Answer> {
        if self.sender.ready().await.is_err() {
            self.sender = connect(self.address).await?;
        }
        let response = self.sender.send_request(request).await.context("the server closed the connection")?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.context("the answer ended early")?.to_bytes();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Full<Bytes>>> {
    let stream =
        TcpStream::connect(address).await.with_context(|| format!("nothing listens on {address}"))?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Its errors reach the request in flight.
    tokio::spawn(connection);
    Ok(sender)
}

//! Bytes on a socket, for requests that no client library would send.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long the server may take to answer and close.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends `request` with `Connection: close` semantics and returns everything that comes back.
pub async fn exchange(address: SocketAddr, request: &[u8]) -> Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    // A server may refuse and close before it has read everything.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    if let Err(error) = read.context("the server neither answered nor closed the connection")? {
        anyhow::ensure!(!answer.is_empty(), "the connection broke without an answer: {error}");
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A request with exactly these headers; `Content-Length` and `Connection: close` are added.
pub fn request(line: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()));
    text.into_bytes()
}

/// The status code of a raw answer; 0 if there is none.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// The body of a raw answer.
pub fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

//! Plain HTTP over TCP, written by hand so that a request may be as wrong as a test wants.

use std::net::SocketAddr;

use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// One HTTP request, written by hand so that it may be as wrong as a test wants.
#[derive(Clone)]
pub(crate) struct Request {
    addr: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(addr: SocketAddr, method: &str, path: &str) -> Self {
        Self { addr, method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        self.raw_header(name, value.as_bytes())
    }

    pub(crate) fn raw_header(mut self, name: &str, value: &[u8]) -> Self {
        self.headers.push((name.to_owned(), value.to_vec()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn replace(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    fn head(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path).into_bytes();
        for (name, value) in &self.headers {
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        head.extend(b"connection: close\r\n");
        head
    }

    /// Sends it and reads the answer to its end.
    pub(crate) async fn send(self) -> Response {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        let mut message = self.head();
        message.extend(format!("content-length: {}\r\n\r\n", self.body.len()).into_bytes());
        message.extend(&self.body);
        stream.write_all(&message).await.unwrap();
        Response::read(stream).await
    }

    /// Sends it in chunks, with no length announced.
    pub(crate) async fn send_chunked(self) -> Response {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        let mut message = self.head();
        message.extend(b"transfer-encoding: chunked\r\n\r\n");
        for chunk in self.body.chunks(64 * 1024) {
            message.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            message.extend(chunk);
            message.extend(b"\r\n");
        }
        message.extend(b"0\r\n\r\n");
        stream.write_all(&message).await.unwrap();
        Response::read(stream).await
    }

    /// Sends it and reads the first document of a stream of lines.
    pub(crate) async fn first_line(self) -> Value {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        stream.write_all(&[self.head(), b"\r\n".to_vec()].concat()).await.unwrap();
        let mut lines = BufReader::new(stream).lines();
        loop {
            // Before it come the head and the length of its chunk.
            let line = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("the stream ended"));
            if line.starts_with('{') {
                return serde_json::from_str(&line).unwrap();
            }
        }
    }

    /// Sends it, waits until `arrived` and goes away without reading the answer.
    pub(crate) async fn send_and_leave(self, arrived: impl Fn() -> bool) {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        let mut message = self.head();
        message.extend(format!("content-length: {}\r\n\r\n", self.body.len()).into_bytes());
        message.extend(&self.body);
        stream.write_all(&message).await.unwrap();
        while !arrived() {
            tokio::task::yield_now().await;
        }
    }
}

/// An HTTP answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Map<String, Value>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    async fn read(mut stream: TcpStream) -> Self {
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.unwrap();
        let end =
            all.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer"));
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(": ").unwrap_or((line, "")))
            .map(|(name, value)| (name.to_ascii_lowercase(), Value::from(value)))
            .collect();
        Self { status, headers, body: all[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.status, String::from_utf8_lossy(&self.body))
    }

    pub(crate) fn body_json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }
}

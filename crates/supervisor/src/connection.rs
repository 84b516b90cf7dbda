//! The Server's control routes, over plain loopback connections that no proxy touches.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http_body_util::{BodyExt, Full};
use hyper::Method;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio::net::TcpStream;
use webcodex_contracts::control::{Failure, ProofAnswer, ProofRequest};
use webcodex_settings::Secret;

/// A Server that does not answer an order by then hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// A Server that does not prove itself by then is none, or hangs.
const PROOF_WITHIN: Duration = Duration::from_secs(3);
/// Bytes of one answer that are read.
const ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// How to speak to one Server.
#[derive(Clone)]
pub(crate) struct Connection {
    address: SocketAddr,
    secret: Secret,
}

impl Connection {
    pub(crate) fn new(address: SocketAddr, secret: Secret) -> Self {
        Self { address, secret }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether the program that answers holds our secret, and is the process that we started. The secret itself is not
    /// sent: what listens there may be anybody.
    pub(crate) async fn prove(&self, pid: u32) -> Result<ProofAnswer, Failure> {
        let nonce: [u8; 32] = rand::random();
        let asked = ProofRequest { nonce: hex(&nonce) };
        let ask = self.ask(Method::POST, "/control/proof", Some(&asked), None);
        let answer: ProofAnswer = within(PROOF_WITHIN, ask).await?;
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.expose().as_bytes())
            .map_err(|error| unreachable(error.to_string()))?;
        mac.update(ProofAnswer::CONTEXT);
        mac.update(&nonce);
        let wanted = hex(&mac.finalize().into_bytes());
        let proven = bool::from(wanted.as_bytes().ct_eq(answer.mac.as_bytes())) && answer.pid == pid;
        proven.then_some(answer).ok_or_else(|| unreachable("another program answers on its port".to_owned()))
    }

    /// Whether a client with this credential gets an answer.
    pub(crate) async fn answers(&self, client: &Secret) -> Result<(), Failure> {
        let ask = self.ask(Method::GET, "/healthz", None::<&()>, Some(client));
        within(PROOF_WITHIN, ask).await.map(|_: serde::de::IgnoredAny| ())
    }

    /// Gives an order and reads its answer.
    pub(crate) async fn order<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<T, Failure> {
        within(ANSWER_WITHIN, self.ask(method, path, body, Some(&self.secret))).await
    }

    /// Gives an order whose answer says nothing.
    pub(crate) async fn tell(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<(), Failure> {
        // An empty body, or whatever the Server says in passing.
        self.order::<serde::de::IgnoredAny>(method, path, body).await.map(drop)
    }

    /// Follows an endless answer, line by line.
    pub(crate) async fn follow(&self, path: &str) -> Result<Lines, Failure> {
        let opening = self.send(Method::GET, path, Bytes::new(), Some(&self.secret));
        let response = within(PROOF_WITHIN, opening).await?;
        if !response.status().is_success() {
            return Err(refusal(response.status(), &read(response.into_body()).await?));
        }
        Ok(Lines { body: response.into_body(), buffer: Vec::new(), searched: 0 })
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
        secret: Option<&Secret>,
    ) -> Result<T, Failure> {
        let body =
            body.map(serde_json::to_vec).transpose().map_err(|error| unreachable(error.to_string()))?;
        let response = self.send(method, path, body.unwrap_or_default().into(), secret).await?;
        let status = response.status();
        let text = read(response.into_body()).await?;
        if !status.is_success() {
            return Err(refusal(status, &text));
        }
        let text: &[u8] = if text.is_empty() { b"null" } else { &text };
        serde_json::from_slice(text)
            .map_err(|error| unreachable(format!("its answer is not understood: {error}")))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
        secret: Option<&Secret>,
    ) -> Result<hyper::Response<Incoming>, Failure> {
        let failed = |error: &dyn std::fmt::Display| unreachable(error.to_string());
        let stream = TcpStream::connect(self.address).await.map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let shaken = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = shaken.map_err(|error| failed(&error))?;
        // Ends with the answer's body.
        tokio::spawn(connection);
        let mut request = hyper::Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.address.to_string())
            .header("content-type", "application/json");
        if let Some(secret) = secret {
            request = request.header("authorization", format!("Bearer {}", secret.expose()));
        }
        let request = request.body(Full::new(body)).map_err(|error| failed(&error))?;
        sender.send_request(request).await.map_err(|error| failed(&error))
    }
}

/// The lines of an endless answer.
pub(crate) struct Lines {
    body: Incoming,
    buffer: Vec<u8>,
    searched: usize,
}

impl Lines {
    /// The next line; nothing once the answer has ended.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Failure> {
        loop {
            if let Some(at) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=self.searched + at).collect();
                self.searched = 0;
                if line.trim_ascii().is_empty() {
                    continue;
                }
                return serde_json::from_slice(&line)
                    .map(Some)
                    .map_err(|error| unreachable(format!("a line of it is not understood: {error}")));
            }
            self.searched = self.buffer.len();
            if self.searched > ANSWER_BYTES {
                return Err(unreachable("a line of it has no end".to_owned()));
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(unreachable(error.to_string())),
                Some(Ok(frame)) => {
                    if let Some(data) = frame.data_ref() {
                        self.buffer.extend_from_slice(data);
                    }
                }
            }
        }
    }
}

async fn read(body: Incoming) -> Result<Bytes, Failure> {
    let limited = http_body_util::Limited::new(body, ANSWER_BYTES);
    let read = limited.collect().await.map_err(|error| unreachable(error.to_string()))?;
    Ok(read.to_bytes())
}

async fn within<T>(limit: Duration, asked: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let silent = |_| unreachable(format!("no answer within {} s", limit.as_secs()));
    tokio::time::timeout(limit, asked).await.map_err(silent)?
}

/// What the Server said when it refused.
fn refusal(status: hyper::StatusCode, text: &[u8]) -> Failure {
    #[derive(serde::Deserialize)]
    struct Wrapped {
        error: Failure,
    }
    let failure = serde_json::from_slice::<Failure>(text).ok();
    let failure = failure.or_else(|| Some(serde_json::from_slice::<Wrapped>(text).ok()?.error));
    failure.unwrap_or_else(|| unreachable(format!("it answered with HTTP status {status}")))
}

/// The Server could not be asked.
pub(crate) fn unreachable(why: String) -> Failure {
    Failure {
        code: "server_unreachable".to_owned(),
        message: format!("the Server does not answer: {why}"),
        hint: Some("try again; if it stays so, restart WebCodex".to_owned()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        use std::fmt::Write;
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

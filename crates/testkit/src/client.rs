//! Calls tools over HTTP, through `/api/tools/call` or through MCP.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};

use crate::http::{Answer, Connection};

/// The revision whose requests stand alone.
const MODERN: &str = "2026-07-28";

/// One client with a credential and a connection of its own.
pub struct ToolClient {
    connection: Connection,
    address: SocketAddr,
    credential: String,
    headers: Vec<(String, String)>,
}

impl ToolClient {
    /// Connects with a credential.
    pub async fn connect(address: SocketAddr, credential: &str) -> Result<Self> {
        let connection = Connection::open(address).await?;
        Ok(Self { connection, address, credential: credential.to_owned(), headers: Vec::new() })
    }

    /// Sends this header with every request from now on.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Calls a tool through `/api/tools/call` and returns the canonical result, success or failure.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let body = json!({"tool": tool, "arguments": arguments}).to_string();
        self.post("/api/tools/call", body).await?.json()
    }

    /// Calls a tool and returns `output`; a failure of the tool is an error with the whole result.
    pub async fn output(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let mut result = self.call(tool, arguments).await?;
        ensure!(result["success"] == true, "`{tool}` failed: {result}");
        Ok(result["output"].take())
    }

    /// Sends one MCP request of the stateless revision and returns `result`.
    pub async fn mcp(&mut self, method: &str, params: Value) -> Result<Value> {
        let request = self.mcp_request(method, params)?;
        let mut answer = self.connection.send(request).await?.json()?;
        ensure!(answer.get("result").is_some(), "`{method}` got no result: {answer}");
        Ok(answer["result"].take())
    }

    /// Posts a body as it is, with the credential.
    pub async fn post(&mut self, path: &str, body: impl Into<Bytes>) -> Result<Answer> {
        let request = self.request(path).body(Full::new(body.into()))?;
        self.connection.send(request).await
    }

    fn mcp_request(&self, method: &str, mut params: Value) -> Result<Request<Full<Bytes>>> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        params.as_object_mut().context("params must be an object")?.insert("_meta".to_owned(), meta);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut request =
            self.request("/mcp").header("mcp-protocol-version", MODERN).header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        Ok(request.body(Full::new(body.into()))?)
    }

    fn request(&self, path: &str) -> http::request::Builder {
        let request = Request::post(path)
            .header("host", self.address.to_string())
            .header("authorization", format!("Bearer {}", self.credential))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }
}

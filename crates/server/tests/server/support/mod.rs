//! A real Server on a free port, Runners that answer as a test says, and plain HTTP.

pub(crate) mod http;

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::call::CallContext;
use webcodex_contracts::{CanonicalResult, ClientId, ErrorCode, ToolError, ToolName, table};
use webcodex_link::{Call, CallHandler, Caller, Hello, LinkPolicy, PROTOCOL_GENERATION, Runners};
use webcodex_server::{Server, ServerConfig, TunnelDoor};
use webcodex_store::{CredentialKind, NewCredential, Store};

use http::Request;

/// A project of the Runner `laptop`.
pub(crate) const PROJECT: &str = "agent:laptop:web";

/// A Server that runs until it is dropped.
pub(crate) struct TestServer {
    pub(crate) addr: SocketAddr,
    pub(crate) secret: String,
    pub(crate) store: Store,
    pub(crate) runners: Runners,
    pub(crate) tunnels: TunnelDoor,
    stop: CancellationToken,
    serving: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::with(ServerConfig::temporary()).await
    }

    pub(crate) async fn with(config: ServerConfig) -> Self {
        let server = Server::bind(config).await.unwrap();
        let secret = server
            .credentials()
            .issue(NewCredential::new(CredentialKind::Client, "test"))
            .await
            .unwrap()
            .secret;
        let (addr, store, runners) = (server.local_addr(), server.store(), server.runners());
        let tunnels = server.tunnel_door();
        let stop = CancellationToken::new();
        let serving = Some(tokio::spawn(server.serve(stop.clone())));
        Self { addr, secret, store, runners, tunnels, stop, serving }
    }

    /// Stops it and waits for the end.
    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        self.serving.take().unwrap().await.unwrap();
    }

    pub(crate) async fn issue(&self, new: NewCredential) -> String {
        self.store.credentials().issue(new).await.unwrap().secret
    }

    /// Links a Runner that answers with `answer`.
    pub(crate) async fn link(
        &self,
        client: &str,
        answer: impl Fn(&Call) -> CanonicalResult + Send + Sync + 'static,
    ) -> FakeRunner {
        let runner = FakeRunner { seen: Arc::default(), stop: CancellationToken::new() };
        let answering = Arc::new(Answering { answer: Box::new(answer), seen: runner.seen.clone() });
        let (here, there) = tokio::io::duplex(64 * 1024);
        let runners = self.runners.clone();
        tokio::spawn(async move { runners.serve(here, LinkPolicy::default()).await });
        let stop = runner.stop.clone();
        let hello = hello(client);
        tokio::spawn(async move {
            tokio::select! {
                ended = webcodex_link::serve(there, hello, answering, |_| {}) => drop(ended),
                () = stop.cancelled() => {}
            }
        });
        while self.runners.find(client).is_none() {
            tokio::task::yield_now().await;
        }
        runner
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(self.addr, method, path);
        request
            .header("host", &self.addr.to_string())
            .header("authorization", &format!("Bearer {}", self.secret))
    }

    /// Calls a tool through `/api`.
    pub(crate) async fn api(&self, tool: &str, arguments: Value) -> Value {
        self.api_as(&self.secret, tool, arguments).await
    }

    pub(crate) async fn api_as(&self, secret: &str, tool: &str, arguments: Value) -> Value {
        let body = json!({"tool": tool, "arguments": arguments});
        let request =
            self.request("POST", "/api/tools/call").replace("authorization", &format!("Bearer {secret}"));
        let response = request.json(&body).send().await;
        assert_eq!(response.status, 200, "{}", response.text());
        let result = response.body_json();
        follow_ups_fit(&result);
        result
    }

    /// Sends a message to `/mcp` with the headers that the modern era wants.
    pub(crate) fn modern(&self, method: &str, params: Value) -> Request {
        self.modern_as(method, params, "test-client")
    }

    pub(crate) fn modern_as(&self, method: &str, mut params: Value, client: &str) -> Request {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
        });
        let own = params["_meta"].as_object().cloned().unwrap_or_default();
        params["_meta"] = meta;
        params["_meta"].as_object_mut().unwrap().extend(own);
        let name = params["name"].as_str().map(str::to_owned);
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut request = self
            .request("POST", "/mcp")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .header("accept", "application/json, text/event-stream");
        if let Some(name) = name {
            request = request.header("mcp-name", &name);
        }
        request.json(&message)
    }

    /// Sends a message to `/mcp` as a client of the older era.
    pub(crate) fn legacy(&self, method: &str, params: Value) -> Request {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let accept = "application/json, text/event-stream";
        self.request("POST", "/mcp")
            .header("mcp-protocol-version", "2025-11-25")
            .header("accept", accept)
            .json(&message)
    }

    /// Calls a tool in the modern era and returns the `CallToolResult`.
    pub(crate) async fn modern_call(&self, tool: &str, arguments: Value) -> Value {
        let response = self.modern("tools/call", json!({"name": tool, "arguments": arguments})).send().await;
        let result = response.body_json()["result"].clone();
        assert!(result.is_object(), "{}", response.text());
        follow_ups_fit(&result["structuredContent"]);
        result
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// How a Runner called `client` introduces itself.
pub(crate) fn hello(client: &str) -> Hello {
    Hello {
        generation: PROTOCOL_GENERATION,
        client_id: ClientId::parse(client).unwrap(),
        version: "test".to_owned(),
        capabilities: Vec::new(),
        pid: 1,
    }
}

/// What a Runner was asked to do.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) tool: ToolName,
    pub(crate) arguments: Value,
    pub(crate) context: CallContext,
}

/// A linked Runner of a test.
pub(crate) struct FakeRunner {
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
    stop: CancellationToken,
}

impl FakeRunner {
    /// The only call that has arrived so far.
    pub(crate) fn only(&self) -> Seen {
        let seen = self.seen.lock();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }

    pub(crate) fn last(&self) -> Seen {
        self.seen.lock().last().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> usize {
        self.seen.lock().len()
    }

    /// Breaks the link.
    pub(crate) fn unlink(&self) {
        self.stop.cancel();
    }
}

struct Answering {
    answer: Box<dyn Fn(&Call) -> CanonicalResult + Send + Sync>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl CallHandler for Answering {
    type Answer = CanonicalResult;

    async fn call(self: Arc<Self>, call: Call, _: Caller) -> CanonicalResult {
        let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
        self.seen.lock().push(Seen {
            tool: call.tool,
            arguments: arguments.clone(),
            context: call.context.clone(),
        });
        // A test that wants no answer asks for it with a file of this name.
        if arguments.pointer("/items/0/path") == Some(&json!("hang"))
            || arguments.get("script") == Some(&json!("hang"))
        {
            std::future::pending::<()>().await;
        }
        (self.answer)(&call)
    }
}

/// An ordinary Runner with one project, `web`.
pub(crate) fn ordinary(call: &Call) -> CanonicalResult {
    let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
    match call.tool {
        ToolName::WorkOnProject => opened(PROJECT, "web"),
        ToolName::ListProjects => {
            CanonicalResult::success(json!({"projects": [project_info(PROJECT, "web")]}))
        }
        ToolName::RegisterProject => {
            let mut output = project_info(PROJECT, "web");
            output["already_registered"] = json!(false);
            CanonicalResult::success(output)
        }
        ToolName::ReadFiles => read(&arguments),
        ToolName::RunShell => CanonicalResult::success(json!({
            "execution_state": "finished", "job_id": "wcj_1_2", "outcome": "passed", "exit_code": 0, "duration_ms": 5,
            "stdout": {"text": "hello\n", "total_bytes": 6}})),
        _ => CanonicalResult::success(json!({})),
    }
}

fn read(arguments: &Value) -> CanonicalResult {
    let items: Vec<_> = arguments["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| match item["path"].as_str().unwrap() {
            "missing" => json!({"path": "missing", "success": false, "error": {"code": "not_found", "message": "no such file"}}),
            path => json!({"path": path, "success": true, "text": "text\n", "read_revision": 8_535_043_794_784_493_u64}),
        })
        .collect();
    if items.iter().all(|item| item["success"] == false) {
        return CanonicalResult::from(
            ToolError::new(ErrorCode::NotFound, "no such file").field("items[0].path").changed(false),
        );
    }
    CanonicalResult::success(json!({"items": items}))
}

pub(crate) fn project_info(id: &str, name: &str) -> Value {
    json!({"project": id, "name": name, "path": format!("/src/{name}"), "git": true, "branch": "main"})
}

pub(crate) fn opened(id: &str, name: &str) -> CanonicalResult {
    CanonicalResult::success(json!({"project": project_info(id, name), "context": []}))
}

/// Every suggested call inside `value` fits the schema that its target publishes.
pub(crate) fn follow_ups_fit(value: &Value) {
    match value {
        Value::Object(fields) => {
            if let (Some(Value::String(tool)), Some(arguments)) =
                (fields.get("tool"), fields.get("arguments"))
            {
                let target = table::find(tool).unwrap_or_else(|| panic!("no tool {tool}"));
                let schema = jsonschema::validator_for(&target.input_schema).unwrap();
                // A route fixes some arguments and leaves the tool's own to the caller.
                assert!(schema.is_valid(arguments), "{tool} with {arguments}");
            }
            fields.values().for_each(follow_ups_fit);
        }
        Value::Array(items) => items.iter().for_each(follow_ups_fit),
        _ => {}
    }
}

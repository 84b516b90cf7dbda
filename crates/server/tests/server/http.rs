//! The order of the checks in front of every route, and the limits of a body.

use serde_json::json;

use webcodex_contracts::control::ServerSettings;
use webcodex_contracts::limits::MAX_REQUEST_BYTES;
use webcodex_server::{Server, ServerConfig, ServerError};
use webcodex_store::{CredentialKind, NewCredential};

use crate::support::{self, TestServer, ordinary};

const ROUTES: [(&str, &str); 9] = [
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("POST", "/api/tools/call"),
    ("DELETE", "/api/tools/call"),
    ("GET", "/openapi.json"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/runner/link"),
    ("PATCH", "/no/such/route"),
];

#[tokio::test]
async fn a_foreign_request_is_refused_before_anything_else_on_every_route() {
    let server = TestServer::start().await;
    for (method, path) in ROUTES {
        let request = || server.request(method, path).without("authorization");
        let foreign = [
            request().replace("host", "evil.example"),
            request().header("origin", "http://evil.example"),
            request().header("origin", "null"),
            request().without("host"),
            request().header("host", "localhost"),
            request().header("origin", "http://localhost").header("origin", "http://localhost"),
        ];
        for request in foreign {
            assert_eq!(request.send().await.status, 403, "{method} {path}");
        }
        let own = request().replace("host", "LOCALHOST").header("origin", "http://[::1]:5173");
        assert_eq!(own.send().await.status, 401, "{method} {path}");
    }
}

#[tokio::test]
async fn an_unknown_caller_is_challenged_on_every_route() {
    let server = TestServer::start().await;
    for (method, path) in ROUTES {
        let missing = server.request(method, path).without("authorization").send().await;
        assert_eq!(missing.status, 401, "{method} {path}");
        assert_eq!(missing.header("www-authenticate"), "Bearer realm=\"webcodex\"");
        let wrong =
            server.request(method, path).replace("authorization", "Bearer not-a-secret-of-ours").send().await;
        assert_eq!(wrong.status, 401);
        assert!(wrong.header("www-authenticate").contains("error=\"invalid_token\""));
        assert!(!wrong.text().contains("not-a-secret"), "never repeated");
        for answer in [missing, wrong] {
            let body = answer.body_json();
            assert!(body["error"]["message"].is_string(), "{method} {path}: {body}");
            assert_eq!(body["jsonrpc"] == "2.0", path == "/mcp", "each route in its own form");
        }
    }
}

#[tokio::test]
async fn then_the_method_then_the_route() {
    let server = TestServer::start().await;
    for (method, path, allowed) in [
        ("GET", "/mcp", "POST"),
        ("DELETE", "/mcp", "POST"),
        ("OPTIONS", "/mcp", "POST"),
        ("GET", "/api/tools/call", "POST"),
        ("POST", "/healthz", "GET"),
        ("PUT", "/openapi.json", "GET"),
        ("POST", "/readyz", "GET"),
    ] {
        let answer = server.request(method, path).send().await;
        assert_eq!((answer.status, answer.header("allow")), (405, allowed), "{method} {path}");
    }
    for path in ["/", "/mcp/", "/api", "/%2e%2e/etc/passwd"] {
        let answer = server.request("GET", path).send().await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.body_json()["error"]["code"], "not_found", "{path}");
    }
    assert_eq!(server.request("HEAD", "/healthz").send().await.status, 200);
}

#[tokio::test]
async fn a_runners_credential_opens_the_link_and_nothing_else() {
    let server = TestServer::start().await;
    let runner = server.issue(NewCredential::new(CredentialKind::Runner, "laptop")).await;
    let as_runner =
        |method, path| server.request(method, path).replace("authorization", &format!("Bearer {runner}"));
    for (method, path) in ROUTES.into_iter().filter(|(_, path)| *path != "/runner/link") {
        assert_eq!(as_runner(method, path).send().await.status, 403, "{method} {path}");
    }
    let plain = as_runner("GET", "/runner/link").send().await;
    assert_eq!((plain.status, plain.header("upgrade")), (426, "websocket"));
    assert_eq!(server.request("GET", "/runner/link").send().await.status, 403, "a client is no Runner");
}

#[tokio::test]
async fn a_revoked_credential_is_refused_at_once() {
    let server = TestServer::start().await;
    let credentials = server.store.credentials();
    let id = credentials.list()[0].id.clone();
    assert_eq!(server.request("GET", "/healthz").send().await.status, 200);
    credentials.revoke(&id).await.unwrap();
    assert_eq!(server.request("GET", "/healthz").send().await.status, 401);
}

#[tokio::test]
async fn a_body_of_four_mebibytes_is_accepted_and_a_larger_one_is_not() {
    let server = TestServer::start().await;
    let runner = server.link("laptop", ordinary).await;
    let padded = |path: &str, size: usize| {
        let call = match path {
            "/mcp" => json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
            _ => {
                json!({"tool": "read_files", "arguments": {"project": support::PROJECT, "items": [{"path": "a"}]}})
            }
        };
        let mut body = call.to_string();
        body.push_str(&" ".repeat(size - body.len()));
        server.request("POST", path).header("content-type", "application/json").body(body)
    };
    for path in ["/mcp", "/api/tools/call"] {
        let fits = padded(path, MAX_REQUEST_BYTES);
        assert_eq!(fits.clone().send().await.status, 200, "{path}");
        assert_eq!(fits.send_chunked().await.status, 200, "{path}");
        let larger = padded(path, MAX_REQUEST_BYTES + 1);
        for answer in [larger.clone().send().await, larger.send_chunked().await] {
            assert_eq!(answer.status, 413, "{path}");
            assert!(answer.body_json()["error"]["message"].as_str().unwrap().contains("4194304"), "{path}");
            assert_eq!(answer.body_json()["jsonrpc"] == "2.0", path == "/mcp");
        }
    }
    assert_eq!(runner.calls(), 2);
}

#[tokio::test]
async fn only_json_is_a_body() {
    let server = TestServer::start().await;
    for path in ["/mcp", "/api/tools/call"] {
        let body = match path {
            "/mcp" => r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            _ => r#"{"tool":"get_runtime_status"}"#,
        };
        let request = || server.request("POST", path).body(body);
        for (kind, status) in [
            ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("application/jsonx", 415),
            ("application/json", 200),
            ("Application/JSON; charset=utf-8", 200),
        ] {
            assert_eq!(request().header("content-type", kind).send().await.status, status, "{path} {kind}");
        }
        assert_eq!(request().send().await.status, 415, "{path} without a type");
    }
}

#[tokio::test]
async fn readiness_follows_the_runners() {
    let server = TestServer::start().await;
    let ready = async || server.request("GET", "/readyz").send().await;
    let before = ready().await;
    assert_eq!((before.status, &before.body_json()["reason"]), (503, &json!("no Runner is linked")));
    let runner = server.link("laptop", ordinary).await;
    assert_eq!(ready().await.status, 200);
    runner.unlink();
    while server.runners.find("laptop").is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(ready().await.status, 503);
    assert_eq!(server.request("GET", "/healthz").send().await.status, 200, "the Server lives all the same");
}

#[tokio::test]
async fn only_loopback_is_listened_on() {
    for addr in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let config = ServerConfig { addr: addr.parse().unwrap(), ..ServerConfig::temporary() };
        assert!(matches!(Server::bind(config).await, Err(ServerError::NotLoopback(_))), "{addr}");
    }
    let server = TestServer::start().await;
    let taken = ServerConfig { addr: server.addr, ..ServerConfig::temporary() };
    let Err(error) = Server::bind(taken).await else { panic!("bound twice") };
    assert!(error.to_string().contains("choose another"), "{error}");
}

#[tokio::test]
async fn the_public_name_is_let_in_when_it_is_set() {
    let public_address = "https://code.example.org".to_owned();
    let settings = ServerSettings { public_address, ..ServerSettings::default() };
    let server = TestServer::with(ServerConfig { settings, ..ServerConfig::temporary() }).await;
    let request = server.request("GET", "/healthz").replace("host", "code.example.org");
    assert_eq!(request.clone().header("origin", "https://code.example.org").send().await.status, 200);
    assert_eq!(request.header("origin", "https://other.example.org").send().await.status, 403);
}

#[tokio::test]
async fn a_runner_can_dial_in_over_the_network_door() {
    let server = TestServer::start().await;
    let credential = server.issue(NewCredential::new(CredentialKind::Runner, "laptop")).await;
    let target = webcodex_link::DialTarget { address: server.addr, credential };
    let handler = std::sync::Arc::new(Echo);
    let (state, mut watched) = tokio::sync::watch::channel(webcodex_link::LinkState::Dialling);
    let find = move || Some(target.clone());
    let dialling =
        tokio::spawn(webcodex_link::dial(find.clone(), support::hello("laptop"), handler.clone(), state));
    watched.wait_for(|state| *state == webcodex_link::LinkState::Linked).await.unwrap();
    let result = server.api("list_jobs", json!({"project": support::PROJECT})).await;
    assert_eq!(result["output"], json!({"jobs": []}));
    dialling.abort();

    // A credential belongs to one Runner.
    let (state, _watched) = tokio::sync::watch::channel(webcodex_link::LinkState::Dialling);
    let refused = webcodex_link::dial(find, support::hello("other"), handler, state).await;
    assert!(refused.to_string().contains("laptop"), "{refused}");
}

struct Echo;

impl webcodex_link::CallHandler for Echo {
    type Answer = webcodex_contracts::CanonicalResult;

    async fn call(
        self: std::sync::Arc<Self>,
        _: webcodex_link::Call,
        _: webcodex_link::Caller,
    ) -> webcodex_contracts::CanonicalResult {
        webcodex_contracts::CanonicalResult::success(json!({"jobs": []}))
    }
}

//! What gets in: loopback by any of its names, with a credential. Everything else is refused before it is looked at.

use std::net::SocketAddr;

use anyhow::Result;
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, TestServer, raw};

const PATHS: [&str; 4] = ["POST /mcp", "POST /api/tools/call", "GET /openapi.json", "GET /no/such/route"];

struct Door {
    server: TestServer,
    address: SocketAddr,
    _project: TempProject,
}

impl Door {
    async fn open() -> Result<Self> {
        let project = TempProject::plain()?;
        let server = TestServer::share(project.path()).await?;
        let address = server.address()?;
        Ok(Self { server, address, _project: project })
    }

    /// The raw answer to a request with these headers and nothing else.
    async fn bare(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Result<String> {
        raw::exchange(self.address, &raw::request(line, headers, body)).await
    }

    /// The raw answer to a request from a proper client.
    async fn proper(&self, line: &str, body: &str) -> Result<String> {
        let (host, credential) = (self.address.to_string(), format!("Bearer {}", self.server.credential));
        let headers = [
            ("host", host.as_str()),
            ("authorization", credential.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        self.bare(line, &headers, body).await
    }
}

#[tokio::test]
async fn a_foreign_host_or_origin_is_refused_before_anything_else() -> Result<()> {
    let door = Door::open().await?;
    let own = door.address.to_string();
    for line in PATHS {
        for host in
            ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", ""]
        {
            let answer = door.bare(line, &[("host", host)], "").await?;
            assert_eq!(raw::status(&answer), 403, "{line} with host {host:?}: {answer}");
        }
        for origin in ["http://evil.example", "https://localhost.evil.example", "null", "file://"] {
            let answer = door.bare(line, &[("host", &own), ("origin", origin)], "").await?;
            assert_eq!(raw::status(&answer), 403, "{line} with origin {origin}: {answer}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn without_a_credential_every_route_says_how_to_get_in() -> Result<()> {
    let door = Door::open().await?;
    let own = door.address.to_string();
    for line in PATHS {
        for credential in [None, Some("Bearer wrong"), Some("Basic dTpw"), Some("Bearer"), Some("")] {
            let mut headers = vec![("host", own.as_str())];
            headers.extend(credential.map(|credential| ("authorization", credential)));
            let answer = door.bare(line, &headers, "").await?;
            assert_eq!(raw::status(&answer), 401, "{line} with {credential:?}: {answer}");
            assert!(
                answer.to_lowercase().contains("www-authenticate: bearer"),
                "{line}: no challenge in {answer}"
            );
        }
    }
    Ok(())
}

#[tokio::test]
async fn loopback_is_let_in_by_all_its_names() -> Result<()> {
    let door = Door::open().await?;
    let port = door.address.port();
    let credential = format!("Bearer {}", door.server.credential);
    for host in ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            let origin = format!("http://{host}");
            let headers = [("host", host.as_str()), ("origin", &origin), ("authorization", &credential)];
            let answer = door.bare("GET /openapi.json", &headers, "").await?;
            assert_eq!(raw::status(&answer), 200, "{host}: {answer}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn every_bad_body_gets_an_error_that_clients_can_read() -> Result<()> {
    let door = Door::open().await?;
    let bodies = [
        ("", -32700),
        ("{", -32700),
        ("not json", -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"id":1,"method":"ping"}"#, -32600),
        ("\"text\"", -32600),
    ];
    for (body, code) in bodies {
        let answer = door.proper("POST /mcp", body).await?;
        let error: Value =
            serde_json::from_str(raw::body(&answer)).map_err(|_| anyhow::anyhow!("{body}: {answer}"))?;
        assert_eq!((raw::status(&answer), &error["error"]["code"]), (400, &json!(code)), "{body}: {answer}");
    }
    Ok(())
}

#[tokio::test]
async fn other_methods_and_oversized_bodies_are_named() -> Result<()> {
    let door = Door::open().await?;
    for method in ["GET", "DELETE", "PUT"] {
        let answer = door.proper(&format!("{method} /mcp"), "").await?;
        assert_eq!(raw::status(&answer), 405, "{method}: {answer}");
        assert!(answer.to_lowercase().contains("allow: post"), "{method}: {answer}");
    }
    let call = |bytes: usize| {
        let text = "x".repeat(bytes);
        json!({"tool": "get_runtime_status", "arguments": {}, "padding": text}).to_string()
    };
    let refused = door.proper("POST /api/tools/call", &call(4 * 1024 * 1024 + 1)).await?;
    assert_eq!(raw::status(&refused), 413, "{}", &refused[..200.min(refused.len())]);
    let accepted = door.proper("POST /api/tools/call", &call(4 * 1024 * 1024 - 100)).await?;
    assert_ne!(raw::status(&accepted), 413, "{}", &accepted[..200.min(accepted.len())]);
    Ok(())
}

#[tokio::test]
async fn odd_accept_headers_and_deep_documents_are_survived() -> Result<()> {
    let door = Door::open().await?;
    let credential = format!("Bearer {}", door.server.credential);
    let host = door.address.to_string();
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    for accept in
        ["*/*", "application/json", "application/json;q=0.5, text/event-stream;q=0.9", "text/event-stream"]
    {
        let headers = [
            ("host", host.as_str()),
            ("authorization", &credential),
            ("content-type", "application/json"),
            ("accept", accept),
        ];
        let answer = door.bare("POST /mcp", &headers, &initialize.to_string()).await?;
        assert_eq!(raw::status(&answer), 200, "{accept}: {answer}");
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let body = format!(r#"{{"tool":"read_files","arguments":{{"project":"p","items":{deep}}}}}"#);
    let answer = door.proper("POST /api/tools/call", &body).await?;
    assert!(raw::status(&answer) < 500, "{answer}");
    let alive = door.proper("GET /readyz", "").await?;
    assert_eq!(raw::status(&alive), 200, "{alive}");
    Ok(())
}

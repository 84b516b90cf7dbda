//! Connections to OpenAI as the desktop app adds, changes, switches and saves them.

use std::sync::Arc;

use serde_json::{Value, json};
use webcodex_contracts::control::{SavedConnection, TunnelConnection};
use webcodex_server::ServerConfig;
use webcodex_settings::Secret;
use webcodex_store::{CredentialKind, NewCredential, Store, ToolList};
use webcodex_testkit::control_plane::FakeControlPlane;
use webcodex_tunnel::route::{ControlPlaneAddress, NoProxies, SystemNetwork};
use webcodex_tunnel::status::State;
use webcodex_tunnel::wire::InstanceId;
use webcodex_tunnel::{Ground, Surroundings, SystemClock, SystemRandomness};

use crate::support::http::Response;
use crate::support::{TestServer, ordinary};

const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
const OTHER: &str = "tunnel_ffffffffffffffffffffffffffffffff";
const KEY: &str = "sk-planted-KEY_9876";

/// A Server that keeps connections to `plane`, and the secret of the desktop app.
struct Desk {
    server: TestServer,
    control: String,
}

impl Desk {
    async fn open(plane: &FakeControlPlane, saved: Vec<SavedConnection>) -> Self {
        Self::with(ServerConfig::temporary(), plane, saved).await
    }

    async fn with(config: ServerConfig, plane: &FakeControlPlane, saved: Vec<SavedConnection>) -> Self {
        let server = TestServer::with(config).await;
        let control = server.issue(NewCredential::new(CredentialKind::Bootstrap, "app")).await;
        let bearer = server.issue(NewCredential::new(CredentialKind::Client, "tunnel")).await;
        plane.forbid(&bearer);
        let base = format!("http://{}", plane.listen().await.unwrap());
        let surroundings = Surroundings {
            ground: Ground {
                target: server.tunnels.target(&Secret::new(bearer)).unwrap(),
                clock: Arc::new(SystemClock),
                random: Arc::new(SystemRandomness),
            },
            network: Arc::new(SystemNetwork),
            proxies: Arc::new(NoProxies),
            address: ControlPlaneAddress::parse(&base).unwrap(),
            instance: InstanceId::new(&SystemRandomness),
        };
        server.tunnels.open(surroundings);
        let desk = Self { server, control };
        let on: Vec<_> =
            saved.iter().filter(|saved| saved.settings["autostart"] == true).map(|saved| &saved.id).collect();
        let saved = json!({"connections": saved, "on": on});
        assert_eq!(desk.ask("PUT", "connections", Some(saved)).await.status, 204);
        desk
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        let request = self.server.request(method, &format!("/control/{path}"));
        let request = request.replace("authorization", &format!("Bearer {}", self.control));
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    async fn add(&self, draft: Value) -> SavedConnection {
        let added = self.ask("POST", "connections", Some(draft)).await;
        assert_eq!(added.status, 200, "{}", added.text());
        serde_json::from_value(added.body_json()).unwrap()
    }

    async fn until(&self, id: &str, wanted: impl FnMut(&webcodex_tunnel::status::Status) -> bool) {
        self.server.tunnels.status(id).unwrap().wait_for(wanted).await.unwrap();
    }

    /// The connection as it is shown once that is as `wanted`.
    async fn shown(&self, id: &str, wanted: impl Fn(&TunnelConnection) -> bool) -> TunnelConnection {
        loop {
            let shown = self.list().await.into_iter().find(|shown| shown.id == id);
            if let Some(shown) = shown.filter(&wanted) {
                return shown;
            }
            tokio::task::yield_now().await;
        }
    }

    /// What a listener is told first.
    async fn list(&self) -> Vec<TunnelConnection> {
        let request = self.server.request("GET", "/control/events");
        let first = request.replace("authorization", &format!("Bearer {}", self.control)).first_line().await;
        assert!(!first.to_string().contains(KEY));
        serde_json::from_value(first["state"]["connections"].clone()).unwrap()
    }
}

fn tools_of(shown: &TunnelConnection) -> &'static str {
    shown.hops.iter().find(|hop| hop.hop == "tools").unwrap().state.code()
}

fn draft(name: &str, tunnel: &str) -> Value {
    json!({
        "name": name, "tunnel": tunnel, "key": KEY, "organization": "", "route": {"mode": "direct"}, "caFile": "",
        "autostart": true,
    })
}

#[tokio::test]
async fn a_connection_is_added_switched_on_called_and_told_about() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let desk = Desk::open(&plane, Vec::new()).await;
    let runner = desk.server.link("laptop", ordinary).await;
    let saved = desk.add(draft("ChatGPT Work", TUNNEL)).await;
    assert_eq!((saved.secrets.key.as_str(), saved.settings["tunnel"].as_str()), (KEY, Some(TUNNEL)));
    assert!(!saved.settings.to_string().contains(KEY));
    assert_eq!(plane.polls().len(), 0);
    let switched =
        desk.ask("POST", &format!("connections/{}/switch", saved.id), Some(json!({"on": true}))).await;
    assert_eq!(switched.status, 204, "{}", switched.text());
    desk.until(&saved.id, |status| status.state == State::Online).await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let items = json!({"project": "agent:laptop:web", "items": [{"path": "a"}]});
    let params = json!({"name": "read_files", "arguments": items, "_meta": meta});
    let answer = plane.ended(&plane.call(json!(1), "tools/call", params)).await;
    assert_eq!(answer["resp_json"]["result"]["structuredContent"]["success"], true, "{answer}");
    desk.until(&saved.id, |status| status.last_call.is_some()).await;
    let shown = desk.list().await.remove(0);
    assert_eq!(
        (shown.name.as_str(), shown.key_ends_with.as_str(), shown.revision),
        ("ChatGPT Work", "9876", 1)
    );
    let hops: Vec<_> = shown.hops.iter().map(|hop| hop.hop.as_str()).collect();
    assert_eq!(&hops[..3], ["local_server", "runner", "route"]);
    assert_eq!(shown.last_call.unwrap().method, "tools/call");
    runner.unlink();
    assert_eq!(plane.breaches(), Vec::<String>::new());
    desk.server.tunnels.close().await;
}

#[tokio::test]
async fn another_way_for_the_whole_app_is_taken_by_connections_without_their_own() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let desk = Desk::open(&plane, Vec::new()).await;
    let mut draft = draft("One", TUNNEL);
    let patch = |proxy: Value| desk.ask("PATCH", "settings", Some(json!({"proxy": proxy})));
    draft["route"] = json!({"mode": "auto"});
    let saved = desk.add(draft).await;
    assert_eq!(patch(json!({"mode": "direct", "url": ""})).await.status, 204);
    assert_eq!(plane.lookups(), 0, "a connection that is off stays off");
    desk.ask("POST", &format!("connections/{}/switch", saved.id), Some(json!({"on": true}))).await;
    desk.until(&saved.id, |status| status.state == State::Online).await;
    let before = plane.lookups();
    assert_eq!(patch(json!({"mode": "direct", "url": ""})).await.status, 204);
    assert_eq!(plane.lookups(), before, "nothing has changed");
    assert_eq!(patch(json!({"mode": "automatic", "url": ""})).await.status, 204);
    desk.until(&saved.id, |status| status.state == State::Online).await;
    plane.until(|plane| plane.lookups() > before).await;
    desk.ask("POST", &format!("connections/{}/switch", saved.id), Some(json!({"on": false}))).await;
    desk.until(&saved.id, |status| status.state == State::Off).await;
    let before = plane.lookups();
    assert_eq!(patch(json!({"mode": "direct", "url": ""})).await.status, 204);
    assert_eq!(plane.lookups(), before, "what the person switched off stays off");
    desk.server.tunnels.close().await;
}

#[tokio::test]
async fn what_is_wrong_is_refused_with_a_code_and_nothing_changes() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let desk = Desk::open(&plane, Vec::new()).await;
    let saved = desk.add(draft("One", TUNNEL)).await;
    let with = |field: &str, value: Value| {
        let mut draft = draft("Two", OTHER);
        draft[field] = value;
        draft
    };
    for (draft, code) in [
        (draft("Two", TUNNEL), "tunnel_in_use"),
        (draft("Two", "tunnel_1"), "tunnel_invalid"),
        (with("key", json!("")), "key_invalid"),
        (with("key", json!("with blank")), "key_invalid"),
        (with("name", json!(" ")), "name_invalid"),
        (with("organization", json!("a b")), "organization_invalid"),
        (with("route", json!({"mode": "custom", "proxy": "ftp://me:hush@h"})), "proxy_invalid"),
        (with("caFile", json!("/no/such/file.pem")), "ca_file_invalid"),
    ] {
        let refused = desk.ask("POST", "connections", Some(draft.clone())).await;
        assert_eq!((refused.status, refused.body_json()["code"].as_str()), (409, Some(code)), "{draft}");
        assert!(!refused.text().contains("hush") && !refused.text().contains(KEY));
    }
    let path = format!("connections/{}", saved.id);
    let edit = |revision: u64, key: &str| {
        let mut draft = draft("Renamed", TUNNEL);
        draft["key"] = json!(key);
        Some(json!({"revision": revision, "draft": draft}))
    };
    let kept = desk.ask("PUT", &path, edit(1, "")).await;
    assert_eq!(
        (kept.status, &kept.body_json()["secrets"]["key"]),
        (200, &json!(KEY)),
        "a blank key keeps the saved one"
    );
    let stale = desk.ask("PUT", &path, edit(1, "sk-new")).await;
    assert_eq!(stale.body_json()["code"], "stale");
    assert_eq!(desk.ask("DELETE", &format!("{path}?revision=1"), None).await.body_json()["code"], "stale");
    assert_eq!(desk.list().await[0].name, "Renamed");
    assert_eq!(desk.ask("DELETE", &format!("{path}?revision=2"), None).await.status, 204);
    assert_eq!(desk.ask("POST", &format!("{path}/restart"), None).await.status, 404);
    assert_eq!(desk.list().await, []);
}

#[tokio::test]
async fn saved_connections_come_back_with_their_secrets_and_start_by_themselves() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let first = Desk::open(&plane, Vec::new()).await;
    let saved = first.add(draft("Mine", TUNNEL)).await;
    let mut proxied = draft("Proxied", OTHER);
    proxied["route"] = json!({"mode": "custom", "proxy": "http://me:hush@127.0.0.1:9"});
    proxied["autostart"] = json!(false);
    let proxied = first.add(proxied).await;
    assert_eq!(proxied.secrets.proxy_password.as_deref(), Some("hush"));
    assert!(!proxied.settings.to_string().contains("hush"));
    drop(first);

    let id = saved.id.clone();
    let again = Desk::open(&plane, vec![saved, proxied.clone()]).await;
    again.until(&id, |status| status.state == State::Online).await;
    let shown = again.list().await;
    let other = shown.iter().find(|shown| shown.id == proxied.id).unwrap();
    assert_eq!(serde_json::to_value(&other.route).unwrap()["proxy"], "http://me@127.0.0.1:9");
    // Saving what is shown keeps the password that is not shown.
    let mut draft = draft("Proxied again", OTHER);
    draft["key"] = json!("");
    draft["route"] = serde_json::to_value(&other.route).unwrap();
    let edited = json!({"revision": other.revision, "draft": draft});
    let edited = again.ask("PUT", &format!("connections/{}", other.id), Some(edited)).await.body_json();
    assert_eq!(edited["secrets"]["proxyPassword"], "hush");
    again.server.tunnels.close().await;
}

#[tokio::test]
async fn an_old_list_of_tools_is_known_as_such_after_an_update_and_until_chatgpt_fetches_the_new_one() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let database = webcodex_testkit::left::folder().unwrap();
    let file = database.path().join("server.db");
    // What a Server of another version has noted before it was replaced.
    let before = Store::open(&file).unwrap();
    let noted = ToolList { tunnel: TUNNEL.to_owned(), at_ms: 1_700_000_000_000, tools: "another".to_owned() };
    before.note_tool_list(noted).await.unwrap();
    before.close();
    drop(before);

    let config = ServerConfig { database: Some(file), ..ServerConfig::temporary() };
    let mut desk = Desk::with(config.clone(), &plane, Vec::new()).await;
    let saved = desk.add(draft("ChatGPT", TUNNEL)).await;
    let other = desk.add(draft("Other", OTHER)).await;
    let shown = desk.shown(&saved.id, |shown| shown.old_tools).await;
    assert_eq!((shown.last_tool_list, tools_of(&shown)), (Some(1_700_000_000_000), "attention"));
    let shown = desk.shown(&other.id, |_| true).await;
    assert_eq!((shown.old_tools, shown.last_tool_list, tools_of(&shown)), (false, None, "unknown"));

    desk.ask("POST", &format!("connections/{}/switch", saved.id), Some(json!({"on": true}))).await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    plane.ended(&plane.call(json!(1), "tools/list", json!({"_meta": meta}))).await;
    let shown = desk.shown(&saved.id, |shown| !shown.old_tools).await;
    assert_eq!(tools_of(&shown), "works");
    assert!(shown.last_tool_list > Some(1_700_000_000_000));
    desk.server.tunnels.close().await;
    desk.server.stop().await;

    // The same version again: nothing is old, and when the list was fetched is still known.
    let again = Desk::with(config, &plane, vec![saved]).await;
    let known = again.shown(&shown.id, |again| again.last_tool_list == shown.last_tool_list).await;
    assert_eq!((known.old_tools, tools_of(&known)), (false, "works"));
    again.server.tunnels.close().await;
}

#[tokio::test]
async fn only_the_desktop_app_touches_connections() {
    let plane = FakeControlPlane::new(TUNNEL, KEY);
    let desk = Desk::open(&plane, Vec::new()).await;
    let refused = desk.server.request("POST", "/control/connections").json(&draft("x", TUNNEL)).send().await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert_eq!(desk.list().await, []);
}

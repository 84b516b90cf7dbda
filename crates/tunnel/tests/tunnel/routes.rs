//! The fault table of the way: names, connections, proxies, certificates.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use webcodex_testkit::control_plane::{Certificates, Endpoint, FakeProxy, Fault, Place, ProxyMood};
use webcodex_tunnel::route::{FoundProxy, ProxyAddress, ProxyOrigin, RouteSetting};
use webcodex_tunnel::status::Reason;

use crate::stage::{PROXY_PASSWORD, Props, Stage, TestProxies, play, word};

const HOST: &str = "api.test";
const V4: &str = "192.0.2.1";
const V6: &str = "2001:db8::1";
const SERVER: &str = "192.0.2.1:443";
const PROXY: &str = "192.0.2.9:3128";

/// What to arrange, and what is then told.
struct Row {
    name: &'static str,
    route: &'static str,
    arrange: fn(&Stage, &Certificates),
    state: &'static str,
    reason: Option<Reason>,
}

fn row(name: &'static str, route: &'static str, arrange: fn(&Stage, &Certificates), reason: Reason) -> Row {
    let asks = reason == Reason::ProxyAuthNeeded;
    Row { name, route, arrange, state: if asks { "needs you" } else { "waiting" }, reason: Some(reason) }
}

fn good(name: &'static str, route: &'static str, arrange: fn(&Stage, &Certificates)) -> Row {
    Row { name, route, arrange, state: "online", reason: None }
}

fn silent() -> Place {
    Place::open(|stream| {
        tokio::spawn(async move {
            let _open = stream;
            std::future::pending::<()>().await;
        });
    })
}

fn proxy(stage: &Stage, mood: ProxyMood, login: Option<(&'static str, &'static str)>) {
    stage.network.name("proxy.test", &["192.0.2.9"]);
    // `me:PLANTED-PROXY`
    let basic = "bWU6UExBTlRFRC1QUk9YWQ==";
    let network = stage.network.clone();
    stage.network.put(PROXY, FakeProxy { network, login, basic, mood }.place());
}

fn rows() -> Vec<Row> {
    const HTTP: &str = "http://proxy.test:3128";
    const HTTP_LOGIN: &str = "http://me:PLANTED-PROXY@proxy.test:3128";
    const HTTP_WRONG: &str = "http://me:other@proxy.test:3128";
    const SOCKS: &str = "socks5://proxy.test:3128";
    const SOCKS_LOGIN: &str = "socks5h://me:PLANTED-PROXY@proxy.test:3128";
    const SOCKS_WRONG: &str = "socks5://me:other@proxy.test:3128";
    const LOGIN: Option<(&str, &str)> = Some(("me", PROXY_PASSWORD));
    vec![
        good("direct", "", |_, _| {}),
        row("no such name", "", |stage, _| stage.network.name(HOST, &[]), Reason::DnsFailed),
        row("refused", "", |stage, _| stage.network.put(SERVER, Place::Refused), Reason::NetworkBlocked),
        row(
            "black hole",
            "",
            |stage, _| stage.network.put(SERVER, Place::BlackHole),
            Reason::ConnectTimedOut,
        ),
        good("IPv6 black hole", "", |stage, _| {
            stage.network.name(HOST, &[V6, V4]);
            stage.network.put("[2001:db8::1]:443", Place::BlackHole);
        }),
        good("IPv6 refused", "", |stage, _| stage.network.name(HOST, &[V6, V4])),
        row("silent handshake", "", |stage, _| stage.network.put(SERVER, silent()), Reason::ConnectTimedOut),
        row(
            "handshake cut",
            "",
            |stage, _| stage.network.put(SERVER, Place::open(drop)),
            Reason::NetworkBlocked,
        ),
        row(
            "no encryption there",
            "",
            |stage, _| {
                let plane = stage.plane.clone();
                stage.network.put(SERVER, Place::open(move |stream| plane.serve(stream)));
            },
            Reason::TlsFailed,
        ),
        row(
            "expired",
            "",
            |stage, ca| stage.network.put(SERVER, ca.serve_expired(&stage.plane, HOST).unwrap()),
            Reason::CertificateExpired,
        ),
        row(
            "another's certificate",
            "",
            |stage, ca| stage.network.put(SERVER, ca.serve(&stage.plane, "other.test").unwrap()),
            Reason::CertificateUntrusted,
        ),
        row(
            "unknown issuer",
            "",
            |stage, _| {
                let other = Certificates::new().unwrap();
                stage.network.put(SERVER, other.serve(&stage.plane, HOST).unwrap());
            },
            Reason::CertificateUntrusted,
        ),
        good("HTTP proxy", HTTP, |stage, _| proxy(stage, ProxyMood::Good, None)),
        good("HTTP proxy with login", HTTP_LOGIN, |stage, _| proxy(stage, ProxyMood::Good, LOGIN)),
        row("login missing", HTTP, |stage, _| proxy(stage, ProxyMood::Good, LOGIN), Reason::ProxyAuthNeeded),
        row(
            "login wrong",
            HTTP_WRONG,
            |stage, _| proxy(stage, ProxyMood::Good, LOGIN),
            Reason::ProxyAuthNeeded,
        ),
        row(
            "HTTP proxy refuses",
            HTTP,
            |stage, _| proxy(stage, ProxyMood::Refuses, None),
            Reason::ProxyRefuses,
        ),
        row(
            "HTTP proxy is silent",
            HTTP,
            |stage, _| proxy(stage, ProxyMood::Silent, None),
            Reason::ProxyFailed,
        ),
        row(
            "HTTP proxy babbles",
            HTTP,
            |stage, _| proxy(stage, ProxyMood::Babbles, None),
            Reason::ProxyFailed,
        ),
        row("no such proxy", HTTP, |_, _| {}, Reason::ProxyFailed),
        row(
            "proxy refused",
            HTTP,
            |stage, _| stage.network.name("proxy.test", &["192.0.2.9"]),
            Reason::ProxyFailed,
        ),
        row(
            "proxy cannot go on",
            HTTP,
            |stage, _| {
                proxy(stage, ProxyMood::Good, None);
                stage.network.put(SERVER, Place::Refused);
            },
            Reason::ProxyRefuses,
        ),
        good("SOCKS proxy", SOCKS, |stage, _| proxy(stage, ProxyMood::Good, None)),
        good("SOCKS proxy with login", SOCKS_LOGIN, |stage, _| proxy(stage, ProxyMood::Good, LOGIN)),
        row(
            "SOCKS login missing",
            SOCKS,
            |stage, _| proxy(stage, ProxyMood::Good, LOGIN),
            Reason::ProxyAuthNeeded,
        ),
        row(
            "SOCKS login wrong",
            SOCKS_WRONG,
            |stage, _| proxy(stage, ProxyMood::Good, LOGIN),
            Reason::ProxyAuthNeeded,
        ),
        row(
            "SOCKS proxy refuses",
            SOCKS,
            |stage, _| proxy(stage, ProxyMood::Refuses, None),
            Reason::ProxyRefuses,
        ),
        row(
            "SOCKS proxy babbles",
            SOCKS,
            |stage, _| proxy(stage, ProxyMood::Babbles, None),
            Reason::ProxyFailed,
        ),
        row(
            "SOCKS proxy is silent",
            SOCKS,
            |stage, _| proxy(stage, ProxyMood::Silent, None),
            Reason::ProxyFailed,
        ),
        row(
            "SOCKS proxy cannot go on",
            SOCKS,
            |stage, _| {
                proxy(stage, ProxyMood::Good, None);
                stage.network.name(HOST, &[]);
            },
            Reason::ProxyRefuses,
        ),
    ]
}

/// A stage far away: behind a name, with certificates of an issuer that `ca_file` makes known.
fn far(ca: &Certificates, folder: &TempDir, props: Props) -> Stage {
    let ca_file = folder.path().join("ca.pem");
    ca.write(&ca_file).unwrap();
    let ca_file = props.ca_file.or(Some(ca_file));
    let stage = Stage::with(Props { address: "https://api.test", ca_file, ..props });
    stage.network.name(HOST, &[V4]);
    stage.network.put(SERVER, ca.serve(&stage.plane, HOST).unwrap());
    stage
}

fn custom(proxy: &str) -> RouteSetting {
    match proxy {
        "" => RouteSetting::Direct,
        proxy => RouteSetting::Custom { proxy: ProxyAddress::parse(proxy).unwrap() },
    }
}

#[test]
fn every_broken_part_of_the_way_is_named() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    for row in rows() {
        play(async {
            let stage = far(&ca, &folder, Props { route: custom(row.route), ..Default::default() });
            (row.arrange)(&stage, &ca);
            let request = stage.plane.call(json!(1), "echo", json!({}));
            stage.connection.start().await;
            let settled = |state| !matches!(word(state).0, "off" | "starting" | "checking");
            let seen = stage.until(|status| settled(status.state)).await;
            assert_eq!(word(seen.state), (row.state, row.reason), "{}", row.name);
            if row.state == "online" {
                assert_eq!(stage.ended(&request).await["resp_code"], 200, "{}", row.name);
                let shown = seen.route.unwrap();
                let proxied = !row.route.is_empty();
                assert_eq!(shown.contains("proxy.test:3128"), proxied, "{}: {shown}", row.name);
                let direct = stage.network.connections().iter().all(|address| address.to_string() != PROXY);
                assert_eq!(direct, !proxied, "{}", row.name);
            } else {
                assert_eq!((stage.target.runs(), stage.plane.posts().len()), (0, 0), "{}", row.name);
            }
            stage.finish().await;
        });
    }
}

#[test]
fn a_certificate_file_that_is_none_is_told() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    for ca_file in [empty, PathBuf::from("/no/such/file.pem")] {
        play(async {
            let stage = far(&ca, &folder, Props { ca_file: Some(ca_file), ..Default::default() });
            stage.connection.start().await;
            let expected = ("needs you", Some(Reason::CertificateFileUnusable));
            stage.until(|status| word(status.state) == expected).await;
            assert_eq!(stage.network.connections(), []);
            stage.finish().await;
        });
    }
}

#[test]
fn after_ipv6_carried_nothing_ipv4_is_tried_first() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    play(async {
        let stage = far(&ca, &folder, Props { route: RouteSetting::Direct, ..Default::default() });
        stage.network.name(HOST, &[V6, V4]);
        stage.network.put("[2001:db8::1]:443", silent());
        stage.connection.start().await;
        stage.until_online().await;
        let addresses: Vec<String> =
            stage.network.connections().iter().map(|address| address.ip().to_string()).collect();
        assert_eq!(addresses[..2], [V6, V4]);
        stage.finish().await;
    });
}

fn found(origin: ProxyOrigin, proxy: &str) -> TestProxies {
    TestProxies(vec![FoundProxy { origin, proxy: ProxyAddress::parse(proxy) }])
}

#[test]
fn auto_keeps_the_best_route_that_reaches_openai_itself() {
    const FROM_ENVIRONMENT: &str = "proxy http://proxy.test:3128 from environment";
    type Arrange = fn(&Stage);
    let rows: [(Arrange, &str); 5] = [
        (|stage| proxy(stage, ProxyMood::Good, None), FROM_ENVIRONMENT),
        (|stage| proxy(stage, ProxyMood::Refuses, None), "direct"),
        (|stage| proxy(stage, ProxyMood::Silent, None), "direct"),
        (|_| {}, "direct"),
        // The proxy is fine, but what is behind it is not OpenAI.
        (
            |stage| {
                proxy(stage, ProxyMood::Good, None);
                stage.fail(Endpoint::Tunnel, Fault::Body(200, "text/html", "<html>".to_owned()));
            },
            "direct",
        ),
    ];
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    for (arrange, expected) in rows {
        play(async {
            let proxies = found(ProxyOrigin::Environment, "http://proxy.test:3128");
            let stage = far(&ca, &folder, Props { proxies, ..Default::default() });
            arrange(&stage);
            stage.connection.start().await;
            assert_eq!(stage.until_online().await.route.as_deref(), Some(expected));
            stage.finish().await;
        });
    }
}

#[test]
fn when_nothing_works_the_fault_of_the_set_proxy_is_told() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    for (proxy, reason) in [
        ("http://proxy.test:3128", Reason::ProxyFailed),
        ("pac+https://proxy.test/proxy.pac", Reason::ProxyUnsupported),
    ] {
        play(async {
            let proxies = found(ProxyOrigin::System, proxy);
            let stage = far(&ca, &folder, Props { proxies, ..Default::default() });
            stage.network.put(SERVER, Place::Refused);
            stage.connection.start().await;
            stage.until(|status| word(status.state) == ("waiting", Some(reason))).await;
            stage.network.put(SERVER, ca.serve(&stage.plane, HOST).unwrap());
            assert_eq!(stage.until_online().await.route.as_deref(), Some("direct"));
            stage.finish().await;
        });
    }
}

#[test]
fn a_proxy_that_dies_is_replaced_by_what_works() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    play(async {
        let proxies = found(ProxyOrigin::System, "http://proxy.test:3128");
        let stage = far(&ca, &folder, Props { proxies, ..Default::default() });
        proxy(&stage, ProxyMood::Good, None);
        stage.connection.start().await;
        let route = stage.until_online().await.route.unwrap();
        assert_eq!(route, "proxy http://proxy.test:3128 from system settings");
        stage.network.put(PROXY, Place::Refused);
        stage.fail(Endpoint::Poll, Fault::Cut(Duration::ZERO));
        stage.until(|status| status.route.as_deref() == Some("direct")).await;
        let request = stage.plane.call(json!(1), "echo", json!({}));
        assert_eq!(stage.ended(&request).await["resp_code"], 200);
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn a_proxy_that_cuts_long_polls_is_lived_with() {
    let (ca, folder) = (Certificates::new().unwrap(), TempDir::new().unwrap());
    play(async {
        let route = custom("http://proxy.test:3128");
        let stage = far(&ca, &folder, Props { route, ..Default::default() });
        proxy(&stage, ProxyMood::CutsAfter(Duration::from_secs(12)), None);
        stage.connection.start().await;
        stage.until(|status| status.notices == [Reason::ProxyCutsLongPoll]).await;
        let status = stage.until(|status| status.counters.polls > 20).await;
        assert!(status.poll_wait_ms <= 7_000);
        assert!(status.counters.failed_polls < status.counters.polls);
        stage.finish().await;
    });
}

#[test]
fn a_proxy_never_sees_traffic_on_this_computer() {
    play(async {
        let route = custom("http://proxy.test:3128");
        let proxies = found(ProxyOrigin::Environment, "http://proxy.test:3128");
        let stage = Stage::with(Props { route, proxies, ..Default::default() });
        proxy(&stage, ProxyMood::Good, None);
        stage.online().await;
        assert!(stage.network.connections().iter().all(|address| address.ip().is_loopback()));
        stage.finish().await;
    });
}

#[test]
fn a_redirect_leads_nowhere() {
    play(async {
        let stage = Stage::new();
        stage.network.name("evil.test", &["192.0.2.66"]);
        stage.fail(Endpoint::Tunnel, Fault::Redirect("http://evil.test/"));
        stage.fail(Endpoint::Poll, Fault::Redirect("http://evil.test/"));
        stage.connection.start().await;
        stage.until_online().await;
        assert!(stage.network.connections().iter().all(|address| address.ip().is_loopback()));
        stage.finish().await;
    });
}

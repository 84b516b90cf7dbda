//! A connection whose only way out is a proxy that wants a login, with the whole product behind it.

use serde_json::json;
use webcodex_settings::TunnelSettings;
use webcodex_supervisor::control::{ConnectionDraft, TunnelRoute, TunnelState};
use webcodex_supervisor::{Status, Supervisor, SupervisorConfig};
use webcodex_testkit::control_plane::{Certificates, FakeControlPlane, FakeNetwork, FakeProxy, ProxyMood};
use webcodex_testkit::left;

use crate::connections::{KEY, TUNNEL, draft, files_with, online, only};
use crate::support::{Home, reach, serves};

/// A name that only the proxy knows.
const HOST: &str = "control-plane.test";
const PASSWORD: &str = "proxy-canary-93ad07c2e1b8f465";
/// The same login as HTTP writes it, made by another hand than the client's: `printf %s me:PASSWORD | base64`.
const BASIC: &str = "bWU6cHJveHktY2FuYXJ5LTkzYWQwN2MyZTFiOGY0NjU=";

fn needs_you(status: &Status, why: &str) -> bool {
    only(status).is_some_and(
        |connection| matches!(&connection.state, TunnelState::NeedsYou { reason } if reason == why),
    )
}

#[tokio::test]
async fn a_proxy_s_password_opens_the_way_and_is_kept_but_never_shown() {
    for scheme in ["http", "socks5"] {
        let (home, plane, network) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY), FakeNetwork::new());
        left::planted("the password of a proxy", PASSWORD);
        let certificates = Certificates::new().unwrap();
        let ca_file = home.data().join("authority.pem");
        certificates.write(&ca_file).unwrap();
        network.name(HOST, &["192.0.2.1"]);
        network.put("192.0.2.1:443", certificates.serve(&plane, HOST).unwrap());
        let login = Some(("me", PASSWORD));
        let proxy = FakeProxy { network: network.clone(), login, basic: BASIC, mood: ProxyMood::Good };
        let proxy = proxy.place().listen("127.0.0.1").await.unwrap();
        let tunnel =
            TunnelSettings { base_url: Some(format!("https://{HOST}")), ..TunnelSettings::default() };
        let config = SupervisorConfig { tunnel, ..home.config() };
        let through = |login: &str| ConnectionDraft {
            route: TunnelRoute::Custom { proxy: format!("{scheme}://{login}{proxy}") },
            ca_file: ca_file.display().to_string(),
            ..draft(true)
        };

        let supervisor = Supervisor::start(config.clone()).unwrap();
        reach(&supervisor, "it serves", serves).await;
        let id = supervisor.add_connection(through("")).await.unwrap();
        let refused = |status: &Status| needs_you(status, "proxy_auth_needed");
        let status = reach(&supervisor, "the proxy wants a login", refused).await;
        let revision = only(&status).unwrap().revision;
        let with_login = through(&format!("me:{PASSWORD}@"));
        supervisor.edit_connection(id.clone(), revision, with_login).await.unwrap();
        let status = reach(&supervisor, "it is online", online).await;

        // What is shown can be saved again without the password, which stays.
        let shown = only(&status).unwrap().clone();
        assert_eq!(shown.route, TunnelRoute::Custom { proxy: format!("{scheme}://me@{proxy}") });
        let again = ConnectionDraft { key: String::new(), route: shown.route, ..through("") };
        supervisor.edit_connection(id.clone(), shown.revision, again).await.unwrap();
        supervisor.shut_down().await;

        let supervisor = Supervisor::start(config).unwrap();
        let status = reach(&supervisor, "it is online after a restart", online).await;
        let call = plane.call(json!(1), "ping", json!({}));
        assert_eq!(plane.ended(&call).await["resp_code"], 200);
        assert!(!serde_json::to_string(&*status).unwrap().contains(PASSWORD));
        assert_eq!(files_with(home.data(), PASSWORD), [format!("connection.{id}")]);
        supervisor.shut_down().await;
        let breaches =
            plane.breaches().into_iter().filter(|breach| !breach.contains("the instance id changed"));
        assert_eq!(breaches.collect::<Vec<_>>(), Vec::<String>::new());
    }
}

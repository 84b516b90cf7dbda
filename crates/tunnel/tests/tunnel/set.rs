//! Several connections in one process.

use std::sync::Arc;

use serde_json::json;
use webcodex_settings::Secret;
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, FakeNetwork, Fault, Place};
use webcodex_tunnel::route::{ControlPlaneAddress, NoProxies, ProxyAddress, RouteSetting};
use webcodex_tunnel::status::{Reason, State};
use webcodex_tunnel::wire::InstanceId;
use webcodex_tunnel::{ConnectionId, Connections, Draft, EditError, Ground, Surroundings, Target};

use crate::stage::{BEARER, KEY, TUNNEL, TestClock, TestNetwork, TestRandomness, play};
use crate::target::TestTarget;

const OTHER: &str = "tunnel_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
const OTHER_KEY: &str = "sk-PLANTED-KEY_2";

struct Set {
    one: FakeControlPlane,
    two: FakeControlPlane,
    target: TestTarget,
    connections: Connections,
}

impl Set {
    fn new() -> Self {
        let (one, two) = (FakeControlPlane::new(TUNNEL, KEY), FakeControlPlane::new(OTHER, OTHER_KEY));
        one.also_serve(&two);
        let (network, served, target) = (FakeNetwork::new(), one.clone(), TestTarget::default());
        network.name("localhost", &["127.0.0.1"]);
        network.put("127.0.0.1:80", Place::open(move |stream| served.serve(stream)));
        let random = TestRandomness::new();
        let surroundings = Surroundings {
            network: Arc::new(TestNetwork(network)),
            proxies: Arc::new(NoProxies),
            address: ControlPlaneAddress::parse("http://localhost").unwrap(),
            instance: InstanceId::new(&*random),
            ground: Ground {
                target: Target::new(target.router(), &Secret::new(BEARER.to_owned())).unwrap(),
                clock: TestClock::new(),
                random,
            },
        };
        Self { one, two, target, connections: Connections::new(surroundings, Vec::new()) }
    }

    async fn until(&self, id: &ConnectionId, wanted: impl Fn(State) -> bool) {
        let mut status = self.connections.status(id).unwrap();
        status.wait_for(|status| wanted(status.state)).await.unwrap();
    }

    async fn finish(self) {
        self.connections.stop_all().await;
        assert!(self.connections.views().iter().all(|view| view.status.state == State::Off));
        assert_eq!((self.one.breaches(), self.two.breaches()), (vec![], vec![]));
    }
}

fn draft(name: &str, tunnel: &str, key: &str) -> Draft {
    Draft {
        name: name.to_owned(),
        tunnel: tunnel.to_owned(),
        key: Some(Secret::new(key.to_owned())),
        ..Draft::default()
    }
}

#[test]
fn each_lives_without_disturbing_the_other() {
    play(async {
        let set = Set::new();
        let personal = set.connections.add(draft("ChatGPT Personal", TUNNEL, KEY)).unwrap().0;
        let work = Draft {
            autostart: true,
            ..draft(" ChatGPT Work ", &format!(" {OTHER}\n"), &format!("{OTHER_KEY}\n"))
        };
        let work = set.connections.add(work).unwrap().0;
        assert_eq!((work.name.as_str(), work.revision), ("ChatGPT Work", 1));
        assert_ne!(personal.id, work.id);

        set.connections.autostart().await;
        set.until(&work.id, |state| state == State::Online).await;
        assert_eq!(set.connections.status(&personal.id).unwrap().borrow().state, State::Off);
        set.connections.connection(&personal.id).unwrap().start().await;
        set.until(&personal.id, |state| state == State::Online).await;

        let running = set.two.call(json!(1), "slow", json!({"ms": 3000}));
        set.connections.connection(&personal.id).unwrap().restart().await;
        set.connections.delete(&personal.id, 1).await.unwrap();
        assert_eq!(set.two.ended(&running).await["resp_json"]["result"], "late");
        set.until(&work.id, |state| state == State::Online).await;
        assert_eq!(set.two.lookups(), 1, "the other's connection was never made anew");
        assert_eq!(set.target.runs(), 1);
        assert_eq!(set.connections.views().len(), 1);
        set.finish().await;
    });
}

#[test]
fn one_tunnel_has_one_connection() {
    play(async {
        let set = Set::new();
        set.connections.add(draft("One", TUNNEL, KEY)).unwrap();
        let again = set.connections.add(draft("Two", TUNNEL, KEY)).unwrap_err();
        assert_eq!(again, EditError::TunnelInUse { name: "One".to_owned() });
        let two = set.connections.add(draft("Two", OTHER, OTHER_KEY)).unwrap().0;
        let moved = set.connections.edit(&two.id, 1, draft("Two", TUNNEL, KEY)).await.unwrap_err();
        assert_eq!(moved, EditError::TunnelInUse { name: "One".to_owned() });
        set.finish().await;
    });
}

#[test]
fn what_was_changed_meanwhile_is_not_changed_blindly() {
    play(async {
        let set = Set::new();
        let id = set.connections.add(draft("One", TUNNEL, KEY)).unwrap().0.id;
        let (edited, _) = set.connections.edit(&id, 1, draft("Uno", TUNNEL, KEY)).await.unwrap();
        assert_eq!((edited.revision, edited.name.as_str()), (2, "Uno"));
        let stale = Err(EditError::Stale { current: 2 });
        assert_eq!(set.connections.edit(&id, 1, draft("Eins", TUNNEL, KEY)).await.map(|_| ()), stale);
        assert_eq!(set.connections.delete(&id, 1).await, stale);
        set.connections.delete(&id, 2).await.unwrap();
        assert_eq!(set.connections.delete(&id, 2).await, Err(EditError::Unknown));
        set.finish().await;
    });
}

#[test]
fn a_better_key_repairs_a_connection_and_a_blank_one_keeps_it() {
    play(async {
        let set = Set::new();
        let (first, _) = set.connections.add(draft("One", TUNNEL, "sk-wrong")).unwrap();
        let connection = set.connections.connection(&first.id).unwrap();
        connection.start().await;
        set.until(&first.id, |state| state == State::NeedsYou { reason: Reason::KeyRejected }).await;
        set.connections.edit(&first.id, 1, draft("One", TUNNEL, KEY)).await.unwrap();
        set.until(&first.id, |state| state == State::Online).await;
        assert_eq!(set.connections.views()[0].key_ends_with, "EY_1");

        let lookups = set.one.lookups();
        for key in [None, Some(Secret::new(" ".to_owned()))] {
            let revision = set.connections.views()[0].settings.revision;
            let renamed = Draft { key, ..draft("Renamed", TUNNEL, "") };
            let (_, key) = set.connections.edit(&first.id, revision, renamed).await.unwrap();
            assert_eq!(key.expose(), KEY);
        }
        assert_eq!(set.one.lookups(), lookups, "a new name disturbs nothing");

        // Something was put right at OpenAI, and the person enters the key again.
        set.one.fail_always(Endpoint::Poll, Some(Fault::Status(401, None, None)));
        connection.restart().await;
        set.until(&first.id, |state| matches!(state, State::NeedsYou { .. })).await;
        set.one.fail_always(Endpoint::Poll, None);
        let revision = set.connections.views()[0].settings.revision;
        set.connections.edit(&first.id, revision, draft("Renamed", TUNNEL, KEY)).await.unwrap();
        set.until(&first.id, |state| state == State::Online).await;
        let shown = serde_json::to_string(&set.connections.views()).unwrap();
        assert!(shown.contains("Renamed") && !shown.contains(KEY));
        set.finish().await;
    });
}

#[test]
fn a_proxy_password_stays_with_its_proxy() {
    play(async {
        let set = Set::new();
        let with = |proxy: &str| Draft {
            route: RouteSetting::Custom { proxy: ProxyAddress::parse(proxy).unwrap() },
            ..draft("One", TUNNEL, KEY)
        };
        let blank = |proxy: &str| {
            let mut draft = with(proxy);
            if let RouteSetting::Custom { proxy } = &mut draft.route {
                proxy.password = None;
            }
            draft
        };
        let id = set.connections.add(with("http://me:secret@proxy:1")).unwrap().0.id;
        let (kept, _) = set.connections.edit(&id, 1, blank("http://me:x@proxy:1")).await.unwrap();
        let RouteSetting::Custom { proxy } = kept.route else { panic!() };
        assert_eq!(proxy.password.unwrap().expose(), "secret");
        let (moved, _) = set.connections.edit(&id, 2, blank("http://me:x@other:1")).await.unwrap();
        let RouteSetting::Custom { proxy } = moved.route else { panic!() };
        assert_eq!(proxy.password, None);
        set.finish().await;
    });
}

#[test]
fn what_is_entered_is_checked() {
    play(async {
        let set = Set::new();
        let add = |draft: Draft| set.connections.add(draft).map(|_| ()).unwrap_err();
        assert_eq!(add(draft(" ", TUNNEL, KEY)), EditError::Name);
        assert_eq!(add(draft(&"n".repeat(81), TUNNEL, KEY)), EditError::Name);
        assert!(matches!(add(draft("One", "tunnel_short", KEY)), EditError::Tunnel(_)));
        assert_eq!(add(draft("One", TUNNEL, "")), EditError::Key);
        assert_eq!(add(draft("One", TUNNEL, "sk with blanks")), EditError::Key);
        let organization =
            Draft { organization: Some("org\r\nX: 1".to_owned()), ..draft("One", TUNNEL, KEY) };
        assert_eq!(add(organization), EditError::Organization);
        for place in 0..32 {
            set.connections.add(draft("Many", &format!("tunnel_{place:032}"), KEY)).unwrap();
        }
        assert_eq!(add(draft("One", TUNNEL, KEY)), EditError::TooMany);
        set.finish().await;
    });
}

#[test]
fn what_is_saved_comes_back() {
    play(async {
        let set = Set::new();
        let (settings, key) = set.connections.add(draft("One", TUNNEL, KEY)).unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert!(!text.contains(KEY));
        let read: webcodex_tunnel::ConnectionSettings = serde_json::from_str(&text).unwrap();
        assert_eq!((read, key.expose()), (settings, KEY));
        set.finish().await;
    });
}

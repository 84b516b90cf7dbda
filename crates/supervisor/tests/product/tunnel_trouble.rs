//! Connections to OpenAI when something is wrong: with what is kept of them, with the network, at the end.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;
use webcodex_supervisor::Status;
#[cfg(unix)]
use webcodex_supervisor::control::{ConnectionDraft, TunnelState};
use webcodex_supervisor::status::Remark;
use webcodex_testkit::control_plane::{Endpoint, FakeControlPlane, Fault};

use crate::connections::{KEY, TUNNEL, config, draft, online, only};
use crate::support::{Home, local_address, reach, serves};

#[cfg(unix)]
fn is_off(status: &Status) -> bool {
    serves(status) && only(status).is_some_and(|connection| connection.state == TunnelState::Off)
}

fn needs_you_for(status: &Status, why: &str) -> bool {
    only(status).is_some_and(|connection| connection.state.code() == ("needs_you", Some(why)))
}

#[cfg(unix)]
#[tokio::test]
async fn what_the_person_switched_off_stays_off_until_the_app_starts_again() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    let config = config(&home, &plane).await;
    let supervisor = webcodex_supervisor::Supervisor::start(config.clone()).unwrap();
    reach(&supervisor, "both serve", serves).await;
    let id = supervisor.add_connection(draft(true)).await.unwrap();
    reach(&supervisor, "adding it switches it on", online).await;
    supervisor.switch_connection(id.clone(), false).await.unwrap();
    reach(&supervisor, "it is off", is_off).await;
    let polls = plane.polls().len();

    let server = home.pids()[0];
    crate::kill::signal(server, rustix::process::Signal::KILL);
    let replaced = |status: &Status| home.pids().first() != Some(&server) && is_off(status);
    reach(&supervisor, "another Server serves and knows it", replaced).await;
    supervisor.pause().await.unwrap();
    reach(&supervisor, "it has ended", |status| !serves(status)).await;
    supervisor.resume().await.unwrap();
    let status = reach(&supervisor, "it serves again", is_off).await;
    // By the time the Server has done this, what it switches on at its start has long been on.
    let renamed = ConnectionDraft { name: "Renamed".to_owned(), key: String::new(), ..draft(true) };
    supervisor.edit_connection(id.clone(), only(&status).unwrap().revision, renamed).await.unwrap();
    let renamed = |status: &Status| only(status).is_some_and(|connection| connection.name == "Renamed");
    assert!(is_off(&*reach(&supervisor, "it is renamed", renamed).await));
    assert_eq!(plane.polls().len(), polls, "nothing was polled");

    // On is remembered like off, in order and not.
    supervisor.switch_connection(id, true).await.unwrap();
    reach(&supervisor, "it is on", online).await;
    supervisor.restart().await.unwrap();
    reach(&supervisor, "it ends", |status| !serves(status)).await;
    let status = reach(&supervisor, "it is on again", |status| serves(status) && online(status)).await;
    supervisor.switch_connection(only(&status).unwrap().id.clone(), false).await.unwrap();
    supervisor.shut_down().await;
    let supervisor = webcodex_supervisor::Supervisor::start(config).unwrap();
    reach(&supervisor, "a start of the app switches on what starts by itself", online).await;
    supervisor.shut_down().await;
}

#[tokio::test]
async fn a_damaged_file_and_a_key_that_is_gone_cost_no_connection() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    let config = config(&home, &plane).await;
    let supervisor = webcodex_supervisor::Supervisor::start(config.clone()).unwrap();
    reach(&supervisor, "both serve", serves).await;
    let id = supervisor.add_connection(draft(true)).await.unwrap();
    reach(&supervisor, "it is online", online).await;
    supervisor.shut_down().await;

    std::fs::write(home.folders().connections_file(), "\u{0}garbage").unwrap();
    let supervisor = webcodex_supervisor::Supervisor::start(config.clone()).unwrap();
    let status =
        reach(&supervisor, "the last good file is in use", |status| serves(status) && online(status));
    let status = status.await;
    assert_eq!(only(&status).unwrap().id, id);
    let kept_as = status.remarks.iter().find_map(|remark| match remark {
        Remark::ConnectionsRestored { kept_as } => Some(kept_as.clone()),
        _ => None,
    });
    assert_eq!(std::fs::read_to_string(kept_as.expect("the person is told")).unwrap(), "\u{0}garbage");
    supervisor.shut_down().await;

    std::fs::remove_file(home.folders().credential_file(&format!("connection.{id}"))).unwrap();
    let supervisor = webcodex_supervisor::Supervisor::start(config).unwrap();
    let lacks = |status: &Status| needs_you_for(status, "key_malformed");
    let status = reach(&supervisor, "the connection is there and lacks its key", lacks).await;
    let revision = only(&status).unwrap().revision;
    supervisor.edit_connection(id, revision, draft(true)).await.unwrap();
    reach(&supervisor, "with its key it is online", online).await;
    supervisor.shut_down().await;
}

#[tokio::test]
async fn answers_that_nobody_takes_do_not_keep_the_server_from_ending_in_order() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    let config = config(&home, &plane).await;
    let supervisor = webcodex_supervisor::Supervisor::start(config).unwrap();
    reach(&supervisor, "both serve", serves).await;
    supervisor.add_connection(draft(false)).await.unwrap();
    reach(&supervisor, "it is online", online).await;
    plane.fail_always(Endpoint::Response, Some(Fault::Hang));
    plane.call(json!(1), "ping", json!({}));
    let runs = |status: &Status| only(status).is_some_and(|connection| connection.running == 1);
    reach(&supervisor, "its answer is on the way", runs).await;
    // And a client of this computer whose request never ends.
    let mut half = TcpStream::connect(local_address(&supervisor)).unwrap();
    half.write_all(b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{").unwrap();
    let log = home.data().join("server.db-wal");
    assert!(log.exists(), "the database is open");
    supervisor.shut_down().await;
    assert!(!log.exists(), "a database that was closed leaves no log behind");
    drop(half.read(&mut [0; 16]));
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use crate::full_disk::Disk;
    use crate::namespace;

    #[tokio::test]
    async fn a_change_that_cannot_be_kept_is_undone() {
        if !namespace::inside("tunnel_trouble::linux::a_change_that_cannot_be_kept_is_undone", &["--mount"]) {
            return;
        }
        let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
        let settings = std::fs::read(home.folders().settings_file()).unwrap();
        let disk = Disk::mount(home.data(), 24);
        std::fs::write(home.folders().settings_file(), settings).unwrap();
        let config = config(&home, &plane).await;
        let supervisor = webcodex_supervisor::Supervisor::start(config.clone()).unwrap();
        reach(&supervisor, "both serve", serves).await;
        let id = supervisor.add_connection(draft(true)).await.unwrap();
        let before = reach(&supervisor, "it is online", online).await;
        let before = only(&before).unwrap();

        disk.fill();
        let edited = ConnectionDraft { name: "Other".to_owned(), key: "sk-other".to_owned(), ..draft(true) };
        supervisor.edit_connection(id.clone(), before.revision, edited).await.unwrap_err();
        supervisor.delete_connection(id.clone(), before.revision).await.unwrap_err();
        let status = reach(&supervisor, "it is as it was, and on", online).await;
        let after = only(&status).unwrap();
        let shown = |known: &webcodex_supervisor::control::TunnelConnection| {
            (known.id.clone(), known.name.clone(), known.key_ends_with.clone(), known.revision)
        };
        assert_eq!(shown(after), shown(before));

        disk.make_room();
        supervisor.shut_down().await;
        let supervisor = webcodex_supervisor::Supervisor::start(config).unwrap();
        reach(&supervisor, "its own key opens it", online).await;
        supervisor.shut_down().await;
    }

    #[tokio::test]
    async fn another_network_is_noticed_and_what_hangs_in_the_old_one_is_given_up() {
        let name =
            "tunnel_trouble::linux::another_network_is_noticed_and_what_hangs_in_the_old_one_is_given_up";
        if !namespace::inside(name, &["--net"]) {
            return;
        }
        let ip = |arguments: &str| namespace::run("ip", &arguments.split(' ').collect::<Vec<_>>());
        ip("link set lo up");
        ip("address add 10.77.0.1/32 dev lo");
        ip("address add 10.88.0.1/32 dev lo");
        ip("route add default dev lo src 10.77.0.1");
        let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
        let config = config(&home, &plane).await;
        let supervisor = webcodex_supervisor::Supervisor::start(config).unwrap();
        reach(&supervisor, "both serve", serves).await;
        supervisor.add_connection(draft(false)).await.unwrap();
        reach(&supervisor, "it is online", online).await;
        // From now on no poll is answered and none is cut.
        plane.fail_always(Endpoint::Poll, Some(Fault::Hang));
        let polls = plane.polls().len();
        plane.until(|plane| plane.polls().len() > polls).await;
        let (lookups, polls) = (plane.lookups(), plane.polls().len());
        ip("route replace default dev lo src 10.88.0.1");
        // One that is lost without a word is polled once more before another way is looked for.
        plane.until(|plane| plane.lookups() > lookups || plane.polls().len() > polls).await;
        assert!(plane.lookups() > lookups, "nobody waited for the poll to fail");
        plane.fail_always(Endpoint::Poll, None);
        reach(&supervisor, "it is online there", online).await;
        supervisor.shut_down().await;
    }
}

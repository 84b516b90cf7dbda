//! A foreign program on the port, damaged files, no keychain, no room.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use webcodex_supervisor::control::{HopFinding, HopName, Via};
use webcodex_supervisor::status::{Action, PartState, Reason, Remark, SecretsKind, SettingsChange};
use webcodex_supervisor::{Message, Status, Supervisor, SupervisorConfig};

use crate::host::{self, Host};
use crate::support::{Home, client, local_address, reach, serves};

#[tokio::test]
async fn a_foreign_program_on_the_usual_port_is_neither_trusted_nor_ended() {
    let home = Home::new();
    let foreign = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = foreign.local_addr().unwrap().port();
    std::fs::write(home.folders().port_file(), port.to_string()).unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    std::thread::spawn(move || {
        for stream in foreign.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream;
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
        }
    });
    let supervisor = home.start();
    let status = reach(&supervisor, "it serves elsewhere", serves).await;
    let Reason::PortTaken { port: usual, new_port } = status.reason else { panic!("{:?}", status.reason) };
    assert_eq!(usual, port);
    assert_eq!(status.address.local, format!("http://127.0.0.1:{new_port}/mcp"));
    assert!(status.remarks.iter().any(|remark| matches!(remark, Remark::AddressChanged { .. })));
    supervisor.shut_down().await;
    assert_eq!(asked.load(Ordering::SeqCst), 0, "nobody spoke to the foreign program");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok(), "it was left alone");
}

#[tokio::test]
async fn damaged_settings_and_a_damaged_database_are_kept_aside() {
    let home = Home::new();
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    let change = SettingsChange { wait_seconds: Some(40), ..SettingsChange::default() };
    supervisor.change_settings(change).await.unwrap();
    supervisor.shut_down().await;
    std::fs::write(home.folders().settings_file(), "\u{0}garbage").unwrap();
    for file in ["server.db", "server.db-wal"] {
        std::fs::write(home.data().join(file), "garbage ".repeat(2000)).unwrap();
    }
    let supervisor = home.start();
    let status = reach(&supervisor, "it serves with new files", serves).await;
    assert_eq!(status.settings.wait_seconds, 40, "the last good settings are in use");
    let kept = |remark: &Remark| match remark {
        Remark::SettingsRestored { kept_as } | Remark::HistoryRestored { kept_as } => Some(kept_as.clone()),
        _ => None,
    };
    let kept: Vec<_> = status.remarks.iter().filter_map(kept).collect();
    assert_eq!(kept.len(), 2, "{:?}", status.remarks);
    for file in kept {
        assert!(std::fs::read_to_string(file).unwrap().contains("garbage"));
    }
    supervisor.shut_down().await;
}

#[tokio::test]
async fn without_a_keychain_the_person_is_told_and_may_choose_a_file() {
    let home = Home::new();
    std::fs::remove_file(home.folders().settings_file()).unwrap();
    // A bus address that leads nowhere, whatever the machine has.
    let mut host = Host::start(&home, &[("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")]);
    host.reach("the person is told", |status| status["reason"]["code"] == "secrets_unavailable").await;
    assert_eq!(host.status["settings"]["secrets"], "none");
    assert_eq!(host.status["action"], "keep_secrets_in_file");
    assert!(!home.folders().credential_file("client").exists(), "no file without the person's word");
    host.shut_down().await;
    std::fs::write(home.folders().settings_file(), "[desktop]\nsecrets = \"owner_file\"\n").unwrap();
    let mut host = Host::start(&home, &[]);
    host.reach("it serves", host::serves).await;
    assert_eq!(host.status["settings"]["secrets"], "owner_file");
    host.shut_down().await;
}

#[tokio::test]
async fn a_new_credential_ends_the_old_one() {
    let home = Home::new();
    let supervisor = home.start();
    let status = reach(&supervisor, "it serves", serves).await;
    assert_eq!(status.settings.secrets, SecretsKind::OwnerFile);
    let address = local_address(&supervisor);
    let old = supervisor.reveal_credential().await.unwrap();
    supervisor.replace_credential().await.unwrap();
    let new = supervisor.reveal_credential().await.unwrap();
    assert_ne!(old, new);
    let mut client = client(&supervisor).await;
    assert_eq!(client.call("list_projects", serde_json::json!({})).await.unwrap()["success"], true);
    let mut client = webcodex_testkit::ToolClient::connect(address, &old).await.unwrap();
    let refused = client.output("list_projects", serde_json::json!({})).await.is_err();
    assert!(refused, "the old credential still opens");
    supervisor.shut_down().await;
}

#[tokio::test]
async fn a_program_that_cannot_start_is_called_failed_with_its_last_words() {
    let home = Home::new();
    let program = home.data().join("broken");
    let config = SupervisorConfig { program: program.clone(), ..home.config() };
    let supervisor = Supervisor::start(config).unwrap();
    let status =
        reach(&supervisor, "it is called failed", |status| status.server.state == PartState::Failed).await;
    let Reason::ServerFailed { detail } = &status.reason else { panic!("{:?}", status.reason) };
    assert!(detail.contains("broken"), "{detail}");
    assert_eq!(status.action, Some(Action::ShowLogs));
    supervisor.shut_down().await;
}

#[tokio::test]
async fn pausing_ends_both_and_is_remembered() {
    let home = Home::new();
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    supervisor.pause().await.unwrap();
    let stopped = |status: &Status| {
        status.server.state == PartState::Stopped && status.runner.state == PartState::Stopped
    };
    let status = reach(&supervisor, "both have ended", stopped).await;
    assert_eq!((&status.reason, status.action), (&Reason::Paused, Some(Action::Resume)));
    supervisor.shut_down().await;
    let supervisor = home.start();
    assert_eq!(supervisor.status().reason, Reason::Paused);
    supervisor.resume().await.unwrap();
    reach(&supervisor, "it serves again", serves).await;
    let mut messages = supervisor.subscribe();
    assert!(matches!(messages.next().await, Some(Message::Status { .. })));
    supervisor.shut_down().await;
    while let Some(message) = messages.next().await {
        if matches!(message, Message::Lost) {
            assert!(messages.next().await.is_none(), "nothing follows the end");
            return;
        }
    }
    panic!("the end was not told");
}

#[tokio::test]
async fn a_client_is_checked_as_far_as_its_way_can_be_walked() {
    let home = Home::new();
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    let calls = serde_json::json!({});
    client(&supervisor).await.output("list_projects", calls).await.unwrap();
    let called = |status: &Status| status.clients.iter().any(|client| client.last_call.is_some());
    let status = reach(&supervisor, "the call is seen", called).await;
    let caller = status.clients.iter().find(|client| client.last_call.is_some()).unwrap().clone();
    assert_eq!(caller.last_call.as_ref().unwrap().tool, "list_projects");
    let address = |status: &Status| {
        let client = status.clients.iter().find(|client| client.id == caller.id)?;
        client.hops.iter().find(|hop| hop.name == HopName::Address).cloned()
    };
    let reachable =
        |status: &Status| matches!(address(status).unwrap().finding, HopFinding::Reachable { .. });
    assert!(!reachable(&status), "it is not said before it was seen");
    supervisor.check_client(caller.id.clone()).await.unwrap();
    reach(&supervisor, "the address was reached", reachable).await;
    let public = status.clients.iter().find(|client| client.via == Via::Public).unwrap();
    let refused = supervisor.check_client(public.id.clone()).await.unwrap_err();
    assert_eq!(refused.code, "not_checkable");
    supervisor.shut_down().await;
}

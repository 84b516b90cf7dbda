//! Connections to OpenAI outlive the Server and the app; their keys lie where secrets are kept and nowhere else.

use std::path::Path;

use webcodex_settings::{Secret, TunnelSettings};
use webcodex_supervisor::control::{ConnectionDraft, TunnelConnection, TunnelRoute, TunnelState};
use webcodex_supervisor::{Status, Supervisor, SupervisorConfig};
use webcodex_testkit::control_plane::FakeControlPlane;

use crate::support::{Home, reach, serves};

pub(crate) const TUNNEL: &str = "tunnel_0123456789abcdef0123456789abcdef";
pub(crate) const KEY: &str = "sk-planted-KEY_9876";

pub(crate) async fn config(home: &Home, plane: &FakeControlPlane) -> SupervisorConfig {
    let base_url = Some(format!("http://{}", plane.listen().await.unwrap()));
    SupervisorConfig { tunnel: TunnelSettings { base_url, ..TunnelSettings::default() }, ..home.config() }
}

pub(crate) fn draft(autostart: bool) -> ConnectionDraft {
    ConnectionDraft {
        name: "ChatGPT Work".to_owned(),
        tunnel: TUNNEL.to_owned(),
        key: KEY.to_owned(),
        route: TunnelRoute::Direct,
        autostart,
        ..ConnectionDraft::default()
    }
}

pub(crate) fn only(status: &Status) -> Option<&TunnelConnection> {
    status.connections.first()
}

pub(crate) fn online(status: &Status) -> bool {
    only(status).is_some_and(|connection| connection.state == TunnelState::Online)
}

/// Every file below `folder` that holds `text`, by name.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files_with(&entry.path(), text));
        } else if std::fs::read(entry.path())
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

#[tokio::test]
async fn a_connection_comes_back_after_a_crash_of_the_server_and_after_a_restart_of_the_app() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    let config = config(&home, &plane).await;
    let supervisor = Supervisor::start(config.clone()).unwrap();
    reach(&supervisor, "both serve", serves).await;
    let id = supervisor.add_connection(draft(false)).await.unwrap();
    reach(&supervisor, "adding it switches it on", online).await;
    let polls = plane.polls().len();

    // One that was on is on again, whatever it does at a start of the app.
    let server = home.pids()[0];
    std::process::Command::new("kill").args(["-KILL", &server.to_string()]).status().unwrap();
    plane.until(|plane| plane.polls().len() > polls + 1).await;
    let status = reach(&supervisor, "it is online again", |status| serves(status) && online(status)).await;
    assert_ne!(home.pids()[0], server);

    let mut edited = draft(true);
    (edited.key, edited.name) = (String::new(), "Renamed".to_owned());
    let revision = only(&status).unwrap().revision;
    supervisor.edit_connection(id.clone(), revision, edited).await.unwrap();
    let stale = supervisor.edit_connection(id.clone(), revision, draft(true)).await.unwrap_err();
    assert_eq!(stale.code, "stale");
    supervisor.shut_down().await;
    let secret_file = format!("connection.{id}");
    assert_eq!(files_with(home.data(), KEY), [secret_file.as_str()]);

    let supervisor = Supervisor::start(config).unwrap();
    let status = reach(&supervisor, "it starts by itself", |status| serves(status) && online(status)).await;
    let connection = only(&status).unwrap();
    assert_eq!((connection.id.as_str(), connection.name.as_str()), (id.as_str(), "Renamed"));
    assert!(!serde_json::to_string(&*status).unwrap().contains(KEY));

    supervisor.delete_connection(id, connection.revision).await.unwrap();
    reach(&supervisor, "it is gone", |status| status.connections.is_empty()).await;
    supervisor.shut_down().await;
    assert_eq!(files_with(home.data(), KEY), Vec::<String>::new());
    // Each process has an id of its own, and there were three.
    let breaches = plane.breaches().into_iter().filter(|breach| !breach.contains("the instance id changed"));
    assert_eq!(breaches.collect::<Vec<_>>(), Vec::<String>::new());
}

#[tokio::test]
async fn what_the_environment_names_is_offered_once() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    let mut config = config(&home, &plane).await;
    config.tunnel.id = Some(TUNNEL.to_owned());
    config.tunnel.key = Some(Secret::new(KEY.to_owned()));
    let supervisor = Supervisor::start(config.clone()).unwrap();
    let offered =
        reach(&supervisor, "it is offered", |status| serves(status) && status.importable.is_some()).await;
    assert_eq!(offered.importable.as_ref().unwrap().tunnel, TUNNEL);
    let id = supervisor.import_connection().await.unwrap();
    let status = reach(&supervisor, "it is added and switched on", online).await;
    assert_eq!((only(&status).unwrap().id.as_str(), &status.importable), (id.as_str(), &None));

    let revision = only(&status).unwrap().revision;
    supervisor.delete_connection(id, revision).await.unwrap();
    reach(&supervisor, "it is offered again", |status| status.importable.is_some()).await;
    supervisor.dismiss_import().await.unwrap();
    supervisor.shut_down().await;
    let again = Supervisor::start(config).unwrap();
    let status = reach(&again, "both serve", serves).await;
    assert_eq!(status.importable, None);
    again.shut_down().await;
}

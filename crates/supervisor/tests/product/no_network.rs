//! A computer without a network: everything on it works, the way to OpenAI says what it lacks, and goes on by itself.

use std::path::Path;

use serde_json::json;
use webcodex_settings::TunnelSettings;
use webcodex_supervisor::control::TunnelState;
use webcodex_supervisor::{Status, Supervisor, SupervisorConfig};
use webcodex_testkit::TempProject;
use webcodex_testkit::control_plane::{Certificates, FakeControlPlane};

use crate::connections::{KEY, TUNNEL, draft, online, only};
use crate::namespace;
use crate::support::{Home, client, reach, serves};

/// The name of the control plane, which nothing knows at first.
const HOST: &str = "control-plane.test";
/// Its address, to which no way leads at first.
const ADDRESS: &str = "10.77.0.1";

/// Whether the connection waits, and for this reason.
fn waits(status: &Status, why: &str) -> bool {
    only(status).is_some_and(
        |connection| matches!(&connection.state, TunnelState::Waiting { reason, .. } if reason == why),
    )
}

async fn reads(supervisor: &Supervisor, project: &str) {
    assert!(serves(&supervisor.status()), "{:?}", supervisor.status().reason);
    let read = json!({"project": project, "items": [{"path": "a.txt"}]});
    let read = client(supervisor).await.output("read_files", read).await.unwrap();
    assert_eq!(read["items"][0]["text"], "here\n");
}

#[tokio::test]
async fn without_a_network_all_that_is_local_works_and_the_rest_comes_back_with_it() {
    let name = "no_network::without_a_network_all_that_is_local_works_and_the_rest_comes_back_with_it";
    if !namespace::inside(name, &["--net", "--mount"]) {
        return;
    }
    namespace::run("ip", &["link", "set", "lo", "up"]);
    let names = tempfile::NamedTempFile::new().unwrap();
    let know = |line: &str| std::fs::write(names.path(), format!("127.0.0.1 localhost\n{line}\n")).unwrap();
    know("");
    namespace::run("mount", &["--bind", names.path().to_str().unwrap(), "/etc/hosts"]);

    let (plane, certificates) = (FakeControlPlane::new(TUNNEL, KEY), Certificates::new().unwrap());
    // At all addresses this computer has, now and later.
    let port = certificates.serve(&plane, HOST).unwrap().listen("0.0.0.0").await.unwrap().port();
    let (home, work) = (Home::new(), TempProject::plain().unwrap());
    work.write("a.txt", "here\n").unwrap();
    let ca_file = home.data().join("authority.pem");
    certificates.write(&ca_file).unwrap();
    let base_url = Some(format!("https://{HOST}:{port}"));
    let tunnel = TunnelSettings { base_url, ..TunnelSettings::default() };
    let supervisor = Supervisor::start(SupervisorConfig { tunnel, ..home.config() }).unwrap();
    reach(&supervisor, "it serves", serves).await;
    supervisor.add_folder(work.path().display().to_string()).await.unwrap();
    let listed = reach(&supervisor, "the folder is listed", |status| !status.projects.is_empty()).await;
    let project = listed.projects[0].id.to_string();

    let id = supervisor.add_connection(with_authority(&ca_file)).await.unwrap();
    supervisor.switch_connection(id, true).await.unwrap();
    reach(&supervisor, "no name is found", |status| waits(status, "dns_failed")).await;
    reads(&supervisor, &project).await;
    know(&format!("{ADDRESS} {HOST}"));
    reach(&supervisor, "no way leads there", |status| waits(status, "network_blocked")).await;
    reads(&supervisor, &project).await;
    assert_eq!(plane.polls().len(), 0);

    namespace::run("ip", &["address", "add", &format!("{ADDRESS}/32"), "dev", "lo"]);
    reach(&supervisor, "it is online by itself", online).await;
    let called = plane.call(json!(1), "ping", json!({}));
    assert_eq!(plane.ended(&called).await["resp_code"], 200);
    reads(&supervisor, &project).await;
    supervisor.shut_down().await;
    assert_eq!(plane.breaches(), Vec::<String>::new());
}

fn with_authority(ca_file: &Path) -> webcodex_supervisor::control::ConnectionDraft {
    webcodex_supervisor::control::ConnectionDraft { ca_file: ca_file.display().to_string(), ..draft(false) }
}

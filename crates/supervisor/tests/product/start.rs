//! Starting, serving, ending.

use webcodex_supervisor::status::{Action, Reason, StateName};
use webcodex_testkit::is_running;

use crate::support::{Home, reach, serves};

#[tokio::test]
async fn a_start_without_anything_leads_to_the_first_folder() {
    let home = Home::new();
    let supervisor = home.start();
    assert_eq!(supervisor.status().state, StateName::Starting);
    let status = reach(&supervisor, "both parts serve", serves).await;
    assert_eq!((&status.reason, status.action), (&Reason::NoProject, Some(Action::AddFolder)));
    assert!(status.first_run);
    assert!(status.address.local.starts_with("http://127.0.0.1:"), "{}", status.address.local);
    let pids = home.pids();
    assert_eq!(pids.len(), 2);
    supervisor.shut_down().await;
    for pid in pids {
        assert!(!is_running(pid), "{pid} is left");
    }
}

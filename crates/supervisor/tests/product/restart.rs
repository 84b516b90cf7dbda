//! A Server that starts again: neither a client nor the person is told meanwhile that there is nothing.

use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use webcodex_supervisor::status::Reason;
use webcodex_supervisor::{Message, Supervisor};
use webcodex_testkit::{TempProject, ToolClient};

use crate::kill::{part, signal};
use crate::support::{Home, local_address, reach, serves};

const ROUNDS: usize = 5;

/// The answer to the first call that a Server takes.
async fn first_answer(address: SocketAddr, credential: &str) -> Value {
    loop {
        if let Ok(mut client) = ToolClient::connect(address, credential).await
            && let Ok(answer) = client.call("list_projects", json!({})).await
        {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Follows the status until it says again that all is well; gives the reasons on the way where no folder was shown.
async fn without_folders(supervisor: &Supervisor) -> Vec<Reason> {
    let (mut messages, mut found, mut broke) = (supervisor.subscribe(), Vec::new(), false);
    while let Some(Message::Status { .. } | Message::Changed { .. } | Message::Calls { .. }) =
        messages.next().await
    {
        let status = supervisor.status();
        if status.projects.is_empty() || status.reason == Reason::NoProject {
            found.push(status.reason.clone());
        }
        broke |= !serves(&status);
        if broke && serves(&status) {
            break;
        }
    }
    found
}

#[tokio::test]
async fn while_the_server_starts_again_nobody_is_told_that_there_is_no_project() {
    let (home, work) = (Home::new(), TempProject::plain().unwrap());
    let supervisor = home.start();
    reach(&supervisor, "it serves", serves).await;
    supervisor.add_folder(work.path().display().to_string()).await.unwrap();
    reach(&supervisor, "the folder is listed", |status| status.projects.len() == 1).await;
    let address = local_address(&supervisor);
    let credential = supervisor.reveal_credential().await.unwrap();
    for _ in 0..ROUNDS {
        let server = part(&home, "server").unwrap();
        let answers = async {
            signal(server, Signal::KILL);
            first_answer(address, &credential).await
        };
        let (without, answer) = tokio::join!(without_folders(&supervisor), answers);
        assert_eq!(without, []);
        assert_eq!(answer["success"], true, "{answer}");
        assert_eq!(answer["output"]["projects"].as_array().unwrap().len(), 1, "{answer}");
    }
    supervisor.shut_down().await;
}

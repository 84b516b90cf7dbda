//! A computer that sleeps: everything stops at once, and goes on at once later, none the wiser.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, ToolClient, await_condition};

use crate::host::{Host, serves};
use crate::kill::{part, signal};
use crate::support::Home;

/// How long the computer sleeps: longer than anybody may be silent while it is awake.
const SLEEP: Duration = Duration::from_secs(7);
/// Runs until it is told to end, and leaves a line for every time it ran.
const COMMAND: &str = "echo started >> ran; while [ ! -e go ]; do sleep 0.05; done; echo ended >> ran";

/// Stops app, Server and Runner, and lets them go on after the computer has slept. They wake in any order.
async fn sleep(host: &Host, home: &Home, wakes: [usize; 3]) {
    let pids = [host.pid(), part(home, "server").unwrap(), part(home, "runner").unwrap()];
    pids.iter().for_each(|pid| signal(*pid, Signal::STOP));
    tokio::time::sleep(SLEEP).await;
    wakes.iter().for_each(|at| signal(pids[*at], Signal::CONT));
}

/// A folder in which models may run commands without asking; gives its id.
async fn runnable(host: &mut Host, work: &TempProject) -> String {
    host.say(&work.path().display().to_string()).await;
    let listed = |status: &Value| !status["projects"].as_array().unwrap().is_empty();
    host.reach("the folder is listed", listed).await;
    let project = host.status["projects"][0]["id"].as_str().unwrap().to_owned();
    host.say(&format!("run {project}")).await;
    let may_run = |status: &Value| {
        let project = &status["projects"][0];
        project["askFirst"] == false && project["permission"] == "edit_run"
    };
    host.reach("models may run commands", may_run).await;
    project
}

async fn tools(host: &Host, home: &Home) -> ToolClient {
    let address = host.status["address"]["local"].as_str().unwrap();
    let address = address.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().parse().unwrap();
    let credential = std::fs::read_to_string(home.folders().credential_file("client")).unwrap();
    ToolClient::connect(address, credential.trim()).await.unwrap()
}

#[tokio::test]
async fn what_sleeps_is_not_taken_for_hung_and_no_work_is_lost_or_done_twice() {
    let (home, work) = (Home::new(), TempProject::plain().unwrap());
    let mut host = Host::start(&home, &[]);
    host.reach("it serves", serves).await;
    let project = runnable(&mut host, &work).await;
    let parts = ["server", "runner"].map(|role| part(&home, role));
    for (round, wakes) in [[0, 1, 2], [2, 1, 0], [1, 2, 0]].into_iter().enumerate() {
        let mut client = tools(&host, &home).await;
        let arguments = json!({"project": project, "script": COMMAND});
        let call = tokio::spawn(async move { client.call("run_shell", arguments).await.unwrap() });
        let ran = || work.read("ran").unwrap_or_default();
        await_condition("the command runs", || !ran().is_empty()).await.unwrap();
        host.reach("the app shows it", |status| status["projects"][0]["working"] == true).await;
        sleep(&host, &home, wakes).await;
        let awake = std::time::Instant::now();
        work.write("go", "").unwrap();
        let answer = call.await.unwrap();
        let rests = |status: &Value| serves(status) && status["projects"][0]["working"] == false;
        host.reach("it serves and shows the end of the work", rests).await;
        println!("round {round}: all is well {:?} after waking", awake.elapsed());
        assert_eq!(answer["success"], true, "{answer}");
        assert_eq!(ran(), b"started\nended\n", "it ran once, to its end: {answer}");
        assert_eq!(["server", "runner"].map(|role| part(&home, role)), parts, "nobody was replaced");
        for file in ["go", "ran"] {
            std::fs::remove_file(work.path().join(file)).unwrap();
        }
    }
    host.shut_down().await;
}

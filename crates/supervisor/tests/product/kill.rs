//! Whatever is killed, whenever: nobody is left behind, nothing is lost, and the state tells the truth.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, ToolClient, await_condition, is_running};

use crate::host::{Host, serves};
use crate::support::Home;

/// Rounds; more can be asked for.
const ROUNDS: &str = "SUPERVISOR_KILL_ROUNDS";

pub(crate) fn signal(pid: u32, signal: Signal) {
    // It may have ended by itself, as after a kill of the host.
    let _ = kill_process(Pid::from_raw(pid as i32).unwrap(), signal);
}

/// The number of the process in a role, and nothing while there is none.
pub(crate) fn part(home: &Home, role: &str) -> Option<u32> {
    let text = std::fs::read_to_string(home.folders().desktop_parts_file()).ok()?;
    let parts: Vec<Value> = serde_json::from_str(&text).ok()?;
    parts.iter().find(|part| part["role"] == role)?["pid"].as_u64().map(|pid| pid as u32)
}

async fn all_gone(pids: &[u32]) {
    let what = format!("the processes {pids:?} are gone");
    await_condition(&what, || pids.iter().all(|pid| !is_running(*pid))).await.unwrap();
}

#[tokio::test]
async fn killing_app_server_or_runner_at_any_moment_leaves_no_orphan_and_loses_nothing() {
    let rounds = std::env::var(ROUNDS).ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let home = Home::new();
    let project = TempProject::plain().unwrap();
    let path = project.path().display().to_string();
    let mut host = Host::start(&home, &[]);
    host.reach("the first start serves", serves).await;
    host.say(&path).await;
    host.reach("the folder is registered", |status| {
        status["projects"].as_array().is_some_and(|all| all.len() == 1)
    })
    .await;
    let settings = std::fs::read_to_string(home.folders().settings_file()).unwrap();
    let (mut ever, mut calls) = (Vec::new(), 0);
    for round in 0..rounds {
        ever.extend(home.pids());
        if round % 10 == 0 {
            host.reach("it serves before a call", serves).await;
            calls += call(&home, &host.status).await;
        }
        tokio::time::sleep(Duration::from_millis(rand::random_range(0..250))).await;
        match round % 3 {
            0 => {
                let pids = home.pids();
                host.kill().await;
                all_gone(&pids).await;
                host = Host::start(&home, &[]);
            }
            role => {
                let name = if role == 1 { "server" } else { "runner" };
                let Some(pid) = part(&home, name) else { continue };
                signal(pid, Signal::KILL);
                host.reach("the kill is seen", |status| !serves(status) || part(&home, name) != Some(pid))
                    .await;
            }
        }
        host.reach("it serves again", serves).await;
        let is_there = |status: &Value| status["projects"][0]["path"] == path.as_str();
        host.reach("the project is there", is_there).await;
    }
    host.reach("the history is there", |status| status["calls"].as_array().unwrap().len() >= calls).await;
    assert_eq!(std::fs::read_to_string(home.folders().settings_file()).unwrap(), settings);
    ever.extend(home.pids());
    host.shut_down().await;
    all_gone(&ever).await;
}

/// One call of a client; `1` once it was answered.
async fn call(home: &Home, status: &Value) -> usize {
    let address = status["address"]["local"].as_str().unwrap();
    let address = address.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().parse().unwrap();
    let credential = std::fs::read_to_string(home.folders().credential_file("client")).unwrap();
    let mut client = ToolClient::connect(address, credential.trim()).await.unwrap();
    let answer = client.call("list_projects", json!({})).await.unwrap();
    assert_eq!(answer["success"], true, "{answer}");
    1
}

#[tokio::test]
async fn a_part_that_hangs_is_shown_and_replaced() {
    let home = Home::new();
    let mut host = Host::start(&home, &[]);
    for role in ["server", "runner"] {
        host.reach("it serves", serves).await;
        let pid = part(&home, role).unwrap();
        signal(pid, Signal::STOP);
        let stopped = std::time::Instant::now();
        host.reach("the silence is seen", |status| status[role]["state"] != "running").await;
        println!("{role} hung: shown after {:?}", stopped.elapsed());
        let name = format!("the {role} is replaced");
        host.reach(&name, |status| serves(status) && part(&home, role) != Some(pid)).await;
        println!("{role} hung: replaced after {:?}", stopped.elapsed());
        assert!(!is_running(pid));
    }
    host.shut_down().await;
}

#[tokio::test]
async fn a_hung_leftover_is_ended_at_the_next_start_and_nobody_else() {
    let home = Home::new();
    let mut host = Host::start(&home, &[]);
    host.reach("it serves", serves).await;
    let pids = home.pids();
    for pid in &pids {
        signal(*pid, Signal::STOP);
    }
    host.kill().await;
    assert!(pids.iter().all(|pid| is_running(*pid)), "what is stopped cannot end by itself");
    let mut next = Host::start(&home, &[]);
    next.reach("the next start serves", serves).await;
    assert!(pids.iter().all(|pid| !is_running(*pid)));
    next.shut_down().await;
}

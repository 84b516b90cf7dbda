//! Whatever is killed, whenever: nobody is left behind, nothing is lost, and the state tells the truth.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use webcodex_testkit::{TempProject, ToolClient, await_condition, is_running};

use crate::host::{Host, serves};
use crate::support::{Home, PATIENCE};

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

/// For how long it may be said that a part runs which does not.
const WRONG_FOR: Duration = Duration::from_secs(3);
/// A kill comes this long after the one before at most: while things start, serve or end.
const BETWEEN: Duration = Duration::from_millis(1500);
/// How often what is said is held against what is.
const LOOK: Duration = Duration::from_millis(20);

/// Holds what the app says against the processes that there are.
#[derive(Default)]
struct Claims {
    /// Since when each part has been called running without a process.
    wrong: [Option<Instant>; 2],
    longest: Duration,
}

impl Claims {
    /// Follows the app for `time`.
    async fn watch(&mut self, home: &Home, host: &mut Host, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            // A line that is cut off is read on at the next call.
            let _ = tokio::time::timeout(LOOK, host.hear()).await;
            self.look(home, host);
        }
    }

    fn look(&mut self, home: &Home, host: &Host) {
        for (role, wrong) in ["server", "runner"].into_iter().zip(&mut self.wrong) {
            let claimed = host.status[role]["state"] == "running";
            if !claimed || part(home, role).is_some_and(is_running) {
                *wrong = None;
                continue;
            }
            let since = *wrong.get_or_insert_with(Instant::now);
            self.longest = self.longest.max(since.elapsed());
            assert!(since.elapsed() < WRONG_FOR, "the {role} is called running and is not there");
        }
    }
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
    let is_there = |status: &Value| status["projects"][0]["path"] == path.as_str();
    host.reach("the folder is registered", is_there).await;
    let (mut ever, mut calls, mut claims) = (Vec::new(), 0, Claims::default());
    // What the setting may be: what was changed last, and what was asked for since.
    let mut waits = vec![host.status["settings"]["waitSeconds"].as_u64().unwrap()];
    for round in 0..rounds {
        let wanted = 10 + round % 30;
        host.say(&format!("wait {wanted}")).await;
        waits.push(wanted);
        if round % 10 == 0 {
            calls += answered(&home, &mut host).await;
        }
        let called = tokio::spawn({
            let (home, status) = (Home::at(home.data().to_owned()), host.status.clone());
            async move { call(&home, &status).await }
        });
        let moment = rand::random_range(Duration::ZERO..BETWEEN);
        claims.watch(&home, &mut host, moment).await;
        if let Some(at) = host.waits.and_then(|done| waits.iter().rposition(|wait| *wait == done)) {
            waits.drain(..at);
        }
        ever.extend(home.pids());
        match round % 3 {
            0 => {
                let pids = home.pids();
                host.kill().await;
                all_gone(&pids).await;
                host = Host::start(&home, &[]);
            }
            role => {
                let name = if role == 1 { "server" } else { "runner" };
                if let Some(pid) = part(&home, name) {
                    signal(pid, Signal::KILL);
                }
            }
        }
        // Whoever calls at such a moment may get no answer, but none that is made up.
        let _ = called.await.unwrap();
    }
    claims.watch(&home, &mut host, WRONG_FOR).await;
    println!("called running without a process for {:?} at most", claims.longest);
    host.reach("it serves again", serves).await;
    host.reach("the project is there", is_there).await;
    let last = host.status["settings"]["waitSeconds"].as_u64().unwrap();
    assert!(waits.contains(&last), "the setting is {last}, not one of {waits:?}");
    host.reach("the history is there", |status| status["calls"].as_array().unwrap().len() >= calls).await;
    calls += answered(&home, &mut host).await;
    host.reach("the call is listed", |status| status["calls"].as_array().unwrap().len() >= calls).await;
    ever.extend(home.pids());
    host.shut_down().await;
    all_gone(&ever).await;
}

/// A call that is answered. What serves by its last word may just have been killed, which its next word will say.
async fn answered(home: &Home, host: &mut Host) -> usize {
    let patience = Instant::now() + PATIENCE;
    loop {
        host.reach("it serves before a call", serves).await;
        if let Some(one) = call(home, &host.status).await {
            return one;
        }
        assert!(Instant::now() < patience, "what is called serving answers no call: {}", host.status);
        let _ = tokio::time::timeout(LOOK, host.hear()).await;
    }
}

/// One call of a client; `1` once it was answered. An answer is the truth, also where it is no good one.
async fn call(home: &Home, status: &Value) -> Option<usize> {
    let address = status["address"]["local"].as_str()?;
    let address = address.strip_prefix("http://")?.strip_suffix("/mcp")?.parse().ok()?;
    let credential = std::fs::read_to_string(home.folders().credential_file("client")).ok()?;
    let mut client = ToolClient::connect(address, credential.trim()).await.ok()?;
    let answer = client.call("list_projects", json!({})).await.ok()?;
    assert!(answer["success"] == true || answer["error"]["code"].is_string(), "{answer}");
    Some(1)
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

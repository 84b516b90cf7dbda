//! How commands end, and that nothing they started stays.

use std::time::{Duration, Instant};

use webcodex_contracts::execution::{ExecutionState, Outcome};
use webcodex_process::JobsError;

use crate::place::{LONG, Place, lives, pid_in, sh, text, until};

/// Starts processes in every place where one could hide: a child, an orphan whose parent has gone, one in a session
/// of its own, and one that ignores being asked.
const FAMILY: &str = r#"
sleep 1000 & echo $! > child
sh -c 'sleep 1000 & echo $! > orphan'
setsid sh -c 'echo $$ > session; exec sleep 1000' > /dev/null 2>&1 &
sh -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 1; done' &
"#;

async fn family(place: &Place) -> Vec<u32> {
    let mut pids = Vec::new();
    for name in ["child", "orphan", "session", "stubborn"] {
        pids.push(pid_in(&place.file(name)).await);
    }
    pids
}

async fn all_gone(pids: &[u32]) {
    until("every process is gone", || !pids.iter().any(|pid| lives(*pid))).await;
}

#[tokio::test]
async fn a_command_is_over_when_it_itself_ends_even_if_something_it_started_holds_its_output() {
    let place = Place::new();
    let start = Instant::now();
    let execution = place.sh("sleep 1000 & echo $! > child; echo started").await;
    assert!(start.elapsed() < LONG / 2);
    assert_eq!((text(&execution.stdout), execution.outcome), ("started\n", Some(Outcome::Passed)));
    let pid = pid_in(&place.file("child")).await;
    let note = execution.notes.iter().find(|note| note.contains("still runs")).expect("a note");
    assert!(note.contains(&pid.to_string()) && note.contains("stop_job"), "{note}");
    let job = place.jobs.find(&execution.job_id).unwrap();
    assert!(!job.stop().await, "the command itself had ended before");
    all_gone(&[pid]).await;
    let after = job.execution(5).await;
    assert!(!after.notes.iter().any(|note| note.contains("still runs")), "{:?}", after.notes);
    assert_eq!(after.outcome, Some(Outcome::Passed), "how it ended stays");
}

#[tokio::test]
async fn what_was_left_running_and_ends_by_itself_is_no_longer_reported() {
    let place = Place::new();
    let execution = place.sh("{ while [ ! -e stop ]; do sleep 0.01; done; } > /dev/null 2>&1 &").await;
    assert!(execution.notes.iter().any(|note| note.contains("still runs")), "{:?}", execution.notes);
    std::fs::write(place.file("stop"), "").unwrap();
    let job = place.jobs.find(&execution.job_id).unwrap();
    for _ in 0..1000 {
        if job.execution(5).await.notes.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", job.execution(5).await.notes);
}

#[tokio::test]
async fn the_time_limit_ends_every_process_and_says_so() {
    let place = Place::new();
    let mut command = sh(&format!("{FAMILY} echo before; sleep 1000"));
    command.timeout = Duration::from_secs(1);
    let execution = place.run(command).await;
    assert_eq!(execution.outcome, Some(Outcome::TimedOut));
    assert_eq!(text(&execution.stdout), "before\n");
    assert!(execution.notes[0].contains("time limit of 1 s") && execution.notes[0].contains("effects"));
    all_gone(&family(&place).await).await;
}

#[tokio::test]
async fn stopping_ends_every_process_also_where_the_one_in_between_has_gone() {
    let place = Place::new();
    let job = place.job(&format!("{FAMILY} wait")).await;
    let pids = family(&place).await;
    assert!(pids.iter().all(|pid| lives(*pid)));
    assert!(job.stop().await);
    all_gone(&pids).await;
    let execution = job.execution(5).await;
    assert_eq!(
        (execution.execution_state, execution.outcome),
        (ExecutionState::Finished, Some(Outcome::Stopped))
    );
    assert!(!job.stop().await, "stopping again changes nothing");
}

#[tokio::test]
async fn a_program_that_cleans_up_when_asked_gets_the_time_for_it() {
    let place = Place::new();
    let job = place.job("trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.01; done").await;
    until("it is ready", || job.summary().job.execution_state == ExecutionState::Pending).await;
    let readiness = webcodex_process::Readiness { text: Some("ready".to_owned()), port: None };
    job.wait_until_ready(&readiness, LONG).await;
    assert!(job.stop().await);
    assert_eq!(text(&job.execution(5).await.stdout), "ready\ncleaned\n");
}

#[tokio::test]
async fn a_caller_that_goes_away_ends_nothing() {
    let place = Place::new();
    let job = place.start(sh("while [ ! -e go ]; do sleep 0.01; done; echo done")).await.unwrap();
    let id = job.id().clone();
    let waiting = tokio::spawn(async move { job.ended_or_handed_over().await });
    waiting.abort();
    std::fs::write(place.file("go"), "").unwrap();
    let job = place.jobs.find(&id).unwrap();
    job.ended_or_handed_over().await;
    assert_eq!(text(&job.execution(5).await.stdout), "done\n");
}

#[tokio::test]
async fn shutdown_ends_every_process_and_starts_nothing_any_more() {
    let place = Place::new();
    let job = place.job(&format!("{FAMILY} wait")).await;
    place.sh("setsid sh -c 'echo $$ > daemon; exec sleep 1000' > /dev/null 2>&1 &").await;
    let mut pids = family(&place).await;
    pids.push(pid_in(&place.file("daemon")).await);
    place.jobs.shutdown().await;
    all_gone(&pids).await;
    let execution = job.execution(5).await;
    assert!(execution.notes.iter().any(|note| note.contains("shut down")), "{:?}", execution.notes);
    assert!(matches!(place.start(sh("true")).await, Err(JobsError::ShuttingDown)));
}

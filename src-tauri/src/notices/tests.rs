//! What is told, what is not, and that nothing is told twice.

use serde_json::{Value, json};
use webcodex_contracts::control::{Approval, Job};

use super::*;
use crate::samples::{NOW, client, of, status};

/// A job that began a minute ago, changed by `more`.
fn job(more: Value) -> Job {
    let mut job = json!({
        "id": "wcj_desk_1", "call": null, "project": "web", "client": "Claude", "command": "cargo test", "folder": "/src/web",
        "startedAt": NOW - 60_000, "endedAt": null, "limitMs": 0, "outputBytes": 0, "lastLineAt": NOW,
        "state": "running", "exitCode": null,
    });
    job.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    of(job)
}

fn with_job(more: Value) -> Status {
    Status { jobs: vec![job(more)], ..status() }
}

fn approval(state: &str) -> Approval {
    of(json!({
        "id": "wca_1", "call": "wcc_1", "askedAt": NOW, "expiresAt": NOW + 1000, "client": "Claude", "project": "web",
        "folder": "/src/web", "because": null, "forSession": true, "asks": {"kind": "command", "command": "make"}, "state": state,
    }))
}

/// The news of one status after the other, to a person who wants to hear everything.
fn told(all: &[Status]) -> Vec<Vec<Notice>> {
    let mut teller = Teller::default();
    let notify = Notify { work_done: true, work_stuck: true, approval_wanted: true, connection_lost: true };
    let heard = all.iter().cloned().map(|mut status| {
        status.settings.notify = notify;
        status
    });
    heard.map(|status| teller.news(&status)).collect()
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn the_end_of_a_long_command_is_told_once_and_well_or_badly() {
    let ended = |state: &str| with_job(json!({"state": state, "endedAt": NOW}));
    let (project, command) = (text("web"), text("cargo test"));
    let done = Notice::WorkDone { project: project.clone(), command: command.clone() };
    let failed = Notice::WorkFailed { project, command };
    let running = with_job(json!({}));
    for (state, notice) in [
        ("finished", Some(done)),
        ("failed", Some(failed.clone())),
        ("timed_out", Some(failed.clone())),
        ("lost", Some(failed)),
        ("stopped", None),
    ] {
        let wanted: Vec<Notice> = notice.into_iter().collect();
        assert_eq!(told(&[running.clone(), ended(state), ended(state)]), [vec![], wanted, vec![]], "{state}");
    }
}

#[test]
fn what_ended_before_the_start_and_what_took_a_moment_is_no_news() {
    let ended = with_job(json!({"state": "finished", "endedAt": NOW}));
    assert_eq!(told(&[ended]), [vec![]]);
    let short = |more: Value| {
        let mut all = json!({"startedAt": NOW - 1000});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        with_job(all)
    };
    let ended = short(json!({"state": "failed", "endedAt": NOW}));
    assert_eq!(told(&[short(json!({})), ended]), [vec![], vec![]]);
}

#[test]
fn a_command_that_falls_silent_is_told_once_and_again_after_it_has_spoken() {
    let silent = with_job(json!({"lastLineAt": NOW - STUCK_AFTER_MS}));
    let speaks = with_job(json!({}));
    let stuck = vec![Notice::WorkStuck { project: text("web"), command: text("cargo test"), minutes: 5 }];
    let all = [speaks.clone(), silent.clone(), silent.clone(), speaks, silent];
    assert_eq!(told(&all), [vec![], stuck.clone(), vec![], vec![], stuck]);
}

#[test]
fn a_question_is_told_once_and_an_expired_one_never() {
    let asked = |state: &str| Status { approvals: vec![approval(state)], ..status() };
    let command = Some(text("make"));
    let wanted = vec![Notice::ApprovalWanted { client: text("Claude"), project: text("web"), command }];
    let all = [status(), asked("waiting"), asked("waiting"), asked("expired")];
    assert_eq!(told(&all), [vec![], wanted, vec![], vec![]]);
    assert_eq!(told(&[asked("expired")]), [vec![]]);
}

#[test]
fn a_connection_is_lost_only_by_one_who_was_there() {
    let stands = |state: &str| Status { clients: vec![client(state)], ..status() };
    let lost = vec![Notice::ConnectionLost { client: text("Claude") }];
    let all = [stands("online"), stands("needs_you"), stands("needs_you")];
    assert_eq!(told(&all), [vec![], lost, vec![]]);
    assert_eq!(told(&[stands("needs_you")]), [vec![]]);
    assert_eq!(
        told(&[stands("online"), stands("quiet")]),
        [vec![], vec![]],
        "nobody has to call all the time"
    );
}

#[test]
fn what_a_person_does_not_want_to_hear_is_seen_and_not_told() {
    let quiet = |mut status: Status| {
        let nothing =
            Notify { work_done: false, work_stuck: false, approval_wanted: false, connection_lost: false };
        status.settings.notify = nothing;
        status
    };
    let all = [
        quiet(Status { clients: vec![client("online")], ..with_job(json!({})) }),
        quiet(Status {
            clients: vec![client("off")],
            approvals: vec![approval("waiting")],
            ..with_job(json!({"state": "finished", "endedAt": NOW}))
        }),
    ];
    let mut teller = Teller::default();
    for status in &all {
        assert_eq!(teller.news(status), []);
    }
    // Switched on later, it is not told belatedly.
    let mut later = Status { approvals: vec![approval("waiting")], ..status() };
    later.settings.notify.approval_wanted = true;
    assert_eq!(teller.news(&later), []);
}

//! The fault table of polls and look-ups: for each the state, the reason, what ran and what was posted.

use std::time::Duration;

use serde_json::json;
use webcodex_testkit::control_plane::{Endpoint, Fault};
use webcodex_tunnel::status::{HopState, Reason, State};

use crate::stage::{Stage, play, word};

const NEEDS_YOU: &str = "needs you";
const WAITING: &str = "waiting";

fn status(code: u16) -> Fault {
    Fault::Status(code, None, None)
}

fn coded(code: u16, name: &'static str) -> Fault {
    Fault::Status(code, Some(name), None)
}

fn later(code: u16, retry_after: &'static str) -> Fault {
    Fault::Status(code, None, Some(retry_after))
}

fn body(code: u16, kind: &'static str, text: &str) -> Fault {
    Fault::Body(code, kind, text.to_owned())
}

/// Faults that last: state, reason, and the least number of seconds between two polls.
fn lasting() -> Vec<(Fault, &'static str, Reason, u64)> {
    let json = "application/json";
    vec![
        (status(400), WAITING, Reason::ServiceRefuses, 0),
        (coded(400, "invalid_tunnel_id_format"), NEEDS_YOU, Reason::TunnelIdInvalid, 0),
        (status(401), NEEDS_YOU, Reason::KeyRejected, 0),
        (coded(401, "unheard_of"), NEEDS_YOU, Reason::KeyRejected, 0),
        (coded(401, "tunnel_use_forbidden"), WAITING, Reason::KeyCannotUseTunnel, 60),
        (coded(403, "tunnel_use_forbidden"), WAITING, Reason::KeyCannotUseTunnel, 60),
        (coded(403, "tunnel_active_organization_required"), NEEDS_YOU, Reason::OrganizationNeeded, 0),
        (coded(403, "tunnel_missing_principals"), NEEDS_YOU, Reason::KeyWithoutWorkspace, 0),
        (coded(403, "certificate_required"), NEEDS_YOU, Reason::ClientCertificateNeeded, 0),
        (status(403), WAITING, Reason::KeyCannotUseTunnel, 60),
        (status(404), WAITING, Reason::TunnelNotFound, 60),
        (status(407), NEEDS_YOU, Reason::ProxyAuthNeeded, 0),
        (status(408), WAITING, Reason::ServiceTrouble, 0),
        (status(409), WAITING, Reason::ServiceConflict, 0),
        (coded(409, "wrong_cluster"), WAITING, Reason::ServiceConflict, 0),
        (status(413), WAITING, Reason::ServiceRefuses, 60),
        (status(418), WAITING, Reason::ServiceRefuses, 60),
        (status(429), WAITING, Reason::RateLimited, 0),
        (coded(429, "rate_limit_exceeded"), WAITING, Reason::RateLimited, 0),
        (later(429, "7"), WAITING, Reason::RateLimited, 7),
        (later(429, "86400"), WAITING, Reason::RateLimited, 60),
        (later(429, "Sun, 06 Nov 1994 08:49:37 GMT"), WAITING, Reason::RateLimited, 30),
        (later(429, "Sunday, 06-Nov-94 08:49:37 GMT"), WAITING, Reason::RateLimited, 30),
        (later(429, "Sun Nov  6 08:49:37 1994"), WAITING, Reason::RateLimited, 30),
        (later(429, "Sat, 06 Nov 2094 08:49:37 GMT"), WAITING, Reason::RateLimited, 60),
        (later(429, "Sun, 06 Nov 1993 08:49:37 GMT"), WAITING, Reason::RateLimited, 0),
        (later(429, "soon"), WAITING, Reason::RateLimited, 0),
        (later(429, "-3"), WAITING, Reason::RateLimited, 0),
        (later(503, "3"), WAITING, Reason::ServiceTrouble, 3),
        (later(401, "1"), NEEDS_YOU, Reason::KeyRejected, 0),
        (later(403, "5"), WAITING, Reason::KeyCannotUseTunnel, 60),
        (coded(503, "tunnel_transport_unavailable"), WAITING, Reason::ServiceTrouble, 0),
        (status(500), WAITING, Reason::ServiceTrouble, 0),
        (status(502), WAITING, Reason::ServiceTrouble, 0),
        (status(504), WAITING, Reason::ServiceTrouble, 0),
        (status(511), WAITING, Reason::CaptivePortal, 60),
        (Fault::Redirect("https://login.example/"), WAITING, Reason::CaptivePortal, 60),
        (body(200, "text/html", "<!doctype html><title>Log in</title>"), WAITING, Reason::CaptivePortal, 60),
        (body(200, json, r#"{"commands":[{"#), WAITING, Reason::UnexpectedAnswer, 0),
        (body(200, json, ""), WAITING, Reason::UnexpectedAnswer, 0),
        (body(200, json, r#"{"status":"ok"}"#), WAITING, Reason::UnexpectedAnswer, 0),
        (body(200, json, r#"{"commands":7}"#), WAITING, Reason::UnexpectedAnswer, 0),
        (body(202, json, r#"{"commands":[]}"#), WAITING, Reason::UnexpectedAnswer, 0),
        (body(500, json, &" ".repeat(128 * 1024)), WAITING, Reason::ServiceTrouble, 0),
        (
            body(403, json, r#"{"detail":{"code":"tunnel_missing_principals"}}"#),
            NEEDS_YOU,
            Reason::KeyWithoutWorkspace,
            0,
        ),
        (body(403, "text/html", "<html>"), WAITING, Reason::KeyCannotUseTunnel, 60),
        (Fault::Cut(Duration::ZERO), WAITING, Reason::ConnectionCut, 0),
        (Fault::Cut(Duration::from_secs(4)), WAITING, Reason::ConnectionCut, 0),
        (Fault::Hang, WAITING, Reason::NoAnswer, 0),
    ]
}

#[test]
fn a_poll_that_keeps_failing_is_told_as_it_is_and_runs_nothing() {
    for (fault, state, reason, least) in lasting() {
        play(lasting_row(fault, state, reason, least));
    }
}

async fn lasting_row(fault: Fault, state: &str, reason: Reason, least: u64) {
    let row = format!("{:.80}", format!("{fault:?}"));
    let stage = Stage::new();
    stage.plane.fail_always(Endpoint::Poll, Some(fault));
    let request = stage.plane.call(json!(1), "echo", json!({"text": "PLANTED-ARGUMENT"}));
    stage.connection.start().await;
    let seen =
        stage.until(|status| !matches!(status.state, State::Off | State::Starting | State::Checking)).await;
    assert_eq!(word(seen.state), (state, Some(reason)), "{row}");
    let broken: Vec<_> = seen.hops.iter().filter(|hop| hop.state == HopState::Broken(reason)).collect();
    assert_eq!((broken.len(), broken[0].hop), (1, reason.hop()), "{row}");
    // Half of the least wait later nothing has happened, and much later the same is still told.
    let polls = stage.plane.polls().len();
    tokio::time::sleep(Duration::from_secs(least) / 2).await;
    assert_eq!(stage.plane.polls().len(), polls, "{row}: polled within the back-off");
    stage.wait(200).await;
    assert_eq!(word(stage.state()), (state, Some(reason)), "{row}");
    let times: Vec<_> = stage.plane.polls().iter().map(|poll| poll.at).collect();
    match state {
        NEEDS_YOU => assert_eq!(times.len(), 1, "{row}: a permanent refusal ends polling"),
        _ => assert!(times.len() > 1, "{row}: it is tried again"),
    }
    let first_gap = times.get(1).map(|second| *second - times[0]);
    assert!(first_gap.is_none_or(|gap| gap >= Duration::from_secs(least)), "{row}: {first_gap:?}");
    assert_eq!((stage.target.runs(), stage.plane.posts().len()), (0, 0), "{row}");

    stage.plane.fail_always(Endpoint::Poll, None);
    stage.connection.try_again();
    stage.until_online().await;
    assert_eq!(stage.ended(&request).await["resp_code"], 200, "{row}");
    assert_eq!(stage.target.runs(), 1, "{row}");
    stage.finish().await;
}

/// What is said about the tunnel, what polls say, and what follows.
fn lookups() -> Vec<(Fault, Option<Fault>, &'static str, Option<Reason>)> {
    vec![
        (status(401), None, NEEDS_YOU, Some(Reason::KeyRejected)),
        (coded(400, "invalid_tunnel_id_format"), None, NEEDS_YOU, Some(Reason::TunnelIdInvalid)),
        (coded(403, "tunnel_missing_principals"), None, NEEDS_YOU, Some(Reason::KeyWithoutWorkspace)),
        (status(403), None, "online", None),
        (status(404), None, "online", None),
        (status(500), None, "online", None),
        (body(200, "application/json", "[]"), None, "online", None),
        (status(403), Some(status(403)), WAITING, Some(Reason::TunnelNotVisible)),
        (status(404), Some(status(404)), WAITING, Some(Reason::TunnelNotFound)),
        (later(429, "9"), None, WAITING, Some(Reason::RateLimited)),
        (body(200, "text/html", "<html>"), None, WAITING, Some(Reason::CaptivePortal)),
        (Fault::Redirect("/login"), None, WAITING, Some(Reason::CaptivePortal)),
        (Fault::Hang, None, WAITING, Some(Reason::NoAnswer)),
        (Fault::Cut(Duration::ZERO), None, WAITING, Some(Reason::ConnectionCut)),
        (Fault::CutInBody, None, WAITING, Some(Reason::ConnectionCut)),
    ]
}

#[test]
fn what_is_said_about_the_tunnel_never_outweighs_a_poll() {
    for (lookup, poll, state, reason) in lookups() {
        play(async {
            let row = format!("{lookup:?} {poll:?}");
            let stage = Stage::new();
            stage.plane.fail_always(Endpoint::Tunnel, Some(lookup));
            stage.plane.fail_always(Endpoint::Poll, poll.clone());
            stage.connection.start().await;
            let starting = |state| matches!(state, State::Off | State::Starting | State::Checking);
            let seen = stage.until(|status| !starting(status.state)).await;
            assert_eq!(word(seen.state), (state, reason), "{row}");
            let polled = poll.is_some() || state == "online";
            assert_eq!(stage.plane.polls().is_empty(), !polled, "{row}");
            stage.finish().await;
        });
    }
}

#[test]
fn a_command_that_is_handed_out_oddly_runs_once() {
    let second = Duration::from_secs(1);
    for (fault, runs) in [
        (Fault::Slow(3 * second), 1),
        (Fault::SlowBody(2 * second), 1),
        (Fault::Duplicate, 1),
        (Fault::TooMany, 1),
        (Fault::EmptyList, 1),
        // Handed out and lost on the way: nobody else gets it, and nothing is made up.
        (Fault::LoseAnswer, 0),
        (Fault::CutInBody, 0),
        // Handed out so late that the caller has gone.
        (Fault::SlowBody(4 * second), 0),
    ] {
        play(async {
            let row = format!("{fault:?}");
            let stage = Stage::new();
            stage.fail(Endpoint::Poll, fault);
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {}});
            stage.plane.submit(json!({"response_timeout": "3s", "jsonrpc": message}));
            stage.online().await;
            stage.wait(60).await;
            assert_eq!((stage.target.runs(), stage.plane.posts().len()), (runs, runs), "{row}");
            assert_eq!(stage.state(), State::Online, "{row}");
            stage.finish().await;
        });
    }
}

#[test]
fn an_answer_that_never_ends_is_not_read_to_its_end() {
    play(async {
        let stage = Stage::new();
        stage.fail(Endpoint::Poll, body(200, "application/json", &" ".repeat(17 * 1024 * 1024)));
        stage.connection.start().await;
        let waiting = |status: &webcodex_tunnel::status::Status| word(status.state).0 == WAITING;
        assert_eq!(word(stage.until(waiting).await.state).1, Some(Reason::UnexpectedAnswer));
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn more_commands_than_asked_for_are_all_run() {
    play(async {
        let stage = Stage::new();
        stage.fail(Endpoint::Poll, Fault::TooMany);
        for id in 0..1000 {
            stage.plane.call(json!(id), "slow", json!({"ms": 50, "n": id}));
        }
        stage.online().await;
        stage.plane.until(|plane| plane.ended_count() == 1000).await;
        assert_eq!(stage.target.runs(), 1000);
        stage.until(|status| status.counters.answered == 1000).await;
        stage.finish().await;
    });
}

#[test]
fn a_full_queue_asks_for_less_and_then_for_nothing() {
    play(async {
        let stage = Stage::new();
        for id in 0..200 {
            stage.plane.call(json!(id), "slow", json!({"ms": 60_000, "n": id}));
        }
        stage.online().await;
        stage.wait(30).await;
        let limits: Vec<usize> = stage.plane.polls().iter().map(|poll| poll.limit).collect();
        assert_eq!(limits, [25, 25, 25, 5], "16 run and 64 wait");
        assert_eq!(stage.status().running, 80);
        stage.until(|status| status.state == State::Degraded { reason: Reason::Busy }).await;
        stage.plane.until(|plane| plane.ended_count() == 200).await;
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn a_poll_cut_by_the_way_waits_less_from_then_on() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.plane.fail_always(Endpoint::Poll, Some(Fault::Cut(Duration::from_secs(12))));
        stage.until(|status| status.poll_wait_ms == 7_000).await;
        stage.plane.fail_always(Endpoint::Poll, None);
        stage.until(|status| status.counters.polls > 3).await;
        assert!(stage.plane.polls().iter().rev().take(2).all(|poll| poll.timeout_ms == 7_000));
        stage.finish().await;
    });
}

#[test]
fn trouble_is_degraded_first_and_waiting_when_the_last_success_is_old() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.plane.fail_always(Endpoint::Poll, Some(status(503)));
        let mut states: Vec<&str> = Vec::new();
        let mut seen = stage.connection.status();
        let end = tokio::time::Instant::now() + Duration::from_secs(90);
        while tokio::time::timeout_at(end, seen.changed()).await.is_ok() {
            let name = word(seen.borrow_and_update().state).0;
            if states.last() != Some(&name) {
                states.push(name);
            }
        }
        assert_eq!(states, ["online", "degraded", "waiting"]);
        stage.plane.fail_always(Endpoint::Poll, None);
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn a_wait_that_is_refused_as_too_short_costs_nothing() {
    play(async {
        let stage = Stage::new();
        stage.fail(Endpoint::Poll, status(400));
        stage.online().await;
        let waits: Vec<u64> = stage.plane.polls().iter().map(|poll| poll.timeout_ms).collect();
        assert_eq!((waits[..2].to_vec(), stage.status().counters.failed_polls), (vec![200, 15_000], 0));
        stage.finish().await;
    });
}

#[test]
fn a_malformed_key_never_leaves() {
    for key in ["", "sk with blanks", "sk\nInjected: 1"] {
        play(async {
            let stage = Stage::with(crate::stage::Props { key, ..Default::default() });
            stage.connection.start().await;
            stage.until(|status| status.state == State::NeedsYou { reason: Reason::KeyMalformed }).await;
            assert_eq!(stage.network.connections(), []);
            stage.finish().await;
        });
    }
}

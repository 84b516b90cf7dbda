//! The fault table of deliveries: how often an answer is posted, and that it is the same each time.

use std::time::Duration;

use serde_json::json;
use webcodex_testkit::control_plane::{Endpoint, Fault};
use webcodex_tunnel::status::{CallOutcome, State};

use crate::stage::{Stage, play};

use CallOutcome::{Answered, Expired, NotDelivered};

fn status(code: u16) -> Fault {
    Fault::Status(code, None, None)
}

/// Faults of the first posts, how often the answer is posted, how often it is taken, and what is told.
fn deliveries() -> Vec<(Vec<Fault>, usize, usize, CallOutcome)> {
    let cut = Fault::Cut(Duration::ZERO);
    vec![
        (vec![], 1, 1, Answered),
        // The post arrived, its answer did not: the copy finds nobody waiting.
        (vec![Fault::LoseAnswer], 2, 1, Expired),
        (vec![Fault::LieAbout(503)], 2, 1, Expired),
        (vec![Fault::LieAbout(408)], 2, 1, Expired),
        (vec![cut.clone()], 2, 1, Answered),
        (vec![cut.clone(), cut.clone()], 3, 1, Answered),
        (vec![cut.clone(), cut.clone(), cut], 3, 0, NotDelivered),
        (vec![Fault::Hang], 2, 1, Answered),
        (vec![Fault::Hang, Fault::Hang, Fault::Hang], 3, 0, NotDelivered),
        (vec![Fault::Slow(Duration::from_secs(20))], 1, 1, Answered),
        (vec![Fault::CutInBody], 1, 1, Answered),
        (vec![status(408)], 2, 1, Answered),
        (vec![status(429)], 2, 1, Answered),
        (vec![Fault::Status(429, Some("rate_limit_exceeded"), Some("9"))], 2, 1, Answered),
        (vec![Fault::Status(503, None, Some("Sun, 06 Nov 1994 08:49:37 GMT"))], 2, 1, Answered),
        (vec![status(502)], 2, 1, Answered),
        (vec![status(503), status(504)], 3, 1, Answered),
        (vec![status(503), status(503), status(503)], 3, 0, NotDelivered),
        // What is refused is not sent again.
        (vec![status(500)], 1, 0, NotDelivered),
        (vec![status(400)], 1, 0, NotDelivered),
        (vec![status(401)], 1, 0, NotDelivered),
        (vec![Fault::Status(401, Some("tunnel_request_mismatch"), None)], 1, 0, NotDelivered),
        (vec![status(403)], 1, 0, NotDelivered),
        (vec![status(409)], 1, 0, NotDelivered),
        (vec![Fault::Redirect("/elsewhere")], 1, 0, NotDelivered),
        (vec![Fault::Status(404, Some("pending_request_not_found"), None)], 1, 0, Expired),
    ]
}

#[test]
fn an_answer_is_posted_at_most_three_times_and_byte_for_byte_the_same() {
    for (faults, posts, taken, outcome) in deliveries() {
        play(async {
            let row = format!("{faults:?}");
            let stage = Stage::new();
            faults.iter().for_each(|fault| stage.fail(Endpoint::Response, fault.clone()));
            let request = stage.plane.call(json!("id"), "echo", json!({"text": "PLANTED-ARGUMENT"}));
            stage.online().await;
            let status = stage.until(|status| status.last_call.is_some()).await;
            stage.wait(200).await;
            let all = stage.plane.posts();
            assert_eq!((all.len(), stage.plane.taken(&request).len()), (posts, taken), "{row}");
            assert!(all.iter().all(|post| post.body == all[0].body), "{row}: not the same bytes");
            assert_eq!(status.last_call.unwrap().outcome, outcome, "{row}");
            assert_eq!(stage.target.runs(), 1, "{row}");
            // Trouble with one answer says nothing about the key or the tunnel.
            assert_eq!(stage.state(), State::Online, "{row}");
            stage.finish().await;
        });
    }
}

#[test]
fn a_wish_to_wait_is_respected() {
    play(async {
        let stage = Stage::new();
        stage.fail(Endpoint::Response, Fault::Status(429, None, Some("9")));
        let request = stage.plane.call(json!(1), "echo", json!({}));
        stage.online().await;
        stage.ended(&request).await;
        let posts = stage.plane.posts();
        assert!(posts[1].at - posts[0].at >= Duration::from_secs(9));
        stage.finish().await;
    });
}

#[test]
fn nothing_is_posted_after_the_deadline() {
    play(async {
        let stage = Stage::new();
        stage.plane.fail_always(Endpoint::Response, Some(Fault::Status(503, None, Some("30"))));
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "echo"});
        stage.plane.submit(json!({"response_timeout": "5s", "jsonrpc": message}));
        stage.online().await;
        stage.wait(120).await;
        assert_eq!(stage.plane.posts().len(), 1);
        assert_eq!(stage.status().counters.expired, 1);
        stage.finish().await;
    });
}

#[test]
fn an_answer_the_service_finds_too_big_becomes_a_short_error() {
    play(async {
        let stage = Stage::new();
        stage.plane.limit_bodies(1000);
        let request = stage.plane.call(json!(1), "big", json!({"bytes": 5000}));
        stage.online().await;
        let answer = stage.ended(&request).await;
        let failure = answer.pointer("/resp_json/error/data/tunnel_failure").unwrap();
        assert_eq!(
            (&failure["source"], &failure["transport_error_kind"]),
            (&json!("protocol"), &json!("response_body_too_large"))
        );
        let status = stage.until(|status| status.counters.answered == 1).await;
        assert_eq!((stage.plane.posts().len(), status.counters.too_big), (2, 1));
        stage.finish().await;
    });
}

#[test]
fn a_lost_notification_costs_the_others_but_never_the_result() {
    for (fault, notified) in [
        (Fault::Cut(Duration::ZERO), 0),
        (status(503), 0),
        (status(404), 0),
        (status(500), 0),
        // Surely not taken: sent again, and the rest follows.
        (status(429), 3),
    ] {
        play(async {
            let row = format!("{fault:?}");
            let stage = Stage::new();
            stage.fail(Endpoint::Response, fault.clone());
            let request = stage.plane.call(json!(1), "progress", json!({"count": 3}));
            stage.online().await;
            stage.ended(&request).await;
            assert_eq!(stage.plane.taken(&request).len(), notified + 1, "{row}");
            assert_eq!(stage.target.runs(), 1, "{row}");
            stage.finish().await;
        });
    }
}

#[test]
fn a_stuck_poll_does_not_hold_up_a_result() {
    play(async {
        let stage = Stage::new();
        let request = stage.plane.call(json!(1), "slow", json!({"ms": 3000}));
        stage.online().await;
        stage.plane.fail_always(Endpoint::Poll, Some(Fault::Hang));
        let start = tokio::time::Instant::now();
        stage.ended(&request).await;
        assert!(start.elapsed() < Duration::from_secs(5));
        stage.finish().await;
    });
}

//! Switching on and off, sleeping and waking.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout};
use webcodex_testkit::control_plane::{Endpoint, Fault, Place};
use webcodex_tunnel::status::{HopState, Reason, State};

use crate::stage::{Stage, play, word};

#[test]
fn the_first_value_is_the_whole_state() {
    play(async {
        let stage = Stage::new();
        let status = stage.status();
        assert_eq!(status.state, State::Off);
        assert!(status.hops.len() == 9 && status.hops.iter().all(|hop| hop.state == HopState::Unknown));
        stage.online().await;
        let status = stage.status();
        assert_eq!(status.hops[8].state, HopState::Attention(Reason::WaitingForChatGpt));
        assert!(status.hops[1..8].iter().all(|hop| hop.state == HopState::Works));
        stage.finish().await;
    });
}

#[test]
fn online_comes_within_the_first_short_poll() {
    play(async {
        let (stage, start) = (Stage::new(), Instant::now());
        stage.online().await;
        assert!(start.elapsed() <= Duration::from_millis(300));
        stage.wait(60).await;
        let waits: Vec<u64> = stage.plane.polls().iter().map(|poll| poll.timeout_ms).collect();
        assert_eq!(waits[..3], [200, 15_000, 15_000]);
        assert_eq!(stage.plane.lookups(), 1);
        stage.finish().await;
    });
}

#[test]
fn starting_twice_and_stopping_twice_is_as_once() {
    play(async {
        let stage = Stage::new();
        stage.connection.stop().await;
        stage.connection.start().await;
        stage.connection.start().await;
        stage.until_online().await;
        stage.wait(40).await;
        assert_eq!(stage.plane.lookups(), 1);
        stage.connection.stop().await;
        stage.connection.stop().await;
        let polls = stage.plane.polls().len();
        stage.wait(100).await;
        assert_eq!(stage.plane.polls().len(), polls);
        stage.finish().await;
    });
}

#[test]
fn a_restart_in_flight_finishes_what_runs_and_runs_nothing_twice() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let request = stage.plane.call(json!(1), "slow", json!({"ms": 5000}));
        stage.wait(1).await;
        stage.connection.restart().await;
        stage.until_online().await;
        assert_eq!(stage.ended(&request).await["resp_json"]["result"], "late");
        assert_eq!(stage.target.runs(), 1);
        stage.finish().await;
    });
}

#[test]
fn a_command_handed_out_again_after_a_restart_is_not_run_again() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.fail(Endpoint::Poll, Fault::Duplicate);
        stage.wait(20).await;
        let request = stage.plane.call(json!(1), "echo", json!({}));
        stage.ended(&request).await;
        stage.connection.restart().await;
        stage.until_online().await;
        stage.wait(60).await;
        assert_eq!(stage.target.runs(), 1);
        stage.finish().await;
    });
}

#[test]
fn stopping_waits_five_seconds_and_no_longer() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.plane.call(json!(1), "hang", json!({}));
        stage.wait(1).await;
        let start = Instant::now();
        let (connection, seen) = (stage.connection.clone(), stage.connection.status());
        let stopping = tokio::spawn(async move { connection.stop().await });
        stage.wait(3).await;
        assert_eq!(seen.borrow().state, State::Stopping);
        stopping.await.unwrap();
        assert!((4..=5).contains(&start.elapsed().as_secs()), "the program has seven for everything");
        let status = stage.status();
        assert_eq!((status.state, status.running, status.counters.undelivered), (State::Off, 0, 1));
        assert!(stage.plane.posts().is_empty());
        stage.finish().await;
    });
}

#[test]
fn a_last_poll_that_brings_work_in_time_is_served() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let connection = stage.connection.clone();
        let stopping = tokio::spawn(async move { connection.stop().await });
        tokio::time::sleep(Duration::from_millis(500)).await;
        let request = stage.plane.call(json!(1), "echo", json!({}));
        assert_eq!(stage.ended(&request).await["resp_code"], 200);
        stopping.await.unwrap();
        stage.finish().await;
    });
}

#[test]
fn a_dropped_connection_stops_polling() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let Stage { plane, connection, .. } = stage;
        drop(connection);
        tokio::time::sleep(Duration::from_secs(2)).await;
        let polls = plane.polls().len();
        tokio::time::sleep(Duration::from_secs(100)).await;
        assert_eq!(plane.polls().len(), polls);
    });
}

#[test]
fn after_sleep_everything_open_is_given_up_at_once() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.wait(2).await;
        let (lookups, before) = (stage.plane.lookups(), stage.plane.polls().len());
        // What was open is dead: without noticing the sleep it would hang for another ten seconds.
        stage.clock.jump(Duration::from_secs(3600));
        tokio::time::sleep(Duration::from_millis(1900)).await;
        assert_eq!(stage.plane.lookups(), lookups + 1);
        assert!(stage.plane.polls().len() > before);
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn after_sleep_nothing_of_before_is_proof() {
    for answer in [Place::Refused, Place::BlackHole] {
        play(async {
            let stage = Stage::new();
            stage.online().await;
            stage.wait(2).await;
            let plane = stage.plane.clone();
            stage.network.put("127.0.0.1:80", answer);
            stage.clock.jump(Duration::from_secs(3600));
            // One look at the clocks.
            tokio::time::sleep(Duration::from_millis(1100)).await;
            assert_ne!(stage.state(), State::Online);
            let mut seen = stage.connection.status();
            let watched =
                timeout(Duration::from_secs(60), seen.wait_for(|status| status.state == State::Online));
            assert!(watched.await.is_err(), "online without a network");
            stage.network.put("127.0.0.1:80", Place::open(move |stream| plane.serve(stream)));
            stage.until_online().await;
            stage.finish().await;
        });
    }
}

#[test]
fn sleep_during_a_pause_or_a_search_ends_what_was_proven_too() {
    for searching in [false, true] {
        play(async {
            let stage = Stage::new();
            stage.online().await;
            stage.network.put("127.0.0.1:80", if searching { Place::BlackHole } else { Place::Refused });
            // Both while the last success is fresh: one failure is a pause, a nudge is a search.
            if searching {
                stage.connection.try_again();
            } else {
                stage.fail(Endpoint::Poll, Fault::Cut(Duration::ZERO));
                stage.until(|status| status.counters.failed_polls == 1).await;
            }
            stage.clock.jump(Duration::from_secs(3600));
            tokio::time::sleep(Duration::from_millis(1100)).await;
            let mut seen = stage.connection.status();
            let watched =
                timeout(Duration::from_secs(60), seen.wait_for(|status| status.state == State::Online));
            assert!(watched.await.is_err(), "online without a network");
            stage.finish().await;
        });
    }
}

#[test]
fn a_new_network_gives_up_an_open_poll_at_once() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        // The way is dead and says nothing: without a word the poll would hang for its wait and five seconds.
        stage.fail(Endpoint::Poll, Fault::Hang);
        stage.wait(20).await;
        let (lookups, start) = (stage.plane.lookups(), Instant::now());
        stage.connection.try_again();
        tokio::task::yield_now().await;
        stage.until(|status| status.state == State::Checking).await;
        stage.until_online().await;
        assert_eq!(stage.plane.lookups(), lookups + 1);
        assert!(start.elapsed() <= Duration::from_secs(1));
        stage.finish().await;
    });
}

#[test]
fn a_timer_that_is_late_means_sleep_too() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.wait(2).await;
        let lookups = stage.plane.lookups();
        tokio::time::advance(Duration::from_secs(1800)).await;
        stage.wait(2).await;
        assert_eq!(stage.plane.lookups(), lookups + 1);
        stage.until_online().await;
        stage.finish().await;
    });
}

#[test]
fn a_small_correction_of_the_clock_is_no_sleep() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        stage.clock.jump(Duration::from_secs(3));
        stage.wait(60).await;
        assert_eq!(stage.plane.lookups(), 1);
        stage.finish().await;
    });
}

#[test]
fn sleep_counts_towards_deadlines() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "slow", "params": {"ms": 60_000}});
        stage.plane.submit(json!({"response_timeout": "2m", "jsonrpc": message}));
        stage.wait(10).await;
        stage.clock.jump(Duration::from_secs(100));
        let status = stage.until(|status| status.counters.expired == 1).await;
        assert_eq!(status.running, 0);
        stage.wait(120).await;
        assert_eq!((stage.target.runs(), stage.plane.posts().len()), (1, 0));
        stage.finish().await;
    });
}

#[test]
fn a_short_sleep_costs_no_answer() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "slow", "params": {"ms": 20_000}});
        let request = stage.plane.submit(json!({"response_timeout": "2m", "jsonrpc": message}));
        stage.wait(5).await;
        stage.clock.jump(Duration::from_secs(30));
        assert_eq!(stage.ended(&request).await["resp_code"], 200);
        stage.finish().await;
    });
}

#[test]
fn a_user_in_a_hurry_waits_no_longer_than_openai_asked_for() {
    for (fault, waits) in [
        (Fault::Status(404, None, None), Duration::ZERO),
        (Fault::Status(401, None, None), Duration::ZERO),
        (Fault::Status(429, None, Some("40")), Duration::from_secs(40)),
    ] {
        play(async {
            let stage = Stage::new();
            stage.fail(Endpoint::Poll, fault);
            stage.connection.start().await;
            stage.until(|status| matches!(word(status.state).0, "waiting" | "needs you")).await;
            let start = Instant::now();
            tokio::task::yield_now().await;
            stage.connection.try_again();
            stage.until_online().await;
            assert!(start.elapsed() >= waits && start.elapsed() <= waits + Duration::from_secs(2));
            stage.finish().await;
        });
    }
}

#[test]
fn when_the_network_returns_it_takes_no_time() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        let plane = stage.plane.clone();
        stage.network.put("127.0.0.1:80", Place::Refused);
        stage.fail(Endpoint::Poll, Fault::Cut(Duration::ZERO));
        stage.until(|status| word(status.state) == ("waiting", Some(Reason::NetworkBlocked))).await;
        stage.network.put("127.0.0.1:80", Place::open(move |stream| plane.serve(stream)));
        let start = Instant::now();
        stage.connection.try_again();
        stage.until_online().await;
        assert!(start.elapsed() <= Duration::from_secs(2));
        stage.finish().await;
    });
}

#[test]
fn a_wrong_clock_is_told() {
    play(async {
        let stage = Stage::new();
        // The control plane says the real date, the stage is in 1994.
        stage.online().await;
        assert!(stage.status().clock_ahead_s.unwrap() < -1_000_000_000);
        stage.finish().await;
    });
}

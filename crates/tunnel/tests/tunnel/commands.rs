//! The fault table of commands and of the Server behind the tunnel.

use serde_json::{Value, json};
use webcodex_settings::Secret;
use webcodex_tunnel::Target;
use webcodex_tunnel::status::{Reason, State};

use crate::stage::{BEARER, Props, Stage, play};
use crate::target::absent;

/// What is posted: status, type, and the source of the failure where one was made up.
type Posted = Option<(u16, &'static str, Option<&'static str>)>;

const OK: Posted = Some((200, "jsonrpc_response", None));
const BAD: Posted = Some((400, "jsonrpc_response", Some("protocol")));

fn failed(code: u16, source: &'static str) -> Posted {
    Some((code, "jsonrpc_response", Some(source)))
}

fn ack(code: u16) -> Posted {
    Some((code, "notify_ack", None))
}

fn ended(code: u16) -> Posted {
    Some((code, "session_termination_response", None))
}

fn call(method: &str, params: Value) -> Value {
    json!({"jsonrpc": {"jsonrpc": "2.0", "id": "a", "method": method, "params": params}})
}

fn with(mut command: Value, key: &str, value: Value) -> Value {
    command[key] = value;
    command
}

fn identified(id: Value) -> Value {
    json!({"jsonrpc": {"jsonrpc": "2.0", "id": id, "method": "echo", "params": {"text": "PLANTED-ARGUMENT"}}})
}

fn timed(timeout: Value) -> Value {
    with(identified(json!(1)), "response_timeout", timeout)
}

/// A command, how often the Server is asked, and what is posted.
fn commands() -> Vec<(Value, usize, Posted)> {
    let notification = json!({"jsonrpc": {"jsonrpc": "2.0", "method": "notifications/initialized"}});
    let ending = json!({"command_type": "session_termination", "headers": {"Mcp-Session-Id": ["5f0c"]}});
    vec![
        // Ids of every kind come back as they were.
        (identified(json!(0)), 1, OK),
        (identified(json!("")), 1, OK),
        (identified(json!(-1)), 1, OK),
        (identified(json!(1.5)), 1, OK),
        (identified(json!(i64::MAX)), 1, OK),
        (identified(json!(u64::MAX)), 1, OK),
        (identified(json!("日本\u{1F600}\"\\")), 1, OK),
        (with(identified(json!(1)), "new_field", json!({"a": [1]})), 1, OK),
        (with(identified(json!(1)), "trace_context", json!({"traceparent": 5})), 1, OK),
        (with(identified(json!(1)), "created_at", json!("not a date")), 1, OK),
        (with(identified(json!(1)), "headers", json!(null)), 1, OK),
        // Deadlines.
        (timed(json!("0s")), 0, None),
        (timed(json!("0h")), 0, None),
        (timed(json!("3s")), 1, OK),
        (timed(json!("3000000us")), 1, OK),
        (timed(json!("3 s")), 1, OK),
        (timed(json!("-1s")), 1, OK),
        (timed(json!("1.5s")), 1, OK),
        (timed(json!("1m30s")), 1, OK),
        (timed(json!("9999999999h")), 1, OK),
        (timed(json!(0)), 1, OK),
        (timed(json!(null)), 1, OK),
        (with(call("slow", json!({"ms": 5000})), "response_timeout", json!("2s")), 1, None),
        (with(call("hang", json!({})), "response_timeout", json!("2m")), 1, None),
        (call("hang", json!({})), 1, failed(502, "timeout")),
        // Notifications and sessions.
        (notification.clone(), 1, ack(202)),
        (with(notification.clone(), "channel", json!("harpoon")), 0, ack(400)),
        (ending.clone(), 1, ended(204)),
        (with(ending.clone(), "headers", json!({})), 0, ended(400)),
        (with(ending.clone(), "channel", json!("harpoon")), 0, ended(400)),
        (with(ending.clone(), "channel", json!("")), 0, ended(400)),
        (with(identified(json!(1)), "channel", json!("Not a Name")), 0, BAD),
        (with(identified(json!(1)), "channel", json!(["main"])), 0, BAD),
        // Channels and kinds.
        (with(identified(json!(1)), "channel", json!("harpoon")), 0, BAD),
        (with(identified(json!(1)), "command_type", json!("oauth_discovery")), 0, None),
        (with(identified(json!(1)), "command_type", json!("")), 0, None),
        (with(identified(json!(1)), "command_type", json!(null)), 0, BAD),
        // Broken in themselves.
        (with(identified(json!(1)), "headers", json!("Accept")), 0, BAD),
        (json!({"command_type": "jsonrpc", "jsonrpc": {"jsonrpc": "2.0", "id": 1, "method": 5}}), 0, BAD),
        (json!({"command_type": "jsonrpc", "jsonrpc": {"jsonrpc": "2.0", "id": 1, "result": {}}}), 0, BAD),
        (
            json!({"command_type": "jsonrpc", "jsonrpc": {"jsonrpc": "2.0", "id": null, "method": "echo"}}),
            0,
            None,
        ),
        (
            json!({"command_type": "jsonrpc", "jsonrpc": [{"jsonrpc": "2.0", "id": 1, "method": "echo"}]}),
            0,
            None,
        ),
        (json!({"command_type": "jsonrpc", "jsonrpc": "text"}), 0, None),
        (json!({"command_type": "jsonrpc"}), 0, None),
        (with(identified(json!(1)), "shard_token", json!("two words")), 0, None),
        (with(identified(json!(1)), "shard_token", json!("line\r\nInjected: 1")), 0, None),
        (with(identified(json!(1)), "shard_token", json!("t".repeat(5000))), 0, None),
        (with(identified(json!(1)), "request_id", json!("r".repeat(2000))), 0, None),
        // The Server behind.
        (call("status_with_error", json!({"code": 200})), 1, OK),
        (call("status_with_error", json!({"code": 404})), 1, Some((404, "jsonrpc_response", None))),
        (call("status_with_error", json!({"code": 500})), 1, Some((500, "jsonrpc_response", None))),
        (call("status", json!({"code": 400})), 1, failed(400, "target_http")),
        (call("status", json!({"code": 503})), 1, failed(503, "target_http")),
        (call("status", json!({"code": 307})), 1, failed(502, "protocol")),
        (call("status", json!({"code": 202})), 1, failed(502, "protocol")),
        (call("status_with_page", json!({})), 1, failed(404, "target_http")),
        (call("wrong_id", json!({})), 1, failed(502, "protocol")),
        (call("no_id", json!({})), 1, failed(502, "protocol")),
        (call("asks_back", json!({})), 1, failed(502, "protocol")),
        (call("html", json!({})), 1, failed(502, "protocol")),
        (call("empty", json!({})), 1, failed(502, "protocol")),
        (call("big", json!({"bytes": 1024 * 1024})), 1, OK),
        (call("big", json!({"bytes": 9 * 1024 * 1024})), 1, failed(502, "protocol")),
        (call("progress", json!({"count": 0})), 1, OK),
        (call("stream_cut", json!({})), 1, failed(502, "transport_closed")),
        (call("stream_broken", json!({})), 1, failed(502, "transport_closed")),
        (call("stream_wrong_id", json!({})), 1, failed(502, "protocol")),
        (call("stream_garbage", json!({})), 1, failed(502, "protocol")),
        (call("stream_asks_back", json!({})), 1, failed(502, "protocol")),
        (call("stream_too_big", json!({})), 1, failed(502, "protocol")),
    ]
}

#[test]
fn every_command_is_run_at_most_once_and_answered_as_it_should() {
    for (command, runs, posted) in commands() {
        play(async {
            let row = format!("{:.120}", command.to_string());
            let stage = Stage::new();
            let request = stage.plane.submit(command.clone());
            stage.online().await;
            // Where nothing else ends it, longer than anything may live.
            let hangs = command["jsonrpc"]["method"] == "hang";
            stage.wait(if hangs { 700 } else { 20 }).await;
            assert_eq!(stage.target.runs(), runs, "{row}");
            let answers = stage.plane.taken(&request);
            let answer = answers.last().map(|answer| {
                let source = answer.pointer("/resp_json/error/data/tunnel_failure/source");
                (
                    answer["resp_code"].as_u64().unwrap(),
                    answer["resp_type"].as_str().unwrap(),
                    source.and_then(Value::as_str),
                )
            });
            let expected = posted.map(|(code, kind, source)| (u64::from(code), kind, source));
            let ends = answers.iter().filter(|answer| answer["resp_type"] != "jsonrpc_notify").count();
            if answer.is_some_and(|(_, kind, _)| kind != "jsonrpc_notify") || expected.is_some() {
                assert_eq!((answer, ends), (expected, 1), "{row}");
            } else {
                assert_eq!(ends, 0, "{row}");
            }
            if posted == OK {
                assert_eq!(answers.last().unwrap()["resp_json"]["id"], command["jsonrpc"]["id"], "{row}");
            }
            assert_eq!(stage.state(), State::Online, "{row}");
            stage.finish().await;
        });
    }
}

#[test]
fn text_that_is_no_command_spoils_nothing() {
    play(async {
        let stage = Stage::new();
        for text in [
            "null",
            "7",
            "[]",
            "\"\"",
            "{}",
            r#"{"request_id":"x"}"#,
            r#"{"request_id":"x","shard_token":"t","command_type":"jsonrpc","jsonrpc":{}}"#,
        ] {
            stage.plane.submit_raw(text);
        }
        let request = stage.plane.call(json!(1), "echo", json!({}));
        stage.online().await;
        assert_eq!(stage.ended(&request).await["resp_code"], 200);
        assert_eq!(stage.status().counters.unusable, 7);
        assert_eq!(stage.plane.posts().len(), 1);
        stage.finish().await;
    });
}

#[test]
fn only_harmless_headers_reach_the_server_and_our_bearer_wins() {
    play(async {
        let stage = Stage::new();
        let mut command = identified(json!(1));
        command["headers"] = json!({
            "authorization": ["Bearer stolen"],
            "Proxy-Authorization": ["Basic x"],
            "Cookie": ["a=b"],
            "Host": ["evil.example"],
            "Origin": ["https://evil.example"],
            "Connection": ["close, Mcp-Name"],
            "Mcp-Name": ["x"],
            "Mcp-Method": ["bad\r\nX-Injected: 1"],
            "X-Forwarded-For": ["1.2.3.4"],
            "Mcp-Session-Id": ["5f0c"],
            "Mcp-Protocol-Version": ["2025-11-25"],
            "X-OpenAI-Session": ["one", "two"],
            "Last-Event-ID": 7,
        });
        let request = stage.plane.submit(command);
        stage.online().await;
        assert_eq!(stage.ended(&request).await["resp_code"], 200);
        let headers = stage.target.headers();
        let mut names: Vec<&str> = headers.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        let expected = [
            "accept",
            "authorization",
            "content-type",
            "host",
            "mcp-protocol-version",
            "mcp-session-id",
            "x-openai-session",
        ];
        assert_eq!(names, expected);
        assert_eq!(
            (&headers["host"], headers.get_all("x-openai-session").iter().count()),
            (&"127.0.0.1".parse().unwrap(), 2)
        );
        let status = stage.until(|status| status.last_call.is_some()).await;
        assert_eq!(status.notices, [Reason::ConnectorSendsCredentials]);
        assert_eq!(status.last_call.unwrap().protocol.as_deref(), Some("2025-11-25"));
        assert_eq!(status.counters.dropped_headers, 9);
        stage.finish().await;
    });
}

#[test]
fn notifications_on_the_way_come_before_the_result() {
    play(async {
        let stage = Stage::new();
        let request = stage.plane.submit(call("progress", json!({"count": 3})));
        stage.online().await;
        stage.ended(&request).await;
        let taken = stage.plane.taken(&request);
        let kinds: Vec<&str> = taken.iter().map(|answer| answer["resp_type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["jsonrpc_notify", "jsonrpc_notify", "jsonrpc_notify", "jsonrpc_response"]);
        assert_eq!(taken[1]["resp_json"]["params"]["progress"], 1);
        assert_eq!(taken[3]["resp_headers"]["Content-Type"], json!(["text/event-stream; charset=utf-8"]));
        assert_eq!(taken[3]["resp_headers"]["Mcp-Session-Id"], json!(["5f0c"]));
        stage.finish().await;
    });
}

#[test]
fn a_server_that_is_down_is_told_and_every_command_is_still_answered() {
    for (target, status, reason) in [
        (
            Some(Target::new(absent(), &Secret::new(BEARER.to_owned())).unwrap()),
            None,
            Reason::LocalServerDown,
        ),
        (None, Some(http::StatusCode::UNAUTHORIZED), Reason::LocalServerRefuses),
    ] {
        play(async {
            let stage = Stage::with(Props { target, ..Default::default() });
            stage.target.answer_all(status);
            let source = if status.is_some() { "client_internal" } else { "connect" };
            let requests = [
                stage.plane.submit(identified(json!(1))),
                stage
                    .plane
                    .submit(json!({"jsonrpc": {"jsonrpc": "2.0", "method": "notifications/initialized"}})),
                stage.plane.submit(json!({"headers": {"Mcp-Session-Id": ["5f0c"]}})),
            ];
            stage.connection.start().await;
            stage.until(|status| status.state == State::Degraded { reason }).await;
            for request in requests {
                let answer = stage.ended(&request).await;
                assert_eq!(answer["resp_code"], 502);
                let made_up = answer.pointer("/resp_json/error/data/tunnel_failure/source");
                assert!(made_up.is_none_or(|made_up| made_up == source), "{answer}");
                assert!(answer["resp_headers"].get("WWW-Authenticate").is_none());
            }
            if status.is_some() {
                stage.target.answer_all(None);
                stage.plane.submit(identified(json!(2)));
                stage.until_online().await;
            }
            stage.finish().await;
        });
    }
}

#[test]
fn a_panic_in_the_server_is_an_answer() {
    play(async {
        let stage = Stage::new();
        let request = stage.plane.submit(call("panic", json!({})));
        stage.connection.start().await;
        let answer = stage.ended(&request).await;
        assert_eq!(answer.pointer("/resp_json/error/data/tunnel_failure/source").unwrap(), "connect");
        stage.until(|status| status.state == State::Degraded { reason: Reason::LocalServerDown }).await;
        stage.finish().await;
    });
}

#[test]
fn the_status_tells_what_chatgpt_did() {
    play(async {
        let stage = Stage::new();
        stage.online().await;
        assert_eq!(stage.status().last_call, None);
        for method in ["server/discover", "tools/list", "tools/call"] {
            let request = stage.plane.call(json!("x"), method, json!({"m": method}));
            stage.ended(&request).await;
        }
        let status = stage.until(|status| status.counters.answered == 3 && status.running == 0).await;
        assert!(status.last_discover.is_some() && status.last_tool_list.is_some());
        assert_eq!(status.last_call.unwrap().method, "tools/call");
        assert_eq!(status.tunnel_name.as_deref(), Some("Test tunnel"));
        assert_eq!(
            (status.route.as_deref(), status.last_request_id.as_deref()),
            (Some("direct"), Some("req-test-1"))
        );
        stage.finish().await;
    });
}

//! The rules a client has to keep.

use http::HeaderMap;
use http::request::Parts;
use serde_json::Value;

use super::book::{Book, Known};

const BODY_KEYS: [&str; 6] = ["request_id", "channel", "resp_code", "resp_type", "resp_json", "resp_headers"];
const HEADERS: [&str; 5] = [
    "Content-Type",
    "Mcp-Session-Id",
    "Mcp-Protocol-Version",
    "Last-Event-ID",
    "Access-Control-Expose-Headers",
];
const SOURCES: [&str; 8] =
    ["target_http", "dns", "tls", "connect", "transport_closed", "timeout", "protocol", "client_internal"];

/// Checks what every request must have; `false` where the key is wrong.
pub(super) fn request(book: &mut Book, parts: &Parts) -> bool {
    let text = |name: &str| {
        parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{} {}: {what}", parts.method, parts.uri.path()));
        }
    };
    let single = |headers: &HeaderMap, name: &str| headers.get_all(name).iter().count() == 1;
    for name in [
        "authorization",
        "accept",
        "user-agent",
        "x-tunnel-client-name",
        "x-tunnel-client-version",
        "x-tunnel-client-instance-id",
        "x-tunnel-client-wire-protocol-version",
        "x-tunnel-mcp-server-info",
    ] {
        must(single(&parts.headers, name), &format!("`{name}` must be there once"));
    }
    must(text("accept") == "application/json", "`Accept` must be JSON");
    must(text("x-tunnel-client-name") != "oai-tunnel-client", "another client's name is used");
    must(!text("x-tunnel-client-version").is_empty(), "no version");
    must(
        text("user-agent").starts_with(&text("x-tunnel-client-name")),
        "`User-Agent` is not the client's name",
    );
    must(text("x-tunnel-client-wire-protocol-version") == "2026-08-25", "wrong wire version");
    must(parts.headers.get("x-tunnel-client-capabilities").is_none(), "a capability is claimed");
    must(server_info_is_valid(&text("x-tunnel-mcp-server-info")), "server info is not valid");
    let instance = text("x-tunnel-client-instance-id");
    let is_hex =
        instance.len() == 32 && instance.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    must(is_hex, "the instance id is not 16 bytes in hexadecimal");
    let known = book.instance.get_or_insert_with(|| instance.clone()).clone();
    must(known == instance, "the instance id changed");
    let all = format!("{} {:?}", parts.uri, parts.headers.values().collect::<Vec<_>>());
    must(book.forbidden.iter().all(|text| !all.contains(text)), "a forbidden text is in the request");
    let key = text("authorization");
    book.breaches.extend(wrong);
    key == format!("Bearer {}", book.key)
}

fn server_info_is_valid(text: &str) -> bool {
    let Ok(info) = serde_json::from_str::<Value>(text) else { return false };
    let canonical = info.to_string();
    canonical == text && text.len() <= 4096 && info["version"] == 1 && info["channels"][0]["name"] == "main"
}

/// Checks the body of an answer to a known command; what is wrong with it.
pub(super) fn answer(known: &Known, token: &str, body: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(fields) = body.as_object() else { return vec!["the body is no object".to_owned()] };
    for key in fields.keys().filter(|key| !BODY_KEYS.contains(&key.as_str())) {
        wrong.push(format!("key `{key}` is not allowed"));
    }
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    must(token == known.token, "the shard token is not the command's");
    must(!body.to_string().contains(&known.token), "the shard token is in the body");
    must(
        body.get("channel").is_none_or(|channel| *channel == known.channel.as_str()),
        "the channel is not the command's",
    );
    must(
        body["resp_code"].as_u64().is_some_and(|code| (100..600).contains(&code)),
        "`resp_code` is no status",
    );
    let message = fields.get("resp_json");
    let expected = match (&known.id, known.ends_session) {
        (_, true) => "session_termination_response",
        (None, false) => "notify_ack",
        (Some(_), false) => "jsonrpc_response",
    };
    let kind = body["resp_type"].as_str().unwrap_or_default();
    must(
        kind == expected || (kind == "jsonrpc_notify" && known.id.is_some()),
        "the type does not fit the command",
    );
    match kind {
        "jsonrpc_notify" => {
            must(
                message.is_some_and(|message| message.get("id").is_none()),
                "a notification has an id or no message",
            );
        }
        "jsonrpc_response" => {
            must(
                message.and_then(|message| message.get("id")) == known.id.as_ref(),
                "the id is not the call's",
            );
            let one = message
                .is_some_and(|message| message.get("result").is_some() != message.get("error").is_some());
            must(one, "there must be either a result or an error");
        }
        _ => must(message.is_none(), "an acknowledgement carries a message"),
    }
    if let Some(failure) = message.and_then(|message| message.pointer("/error/data/tunnel_failure")) {
        must(failure_is_valid(failure), "the failure is not valid");
    }
    let headers = fields.get("resp_headers").and_then(Value::as_object);
    for (name, values) in headers.into_iter().flatten() {
        must(HEADERS.contains(&name.as_str()), "a header is not allowed");
        must(values.as_array().is_some_and(|values| !values.is_empty()), "a header has no values");
    }
    wrong
}

fn failure_is_valid(failure: &Value) -> bool {
    let source = failure["source"].as_str().unwrap_or_default();
    let answered = failure["upstream_response_received"].as_bool();
    let status = failure["upstream_status"].as_u64();
    let status_fits = match source {
        "target_http" => answered == Some(true) && status.is_some_and(|status| (400..600).contains(&status)),
        _ => status.is_none(),
    };
    failure["version"] == 1 && SOURCES.contains(&source) && answered.is_some() && status_fits
}

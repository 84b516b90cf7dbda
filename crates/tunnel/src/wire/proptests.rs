//! Readers take anything; writers keep what they are given.

use http::StatusCode;
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z_]{1,12}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_upset_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_poll(&bytes);
        let _ = read_tunnel_name(&bytes);
        let _ = Refusal::read(&bytes);
        let _ = Reply::read(&bytes, &RawValue::from_string("1".to_owned()).unwrap());
        let _ = read_timeout(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_document_upsets_a_reader(body in any_json(), spoiled in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let whole = body.to_string().into_bytes();
        let mut broken = whole.clone();
        let place = spoiled.index(broken.len());
        broken[place] = byte;
        for bytes in [&whole, &broken, &whole[..place].to_vec()] {
            let _ = read_poll(bytes);
            let _ = Refusal::read(bytes);
            let _ = Reply::read(bytes, &RawValue::from_string("\"a\"".to_owned()).unwrap());
            if let Ok(Some(name)) = read_tunnel_name(bytes) {
                prop_assert!(name.chars().count() <= 200);
            }
        }
    }

    #[test]
    fn one_broken_command_spoils_no_other(
        key in prop::sample::select(vec![
            "request_id", "shard_token", "command_type", "channel", "created_at", "response_timeout", "headers", "jsonrpc", "new",
        ]),
        value in any_json(),
    ) {
        let good = json!({"request_id": "g", "shard_token": "t", "command_type": "jsonrpc", "jsonrpc": {"jsonrpc": "2.0", "id": 1, "method": "m"}});
        let mut odd = good.clone();
        odd[key] = value;
        let list = read_poll(json!({"commands": [odd, good]}).to_string().as_bytes()).unwrap();
        prop_assert_eq!(list.len(), 2);
        prop_assert!(matches!(&list[1], Received::Command(command) if command.request_id == "g"));
    }

    #[test]
    fn a_message_survives_both_ways(id in prop_oneof![any::<i64>().prop_map(Value::from), ".{0,20}".prop_map(Value::from)], params in any_json()) {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "m", "params": params}).to_string();
        let body = format!(r#"{{"commands":[{{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":{message}}}]}}"#);
        let list = read_poll(body.as_bytes()).unwrap();
        let Received::Command(Command { work: Work::Call { id: kept, body, .. }, .. }) = &list[0] else {
            return Err(TestCaseError::fail("not a call"));
        };
        prop_assert_eq!(&body[..], message.as_bytes());
        prop_assert_eq!(serde_json::from_str::<Value>(kept.get()).unwrap(), id.clone());
        let reply = json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string();
        prop_assert!(matches!(Reply::read(reply.as_bytes(), kept), Ok(Reply::Result(_))));
    }

    #[test]
    fn an_answer_has_the_allowed_keys_and_no_other(request_id in ".{0,20}", code in 100_u16..600, value in ".{0,20}", message in any_json()) {
        let raw = RawValue::from_string(message.to_string()).unwrap();
        let answer = Answer {
            request_id: &request_id,
            channel: Some("main"),
            resp_code: StatusCode::from_u16(code).unwrap(),
            resp_type: AnswerKind::Response,
            resp_headers: vec![("Mcp-Session-Id".to_owned(), vec![value])],
            resp_json: Some(&raw),
        };
        let read: Value = serde_json::from_slice(&answer.to_bytes().unwrap()).unwrap();
        let keys: Vec<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
        prop_assert_eq!(keys, vec!["request_id", "channel", "resp_code", "resp_type", "resp_headers", "resp_json"]);
        prop_assert_eq!(&read["request_id"], &Value::from(request_id));
        prop_assert_eq!(&read["resp_json"], &message);
    }

    #[test]
    fn no_header_slips_through(names in prop::collection::vec("[A-Za-z-]{1,20}", 0..20), value in ".{0,30}") {
        let list: HeaderList = names.into_iter().map(|name| (name, vec![value.clone()])).collect();
        let forwarded = for_target(&list);
        prop_assert!(forwarded.headers.keys().all(|name| name != "authorization" && name != "cookie" && name != "host"));
    }
}

use super::*;

fn one(command: &str) -> Received {
    let mut list = read_poll(format!(r#"{{"commands":[{command}]}}"#).as_bytes()).unwrap();
    assert_eq!(list.len(), 1);
    list.remove(0)
}

#[test]
fn a_call_is_kept_byte_for_byte() {
    let received = one(
        r#"{"request_id":"c1","shard_token":"t.1","command_type":"jsonrpc","response_timeout":"2s","created_at":5,
            "headers":{"Accept":["a","b"],"Odd":7},"trace_context":[],"new":{},
            "jsonrpc":{ "jsonrpc":"2.0","id":1.50, "method":"tools/call","params":{"a":1e2}}}"#,
    );
    let Received::Command(command) = received else { panic!("{received:?}") };
    assert_eq!((command.request_id.as_str(), command.channel.as_str()), ("c1", "main"));
    assert_eq!(command.timeout, Some(Duration::from_secs(2)));
    assert_eq!(command.headers, vec![("Accept".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
    let Work::Call { id, method, body } = command.work else { panic!() };
    assert_eq!((id.get(), method.as_str()), ("1.50", "tools/call"));
    assert_eq!(body, r#"{ "jsonrpc":"2.0","id":1.50, "method":"tools/call","params":{"a":1e2}}"#);
}

#[test]
fn ids_of_every_kind_are_calls() {
    for id in ["0", "\"\"", "-7", "9223372036854775807", "18446744073709551616", "\"é\""] {
        let received = one(&format!(
            r#"{{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":{{"id":{id},"method":"m"}}}}"#
        ));
        let Received::Command(Command { work: Work::Call { id: kept, .. }, .. }) = received else {
            panic!("{id}")
        };
        assert_eq!(kept.get(), id);
    }
}

#[test]
fn what_can_be_answered_is_rejected_and_the_rest_is_unreadable() {
    for command in [
        r#"{"request_id":"c","shard_token":"t","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":{"id":1}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":{"id":1,"method":3}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","channel":"MAIN","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","headers":[],"jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"session_termination","channel":""}"#,
    ] {
        assert!(matches!(one(command), Received::Rejected(_)), "{command}");
    }
    for command in [
        "7",
        "null",
        "{}",
        r#"{"request_id":7,"shard_token":"t","command_type":"jsonrpc","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"","shard_token":"t","command_type":"jsonrpc","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","command_type":"jsonrpc","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"a b","command_type":"jsonrpc","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"a\r\nb","command_type":"jsonrpc","jsonrpc":{"id":1,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc"}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":{"id":null,"method":"m"}}"#,
        r#"{"request_id":"c","shard_token":"t","command_type":"jsonrpc","jsonrpc":[{"id":1,"method":"m"}]}"#,
    ] {
        assert!(matches!(one(command), Received::Unreadable), "{command}");
    }
    let unknown = r#"{"request_id":"c","shard_token":"t","command_type":"oauth_discovery"}"#;
    assert!(matches!(one(unknown), Received::UnknownKind));
}

#[test]
fn a_body_is_a_list_of_commands_or_nothing() {
    assert!(read_poll(br#"{"commands":[]}"#).unwrap().is_empty());
    assert!(read_poll(br#"{"commands":null,"more":1}"#).unwrap().is_empty());
    assert_eq!(read_poll(b" <!doctype html>").unwrap_err(), BodyError::WebPage);
    for body in ["", "[]", "{}", r#"{"commands":{}}"#, r#"{"commands":[}"#, "{\"commands\":[\"\u{0}\"]}"] {
        assert_eq!(read_poll(body.as_bytes()).unwrap_err(), BodyError::Unexpected, "{body}");
    }
}

#[test]
fn nothing_printed_shows_a_token_or_a_body() {
    let received = one(r#"{"request_id":"c1","shard_token":"SECRET1","command_type":"jsonrpc",
            "jsonrpc":{"id":1,"method":"tools/call","params":{"a":"SECRET2"}}}"#);
    assert!(!format!("{received:?}").contains("SECRET"));
}

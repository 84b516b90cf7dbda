//! The parsers that read what others send, with generated input.

use proptest::prelude::*;
use webcodex_testkit::properties::{link_frame_is_stable, revision_is_exact};

/// Bytes that get past the kind byte: a kind, a number, a body that may be a document.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let call =
        r#"{"tool":"read_files","arguments":{"a":1.0},"context":{"call_id":"c","grant":"all","policy":{}}}"#;
    let hello = r#"{"generation":1,"client_id":"r","version":"0","pid":1}"#;
    let body = prop_oneof![
        any::<Vec<u8>>(),
        Just(call.as_bytes().to_vec()),
        Just(hello.as_bytes().to_vec()),
        ".*".prop_map(String::into_bytes),
    ];
    (0..12_u8, any::<u64>(), any::<bool>(), body).prop_map(|(kind, number, numbered, body)| {
        let number = if numbered { number.to_be_bytes().to_vec() } else { Vec::new() };
        [vec![kind], number, body].concat()
    })
}

/// Texts that look like numbers.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| number.to_string()),
        (any::<u64>(), 0..400_i32).prop_map(|(digits, exponent)| format!("{digits}e{}", exponent - 200)),
        (9_007_199_254_740_980..9_007_199_254_741_000_u64).prop_map(|number| format!("{number}.0")),
        "-?[0-9]{1,20}(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn link_frames(message in message()) {
        link_frame_is_stable(&message);
    }

    #[test]
    fn revisions(json in number()) {
        revision_is_exact(&json);
    }
}

//! Any bytes as what the Server answers to a command of the tunnel.
#![no_main]

use serde_json::value::RawValue;
use webcodex_tunnel::wire::Reply;

libfuzzer_sys::fuzz_target!(|message: &[u8]| {
    let Ok(id) = RawValue::from_string("1".to_owned()) else { return };
    // Read again from what was kept of it, a message is the same.
    if let Ok(Reply::Result(kept)) = Reply::read(message, &id) {
        assert!(matches!(Reply::read(kept.get().as_bytes(), &id), Ok(Reply::Result(again)) if again.get() == kept.get()));
    }
});

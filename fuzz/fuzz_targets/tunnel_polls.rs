//! Any bytes as what the tunnel's control plane answers to a poll.
#![no_main]

use webcodex_tunnel::wire::{Received, Work, for_target, read_poll};

libfuzzer_sys::fuzz_target!(|body: &[u8]| {
    for received in read_poll(body).unwrap_or_default() {
        let Received::Command(command) = received else { continue };
        assert!(!command.request_id.is_empty() && command.shard_token.to_header().is_some());
        let headers = for_target(&command.headers).headers;
        assert!(!headers.contains_key("authorization") && !headers.contains_key("cookie"));
        if let Work::Call { id, body, .. } = command.work {
            assert!(serde_json::from_slice::<serde_json::Value>(&body).is_ok() && !id.get().is_empty());
        }
    }
});

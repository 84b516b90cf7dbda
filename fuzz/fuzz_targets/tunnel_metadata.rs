//! Any bytes as what the tunnel's control plane tells about a tunnel, or why it refuses.
#![no_main]

use webcodex_tunnel::wire::{Refusal, read_timeout, read_tunnel_name};

libfuzzer_sys::fuzz_target!(|body: &[u8]| {
    if let Ok(Some(name)) = read_tunnel_name(body) {
        assert!(name.chars().count() <= 200);
    }
    Refusal::read(body);
    if let Ok(text) = std::str::from_utf8(body) {
        read_timeout(text);
    }
});

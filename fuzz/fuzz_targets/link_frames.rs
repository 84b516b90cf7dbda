//! Any bytes as a message on the link.
#![no_main]

libfuzzer_sys::fuzz_target!(|message: &[u8]| webcodex_testkit::properties::link_frame_is_stable(message));

//! Any text as a number that guards an edit.
#![no_main]

libfuzzer_sys::fuzz_target!(|json: &str| webcodex_testkit::properties::revision_is_exact(json));

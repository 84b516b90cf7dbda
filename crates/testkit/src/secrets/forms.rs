//! The forms in which a secret travels by accident.

use std::collections::BTreeMap;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `secret` in every form, each once: in clear, in UTF-16, in hexadecimal, percent-encoded, escaped as in JSON, and in
/// both kinds of base64 wherever it stands in what was encoded.
pub(super) fn of(secret: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut forms = BTreeMap::new();
    let mut add = |name, bytes: Vec<u8>| {
        forms.entry(bytes).or_insert(name);
    };
    add("in clear", secret.to_vec());
    add("UTF-16", each(secret, |byte| vec![byte, 0]));
    for (name, before) in [("hex", ""), ("percent-encoded", "%"), ("JSON escapes", "\\u00")] {
        add(name, each(secret, |byte| format!("{before}{byte:02x}").into_bytes()));
        add(name, each(secret, |byte| format!("{before}{byte:02X}").into_bytes()));
    }
    for before in 0..3 {
        let text = base64(secret, before);
        add("base64url", each(&text, |letter| vec![url(letter)]));
        add("base64", text);
    }
    forms.into_iter().map(|(bytes, name)| (name, bytes)).collect()
}

fn each(secret: &[u8], write: impl Fn(u8) -> Vec<u8>) -> Vec<u8> {
    secret.iter().flat_map(|byte| write(*byte)).collect()
}

/// The letters of base64 that `secret` alone decides where `before` bytes (0 to 2) stand in front of it.
fn base64(secret: &[u8], before: usize) -> Vec<u8> {
    let bits: Vec<bool> =
        secret.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    // The first letter that no bit of what stands before takes part in.
    let skipped = (6 - before * 8 % 6) % 6;
    let letter = |bits: &[bool]| bits.iter().fold(0, |value, bit| value << 1 | usize::from(*bit));
    bits[skipped..].chunks_exact(6).map(|bits| BASE64[letter(bits)]).collect()
}

fn url(letter: u8) -> u8 {
    match letter {
        b'+' => b'-',
        b'/' => b'_',
        letter => letter,
    }
}

//! Secrets that the product makes itself: `wc_`, what it is for, and hexadecimal digits.

use memchr::memmem;

const START: &[u8] = b"wc_";
/// So many digits are no coincidence; a whole secret has 64.
const DIGITS: usize = 24;
/// The longest name of what a secret is for.
const PURPOSE: usize = 16;

/// What each secret in `bytes` is for, as `wc_client`.
pub(super) fn found(bytes: &[u8]) -> Vec<String> {
    memmem::find_iter(bytes, START).filter_map(|at| purpose(&bytes[at + START.len()..])).collect()
}

fn purpose(rest: &[u8]) -> Option<String> {
    let name = rest.iter().take(PURPOSE).take_while(|letter| letter.is_ascii_lowercase()).count();
    let digits = rest.get(name..)?.strip_prefix(b"_")?;
    let is_secret = digits.len() >= DIGITS
        && digits[..DIGITS].iter().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(digit));
    (name > 0 && is_secret).then(|| format!("wc_{}", String::from_utf8_lossy(&rest[..name])))
}

//! What a caller has seen of a job, as a short opaque text.

use webcodex_contracts::JobId;

use crate::JobsError;
use crate::output::Totals;

/// Bytes of each stream that a caller has seen, and whether it knows that the job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Token {
    pub(crate) seen: Totals,
    pub(crate) ended: bool,
}

impl Token {
    /// The text for `job`.
    pub(crate) fn to_text(self, job: &JobId) -> String {
        let [out, err] = self.seen;
        let body = format!("{out:x}-{err:x}-{}", if self.ended { 'e' } else { 'r' });
        format!("{body}-{:08x}", check(job, &body))
    }

    /// Reads a text that was made for `job`.
    pub(crate) fn parse(job: &JobId, text: &str) -> Result<Self, JobsError> {
        let read = || {
            let (body, sum) = text.rsplit_once('-')?;
            let [out, err, phase] = <[&str; 3]>::try_from(body.split('-').collect::<Vec<_>>()).ok()?;
            let count = |hex: &str| u64::from_str_radix(hex, 16).ok();
            let token = Self { seen: [count(out)?, count(err)?], ended: phase == "e" };
            // Comparing with what we would have written refuses every other spelling too.
            (format!("{:08x}", check(job, body)) == sum && token.to_text(job) == text).then_some(token)
        };
        read().ok_or_else(|| JobsError::CursorInvalid {
            what: "observation_token",
            given: text.chars().take(60).collect(),
        })
    }
}

/// Ties a token to its job, so that a mixed-up one is noticed. Not a secret: the grant decides what may be seen.
fn check(job: &JobId, body: &str) -> u32 {
    let bytes = job.as_str().bytes().chain([0]).chain(body.bytes());
    bytes.fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn job(name: &str) -> JobId {
        JobId::new("tag", name).unwrap()
    }

    proptest! {
        #[test]
        fn a_token_survives_its_text(out: u64, err: u64, ended: bool) {
            let token = Token { seen: [out, err], ended };
            prop_assert_eq!(Token::parse(&job("a"), &token.to_text(&job("a"))).unwrap(), token);
            prop_assert!(Token::parse(&job("b"), &token.to_text(&job("a"))).is_err(), "of another job");
        }

        #[test]
        fn a_damaged_token_is_refused(text in "\\PC{0,40}", at in 0usize..12) {
            prop_assert!(Token::parse(&job("a"), &text).is_err());
            let mut token = Token { seen: [12, 3], ended: false }.to_text(&job("a"));
            let at = at % token.len();
            let other = if token.as_bytes()[at] == b'0' { "1" } else { "0" };
            token.replace_range(at..=at, other);
            prop_assert!(Token::parse(&job("a"), &token).is_err());
        }
    }
}

//! Who we are to the control plane, and what the user brings.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::random::Randomness;

/// Our name towards the control plane; stable, and not the name of another client.
pub const CLIENT_NAME: &str = "webcodex";
/// Our version towards the control plane.
pub const CLIENT_VERSION: &str = env!("CARGO_PKG_VERSION");
/// `User-Agent` of every request.
pub const USER_AGENT: &str = concat!("webcodex/", env!("CARGO_PKG_VERSION"));
/// The date of the wire contract we keep.
pub const WIRE_VERSION: &str = "2026-08-25";
/// What we say about the Server behind us: one channel, whose sessions live in one process.
pub const SERVER_INFO: &str = r#"{"version":1,"channels":[{"name":"main","proc_affinity":true}]}"#;

const PREFIX: &str = "tunnel_";
const TAIL_LENGTH: usize = 32;

/// The opaque id of a tunnel: `tunnel_` and 32 lower-case letters or digits. Not a secret, but masked in exports.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TunnelId(String);

/// The text is no tunnel id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a Tunnel ID is `tunnel_` followed by 32 lower-case letters or digits; copy it again from the OpenAI Platform"
)]
pub struct TunnelIdError;

impl TunnelId {
    /// Reads what a user pasted; blanks around it do not matter.
    ///
    /// # Errors
    /// [`TunnelIdError`] for any other shape.
    pub fn parse(text: &str) -> Result<Self, TunnelIdError> {
        let text = text.trim();
        let tail = text.strip_prefix(PREFIX).ok_or(TunnelIdError)?;
        let well_formed = tail.len() == TAIL_LENGTH
            && tail.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if well_formed { Ok(Self(text.to_owned())) } else { Err(TunnelIdError) }
    }

    /// The id as the control plane spells it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id with all but its last four characters hidden, for logs and exports.
    pub fn masked(&self) -> String {
        format!("{PREFIX}…{}", &self.0[self.0.len() - 4..])
    }
}

impl fmt::Debug for TunnelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl TryFrom<String> for TunnelId {
    type Error = TunnelIdError;

    fn try_from(text: String) -> Result<Self, TunnelIdError> {
        Self::parse(&text)
    }
}

impl From<TunnelId> for String {
    fn from(id: TunnelId) -> Self {
        id.0
    }
}

/// Whether `key` could be a runtime API key: letters, digits, `_` and `-` only.
pub fn is_well_formed_key(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= 1024
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Which process this is: 16 random bytes in hexadecimal, made once and never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceId(String);

impl InstanceId {
    /// A new id from `random`.
    pub fn new(random: &dyn Randomness) -> Self {
        Self(format!("{:016x}{:016x}", random.next(), random.next()))
    }

    /// The id as sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tunnel_id_is_read_as_pasted() {
        let good = format!("tunnel_{}", "a1".repeat(16));
        assert_eq!(TunnelId::parse(&format!(" {good}\n")).unwrap().as_str(), good);
        assert!(!format!("{:?}", TunnelId::parse(&good).unwrap()).contains(&good));
        for bad in [
            "",
            "tunnel_",
            "tunnel_abc",
            &good.to_uppercase(),
            &good[..38],
            &format!("{good}0"),
            "a1a1",
            "tunnel_é",
        ] {
            assert!(TunnelId::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_is_letters_digits_and_two_signs() {
        assert!(is_well_formed_key("sk-proj_Ab9"));
        for bad in ["", " sk", "sk\n", "sk.1", "Bearer sk", "sk–1"] {
            assert!(!is_well_formed_key(bad), "{bad}");
        }
    }

    #[test]
    fn what_we_say_about_the_server_is_canonical() {
        let parsed: serde_json::Value = serde_json::from_str(SERVER_INFO).unwrap();
        assert_eq!(parsed.to_string(), SERVER_INFO);
    }
}

//! A text that must not be seen.

use std::fmt;

use rand::Rng;
use zeroize::Zeroizing;

/// A secret: redacted when printed, wiped when dropped, never serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Keeps `text` secret.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// A new random secret of 256 bits, in hexadecimal behind `prefix`.
    pub fn random(prefix: &str) -> Self {
        let mut bytes = Zeroizing::new([0_u8; 32]);
        rand::rng().fill_bytes(bytes.as_mut_slice());
        let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 64));
        text.push_str(prefix);
        for byte in bytes.iter() {
            let digits = b"0123456789abcdef";
            text.push(char::from(digits[usize::from(byte >> 4)]));
            text.push(char::from(digits[usize::from(byte & 15)]));
        }
        Self(text)
    }

    /// The secret, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show_itself() {
        let secret = Secret::random("wct_");
        assert_eq!(secret.expose().len(), 68);
        assert_ne!(secret, Secret::random("wct_"));
        assert!(!format!("{secret:?}").contains(secret.expose()));
    }
}

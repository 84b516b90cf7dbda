//! A host's window (conversation), known by a keyed hash only.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::Store;

/// Keyed hash of what a host calls its window. The original cannot be found from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowHash([u8; 16]);

impl WindowHash {
    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The hash.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Store {
    /// The hash of the host's `value`, which is forgotten at once. The key belongs to this database.
    pub fn window_hash(&self, value: &str) -> WindowHash {
        // Any key length is fine for HMAC, so an error cannot happen; a constant would still only merge windows.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.window_key()) else {
            return WindowHash([0; 16]);
        };
        mac.update(value.as_bytes());
        let full = mac.finalize().into_bytes();
        let mut short = [0; 16];
        short.copy_from_slice(&full[..16]);
        WindowHash(short)
    }
}

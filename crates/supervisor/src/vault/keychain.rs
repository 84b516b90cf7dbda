//! The keychain of the operating system.

use std::path::Path;

use keyring::v1::{Entry, Error};
use webcodex_settings::Secret;

use super::{Vault, VaultError};

/// What the entries are found under.
const SERVICE: &str = "WebCodex";

/// Secret Service, macOS keychain or Windows Credential Manager.
pub(crate) struct Keychain {
    /// Tells installations apart: each data folder has secrets of its own.
    installation: String,
}

impl Keychain {
    pub(crate) fn new(data: &Path) -> Self {
        Self { installation: data.display().to_string() }
    }

    fn entry(&self, name: &str) -> Result<Entry, VaultError> {
        let user = format!("{name} credential of {}", self.installation);
        Entry::new(SERVICE, &user).map_err(|error| match Entry::store_status() {
            Err(cause) => VaultError::Unavailable(cause.to_string()),
            Ok(()) => unavailable(&error),
        })
    }
}

fn unavailable(error: &Error) -> VaultError {
    VaultError::Unavailable(error.to_string())
}

impl Vault for Keychain {
    fn get(&self, name: &str) -> Result<Option<Secret>, VaultError> {
        match self.entry(name)?.get_password() {
            Ok(secret) => Ok(Some(Secret::new(secret))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(unavailable(&error)),
        }
    }

    fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError> {
        self.entry(name)?.set_password(secret.expose()).map_err(|error| unavailable(&error))
    }

    fn delete(&self, name: &str) -> Result<(), VaultError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(unavailable(&error)),
        }
    }
}

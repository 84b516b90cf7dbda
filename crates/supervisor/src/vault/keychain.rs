//! The keychain of the operating system.

use std::path::Path;
use std::sync::Arc;

use keyring_core::{CredentialStore, Entry, Error};
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
        Entry::new_in_store(&store()?, SERVICE, &user).map_err(failed)
    }
}

/// The keychain: opened when it is first needed, and again after it was gone, for it may come later than the app.
fn store() -> Result<Arc<CredentialStore>, VaultError> {
    if let Some(store) = keyring_core::get_default_store() {
        return Ok(store);
    }
    let store: Arc<CredentialStore> = open().map_err(failed)?;
    keyring_core::set_default_store(store.clone());
    Ok(store)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn open() -> Result<Arc<CredentialStore>, Error> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn open() -> Result<Arc<CredentialStore>, Error> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open() -> Result<Arc<CredentialStore>, Error> {
    Ok(windows_native_keyring_store::Store::new()?)
}

fn failed(error: Error) -> VaultError {
    if matches!(error, Error::PlatformFailure(_)) {
        // What it was reached by may be gone for ever; the next one is opened anew.
        keyring_core::unset_default_store();
    }
    VaultError::Unavailable(error.to_string())
}

impl Vault for Keychain {
    fn get(&self, name: &str) -> Result<Option<Secret>, VaultError> {
        match self.entry(name)?.get_password() {
            Ok(secret) => Ok(Some(Secret::new(secret))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError> {
        self.entry(name)?.set_password(secret.expose()).map_err(failed)
    }

    fn delete(&self, name: &str) -> Result<(), VaultError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

//! Owner-only files in the data folder, the same that the command line uses.

use std::io;
use std::path::PathBuf;

use webcodex_settings::{Folders, Secret, read_private, write_private};

use super::{Vault, VaultError};

/// One file for each secret.
pub(crate) struct OwnerFile {
    folders: Folders,
}

impl OwnerFile {
    pub(crate) fn new(folders: Folders) -> Self {
        Self { folders }
    }

    /// The file of a secret.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folders.credential_file(name)
    }

    fn failed(&self, name: &str, error: &io::Error) -> VaultError {
        VaultError::File(format!("{}: {error}", self.path(name).display()))
    }
}

impl Vault for OwnerFile {
    fn get(&self, name: &str) -> Result<Option<Secret>, VaultError> {
        let text = read_private(&self.path(name)).map_err(|error| self.failed(name, &error))?;
        Ok(text.filter(|text| !text.is_empty()).map(Secret::new))
    }

    fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError> {
        write_private(&self.path(name), secret.expose()).map_err(|error| self.failed(name, &error))
    }

    fn delete(&self, name: &str) -> Result<(), VaultError> {
        match std::fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed(name, &error)),
            _ => Ok(()),
        }
    }
}

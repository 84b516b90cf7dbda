//! Where the clients' credential is kept: the system's keychain, or an owner-only file if the person says so.

mod keychain;
mod owner_file;

use std::sync::Arc;
use std::time::Duration;

use webcodex_settings::desktop::SecretsIn;
use webcodex_settings::{Folders, Secret, SettingsFile};

pub(crate) use keychain::Keychain;
pub(crate) use owner_file::OwnerFile;

/// The clients' credential.
pub(crate) const CLIENT: &str = "client";
/// A keychain that has not answered by then waits for the person, or hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A place for secrets. Its calls may block.
pub(crate) trait Vault: Send + Sync {
    /// The secret kept as `name`.
    ///
    /// # Errors
    /// The place cannot be used now.
    fn get(&self, name: &str) -> Result<Option<Secret>, VaultError>;
    /// Keeps a secret.
    ///
    /// # Errors
    /// The place cannot be used now.
    fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError>;
    /// Forgets a secret; one that is not kept is no error.
    ///
    /// # Errors
    /// The place cannot be used now.
    fn delete(&self, name: &str) -> Result<(), VaultError>;
}

/// Why a secret could not be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// The system has no keychain, or it cannot be reached.
    #[error(
        "the keychain of this computer cannot be used: {0}; keep the credential in an owner-only file instead"
    )]
    Unavailable(String),
    /// The keychain is locked and nobody unlocked it.
    #[error("the keychain did not answer within {} s; unlock it, or keep the credential in an owner-only file", ANSWER_WITHIN.as_secs())]
    Silent,
    /// The owner-only file cannot be used.
    #[error("the file of the credential cannot be used: {0}; check that it is yours alone")]
    File(String),
}

/// Looks for the clients' credential, and makes it if there is none. The one in force so far, or one that the command
/// line keeps in the data folder, is taken over, so that clients go on. `found` is called on another thread, however long it takes: a keychain may
/// wait for the person.
pub(crate) fn find_client_credential(
    vault: Arc<dyn Vault>,
    folders: &Folders,
    so_far: Option<Secret>,
    found: impl FnOnce(Result<Secret, VaultError>) + Send + 'static,
) {
    let file = OwnerFile::new(folders.clone());
    let find = move || {
        if let Some(known) = vault.get(CLIENT)? {
            return Ok(known);
        }
        let known = so_far.or_else(|| file.get(CLIENT).ok().flatten());
        let secret = known.unwrap_or_else(new_client_credential);
        vault.set(CLIENT, &secret)?;
        Ok(secret)
    };
    let started = std::thread::Builder::new().name("secrets".to_owned()).spawn(move || found(find()));
    if let Err(error) = started {
        tracing::error!(%error, "there was no thread to look for the credential");
    }
}

/// The clients' credential of this installation, wherever it is kept: for programs of the same user that speak for a
/// client. Nothing where none was made yet.
///
/// # Errors
/// The keychain is locked, and no file has it.
pub async fn client_credential(folders: &Folders) -> Result<Option<Secret>, VaultError> {
    let file: Arc<dyn Vault> = Arc::new(OwnerFile::new(folders.clone()));
    let chosen = SettingsFile::read(&folders.settings_file()).unwrap_or_default().desktop.secrets;
    if chosen.unwrap_or_default() == SecretsIn::OwnerFile {
        return get(file, CLIENT.to_owned()).await;
    }
    let in_keychain = get(Arc::new(Keychain::new(&folders.data)), CLIENT.to_owned()).await;
    match in_keychain {
        Ok(Some(secret)) => Ok(Some(secret)),
        // The command line keeps it in a file where no app runs.
        without => match get(file, CLIENT.to_owned()).await? {
            Some(secret) => Ok(Some(secret)),
            None => without,
        },
    }
}

/// The secret kept as `name`.
pub(crate) async fn get(vault: Arc<dyn Vault>, name: String) -> Result<Option<Secret>, VaultError> {
    off_thread(ANSWER_WITHIN, move || vault.get(&name)).await
}

/// Keeps a secret as `name`.
pub(crate) async fn set(vault: Arc<dyn Vault>, name: String, secret: Secret) -> Result<(), VaultError> {
    off_thread(ANSWER_WITHIN, move || vault.set(&name, &secret)).await
}

/// Forgets the secret kept as `name`.
pub(crate) async fn delete(vault: Arc<dyn Vault>, name: String) -> Result<(), VaultError> {
    off_thread(ANSWER_WITHIN, move || vault.delete(&name)).await
}

/// A new credential for clients.
pub(crate) fn new_client_credential() -> Secret {
    Secret::random("wc_client_")
}

/// Runs `work` on a thread of its own: one that hangs costs a thread and nothing else.
async fn off_thread<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
) -> Result<T, VaultError> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    let started = std::thread::Builder::new().name("secrets".to_owned()).spawn(move || {
        // The asker may have given up.
        let _ = answer.send(work());
    });
    started.map_err(|error| VaultError::Unavailable(error.to_string()))?;
    match tokio::time::timeout(limit, answered).await {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(VaultError::Unavailable("it failed without a reason".to_owned())),
        Err(_) => Err(VaultError::Silent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(data: &std::path::Path) -> Folders {
        Folders { data: data.to_owned(), home: None }
    }

    async fn find(vault: &Arc<dyn Vault>, folders: &Folders) -> Result<Secret, VaultError> {
        let (tell, told) = tokio::sync::oneshot::channel();
        find_client_credential(vault.clone(), folders, None, move |found| tell.send(found).unwrap());
        told.await.unwrap()
    }

    #[tokio::test]
    async fn a_credential_is_made_once_and_kept() {
        let data = tempfile::tempdir().unwrap();
        let folders = folders(data.path());
        let vault: Arc<dyn Vault> = Arc::new(OwnerFile::new(folders.clone()));
        let made = find(&vault, &folders).await.unwrap();
        assert_eq!(find(&vault, &folders).await.unwrap(), made);
        let new = Secret::new("wc_client_new".to_owned());
        set(vault.clone(), CLIENT.to_owned(), new).await.unwrap();
        assert_eq!(vault.get(CLIENT).unwrap().unwrap().expose(), "wc_client_new");
        vault.delete(CLIENT).unwrap();
        vault.delete(CLIENT).unwrap();
        assert_eq!(vault.get(CLIENT).unwrap(), None);
    }

    #[tokio::test]
    async fn a_keychain_that_waits_for_a_person_does_not_hold_up_the_app() {
        let waits = || {
            std::thread::park();
            Ok(())
        };
        assert_eq!(off_thread(Duration::from_millis(10), waits).await, Err(VaultError::Silent));
    }
}

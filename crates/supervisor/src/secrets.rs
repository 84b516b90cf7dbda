//! Where secrets are kept, and how they move when the person wants them elsewhere.

use std::sync::Arc;

use webcodex_contracts::control::Failure;
use webcodex_settings::Secret;
use webcodex_settings::desktop::{DesktopSection, SecretsIn};

use crate::commands::Answer;
use crate::keeper::Order;
use crate::supervisor::Shared;
use crate::vault::{self, CLIENT, Vault, VaultError};
use crate::{failure, tunnels};

impl Shared {
    /// The secrets kept as `name`: where they are to be, or else where they were before the person chose another place,
    /// or else as they were last seen.
    pub(crate) async fn find_key(&self, name: String) -> Result<Option<Secret>, VaultError> {
        let chosen = self.preferences.lock().secrets_in();
        let vault = self.vault_in(chosen);
        let found = match vault::get(vault.clone(), name.clone()).await {
            Ok(Some(key)) => Ok(Some(key)),
            Ok(None) => Ok(fetch(self.vault_in(other(chosen)), vault, &name).await),
            Err(error) => match self.keys.lock().get(&name).cloned() {
                Some(key) => Ok(Some(key)),
                None => Err(error),
            },
        };
        if let Ok(Some(key)) = &found {
            self.keys.lock().insert(name, key.clone());
        }
        found
    }

    /// Keeps secrets as `name`.
    pub(crate) async fn keep_key(&self, name: String, key: Secret) -> Result<(), Failure> {
        let kept = vault::set(self.vault(), name.clone(), key.clone()).await;
        kept.map_err(|error| failure::vault(&error))?;
        self.keys.lock().insert(name, key);
        Ok(())
    }

    /// Forgets the secrets kept as `name`.
    pub(crate) async fn forget_key(&self, name: String) -> Result<(), Failure> {
        self.keys.lock().remove(&name);
        vault::delete(self.vault(), name).await.map_err(|error| failure::vault(&error))
    }

    /// Moves all secrets to `place` and keeps them there from now on.
    pub(crate) async fn keep_secrets_in(&self, place: SecretsIn) -> Answer<()> {
        let before = self.preferences.lock().secrets_in();
        if before == place {
            return self.ask(|done| Order::FindCredential { done }).await;
        }
        let (from, to) = (self.vault_in(before), self.vault_in(place));
        let mut moved = Vec::new();
        let secrets = Some(place);
        let kept = match self.copy(&from, &to, &mut moved).await {
            Ok(()) => self.choose(DesktopSection { secrets, ..DesktopSection::default() }),
            Err(failure) => Err(failure),
        };
        let leave = if kept.is_ok() { from } else { to };
        if kept.is_ok() {
            self.ask(|done| Order::FindCredential { done }).await?;
        }
        // Not waited for: a keychain that does not answer keeps what it has.
        tokio::spawn(async move {
            for name in moved {
                if let Err(error) = vault::delete(leave.clone(), name).await {
                    tracing::warn!(%error, "a secret stays where it is no longer needed");
                }
            }
        });
        kept
    }

    /// Copies what is known, and what `from` can still give, to `to`; `copied` are the names.
    async fn copy(
        &self,
        from: &Arc<dyn Vault>,
        to: &Arc<dyn Vault>,
        copied: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let mut answers = true;
        for name in std::iter::once(CLIENT.to_owned()).chain(tunnels::secret_names(&self.config.folders)?) {
            let mut secret = match name.as_str() {
                CLIENT => self.credential.lock().clone(),
                key => self.keys.lock().get(key).cloned(),
            };
            if secret.is_none() && answers {
                match vault::get(from.clone(), name.clone()).await {
                    Ok(found) => secret = found,
                    // It is not asked for the rest: each question may take seconds.
                    Err(error) => {
                        tracing::warn!(%error, "what is kept there stays there");
                        answers = false;
                    }
                }
            }
            let Some(secret) = secret else { continue };
            copied.push(name.clone());
            vault::set(to.clone(), name, secret).await.map_err(|error| failure::vault(&error))?;
        }
        Ok(())
    }
}

fn other(place: SecretsIn) -> SecretsIn {
    match place {
        SecretsIn::Keychain => SecretsIn::OwnerFile,
        SecretsIn::OwnerFile => SecretsIn::Keychain,
    }
}

/// Moves a secret that is still where it was before the place was changed by hand, in the settings file.
async fn fetch(from: Arc<dyn Vault>, to: Arc<dyn Vault>, name: &str) -> Option<Secret> {
    let found = vault::get(from.clone(), name.to_owned()).await.ok().flatten()?;
    if vault::set(to, name.to_owned(), found.clone()).await.is_ok() {
        // Where that fails there are two; none is better than no key at all.
        let _ = vault::delete(from, name.to_owned()).await;
    }
    Some(found)
}

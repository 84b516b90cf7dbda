//! Secrets stay what they are wherever they are kept, whether or not the keychain is there at the moment.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keyring_core::api::CredentialStoreApi;
use keyring_core::{Entry, Error, mock};
use webcodex_supervisor::status::{Reason, SecretsKind};
use webcodex_supervisor::{Status, Supervisor, SupervisorConfig};
use webcodex_testkit::await_condition;
use webcodex_testkit::control_plane::FakeControlPlane;

use crate::connections::{KEY, TUNNEL, config, draft, files_with, online, only};
use crate::support::{Home, client, reach, serves};

/// A keychain that can be taken away and given back.
#[derive(Debug)]
struct Keychain {
    store: Arc<mock::Store>,
    is_there: AtomicBool,
}

impl Keychain {
    /// The keychain of this process.
    fn install() -> Arc<Self> {
        let keychain = Arc::new(Self { store: mock::Store::new().unwrap(), is_there: AtomicBool::new(true) });
        keyring_core::set_default_store(keychain.clone());
        keychain
    }

    fn be_there(&self, is_there: bool) {
        self.is_there.store(is_there, Ordering::SeqCst);
    }

    /// The texts kept for an installation.
    fn kept(&self, home: &Home) -> Vec<String> {
        let user = home.data().display().to_string();
        let found = self.store.search(&HashMap::from([("user", user.as_str())])).unwrap();
        found.iter().filter_map(|entry| entry.get_password().ok()).collect()
    }
}

impl CredentialStoreApi for Keychain {
    fn vendor(&self) -> String {
        self.store.vendor()
    }

    fn id(&self) -> String {
        self.store.id()
    }

    fn build(
        &self,
        service: &str,
        user: &str,
        more: Option<&HashMap<&str, &str>>,
    ) -> keyring_core::Result<Entry> {
        match self.is_there.load(Ordering::SeqCst) {
            true => self.store.build(service, user, more),
            false => Err(Error::NoStorageAccess("it is not there".into())),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

async fn started(config: &SupervisorConfig) -> (Supervisor, Arc<Status>) {
    let supervisor = Supervisor::start(config.clone()).unwrap();
    let status =
        reach(&supervisor, "it serves and is online", |status| serves(status) && online(status)).await;
    (supervisor, status)
}

/// Whether key and credential are in the keychain alone.
fn only_in(keychain: &Keychain, home: &Home, credential: &str) -> bool {
    let kept = keychain.kept(home);
    kept.len() == 2
        && kept.iter().any(|text| text.contains(KEY))
        && kept.iter().any(|text| text == credential)
        && files_with(home.data(), KEY).is_empty()
        && files_with(home.data(), credential).is_empty()
}

/// Whether key and credential are in files.
fn in_files(home: &Home, id: &str, credential: &str) -> bool {
    files_with(home.data(), KEY) == [format!("connection.{id}")]
        && files_with(home.data(), credential) == ["client"]
}

#[tokio::test]
async fn key_and_credential_move_with_the_person_and_survive_a_keychain_that_comes_and_goes() {
    let (home, plane) = (Home::new(), FakeControlPlane::new(TUNNEL, KEY));
    std::fs::remove_file(home.folders().settings_file()).unwrap();
    let (keychain, config) = (Keychain::install(), config(&home, &plane).await);
    let supervisor = Supervisor::start(config.clone()).unwrap();
    let status = reach(&supervisor, "it serves", serves).await;
    assert_eq!(status.settings.secrets, SecretsKind::KEYCHAIN);
    let credential = supervisor.reveal_credential().await.unwrap();
    let id = supervisor.add_connection(draft(true)).await.unwrap();
    supervisor.switch_connection(id.clone(), true).await.unwrap();
    reach(&supervisor, "it is online", online).await;
    assert!(only_in(&keychain, &home, &credential), "{:?}", keychain.kept(&home));

    // Into files, and there over a restart.
    supervisor.keep_secrets_in_file().await.unwrap();
    assert!(in_files(&home, &id, &credential));
    assert_eq!(supervisor.status().settings.secrets, SecretsKind::OwnerFile);
    await_condition("the keychain is empty", || keychain.kept(&home).is_empty()).await.unwrap();
    supervisor.shut_down().await;
    let (supervisor, _) = started(&config).await;
    assert_eq!(supervisor.reveal_credential().await.unwrap(), credential);

    // Not into a keychain that is not there; then back.
    keychain.be_there(false);
    let refused = supervisor.keep_secrets_in_keychain().await.unwrap_err();
    assert_eq!(refused.code, "secrets_unavailable");
    assert!(in_files(&home, &id, &credential));
    assert_eq!(supervisor.status().settings.secrets, SecretsKind::OwnerFile);
    keychain.be_there(true);
    supervisor.keep_secrets_in_keychain().await.unwrap();
    let moved = || only_in(&keychain, &home, &credential);
    await_condition("the files are gone", moved).await.unwrap();

    // A keychain that goes away takes nothing from what runs, not even over a crash of the Server.
    keychain.be_there(false);
    let (server, polls) = (home.pids()[0], plane.polls().len());
    std::process::Command::new("kill").args(["-KILL", &server.to_string()]).status().unwrap();
    plane.until(|plane| plane.polls().len() > polls + 1).await;
    reach(&supervisor, "it is online again", |status| serves(status) && online(status)).await;
    client(&supervisor).await.output("list_projects", serde_json::json!({})).await.unwrap();
    supervisor.shut_down().await;

    // At the next start it is missed, and all is well by itself once it is there.
    let supervisor = Supervisor::start(config.clone()).unwrap();
    let status =
        reach(&supervisor, "it is missed", |status| status.reason == Reason::SecretsUnavailable).await;
    assert_eq!((status.settings.secrets, only(&status)), (SecretsKind::None, None));
    keychain.be_there(true);
    let is_well = |status: &Status| online(status) && status.settings.secrets == SecretsKind::KEYCHAIN;
    reach(&supervisor, "all is well", is_well).await;
    assert_eq!(supervisor.reveal_credential().await.unwrap(), credential);
    assert!(only_in(&keychain, &home, &credential));

    // What is known moves also without the keychain's help.
    keychain.be_there(false);
    supervisor.keep_secrets_in_file().await.unwrap();
    assert!(in_files(&home, &id, &credential));
    supervisor.shut_down().await;
    keyring_core::unset_default_store();
}

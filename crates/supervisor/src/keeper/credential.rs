//! The search for the clients' credential, which may wait for a person, and goes on while there is no place for it.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use webcodex_settings::Secret;

use super::{Event, Keeper};
use crate::vault::{self, VaultError};

/// The credential is waited for this long before the Server starts without it.
const FIRST: Duration = Duration::from_millis(300);
/// A keychain that has not answered by then cannot be used for now; its answer still counts when it comes.
const WITHIN: Duration = Duration::from_secs(8);
/// A keychain that cannot be used is looked for again this often.
const AGAIN: Duration = Duration::from_secs(5);

/// The search for the clients' credential.
#[derive(Debug)]
pub(super) struct Credential {
    pub(super) search: u64,
    since: Instant,
    answer: Option<Result<(), VaultError>>,
    /// When it is looked for again: a keychain may come later than the app.
    again: Option<Instant>,
    done: Vec<oneshot::Sender<()>>,
    /// The Server that has been told the credential.
    pub(super) told: Option<u64>,
}

impl Credential {
    pub(super) fn unknown() -> Self {
        Self { search: 0, since: Instant::now(), answer: None, again: None, done: Vec::new(), told: None }
    }

    /// Whether the Server may start without it, or has it.
    pub(super) fn was_waited_for(&self, now: Instant) -> bool {
        self.answer.is_some() || now >= self.since + FIRST
    }

    /// Whether there is no place for it.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.answer, Some(Err(_)))
    }

    /// Whether it is to be looked for again now.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.again.is_some_and(|again| again <= now)
    }

    pub(super) fn look_again(&mut self) {
        self.again = Some(Instant::now() + AGAIN);
    }

    /// Whether there is a place for it, as far as is known.
    pub(super) fn has_place(&self) -> bool {
        match &self.answer {
            Some(answer) => answer.is_ok(),
            None => Instant::now() < self.since + WITHIN,
        }
    }

    /// When something has to be looked at again.
    pub(super) fn next_look(&self) -> Option<Instant> {
        let now = Instant::now();
        let looks = [FIRST, WITHIN].map(|limit| self.since + limit);
        let next = looks.into_iter().find(|look| *look > now);
        next.filter(|_| self.answer.is_none()).or(self.again)
    }
}

impl Keeper {
    pub(super) fn search_credential(&mut self, done: Option<oneshot::Sender<()>>) {
        self.credential.since = Instant::now();
        self.credential.answer = None;
        self.credential.done.extend(done);
        self.ask_vault();
    }

    /// Looks for the credential; what was found before counts until the answer is there.
    pub(super) fn ask_vault(&mut self) {
        let (search, tell) = (self.credential.search + 1, self.tell.clone());
        self.credential.search = search;
        self.credential.again = None;
        let so_far = self.shared.credential.lock().clone();
        vault::find_client_credential(
            self.shared.vault(),
            &self.shared.config.folders,
            so_far,
            move |answer| {
                // It fails once the keeper has ended.
                let _ = tell.send(Event::Credential(search, answer));
            },
        );
    }

    pub(super) fn credential_found(&mut self, answer: Result<Secret, VaultError>) {
        if let Err(error) = &answer {
            if !self.credential.is_missing() {
                tracing::warn!(%error, "there is no place for the clients' credential");
            }
            self.credential.look_again();
        }
        self.credential.answer = Some(answer.map(|secret| {
            let mut known = self.shared.credential.lock();
            if known.as_ref() != Some(&secret) {
                self.credential.told = None;
                *known = Some(secret);
            }
        }));
        for done in std::mem::take(&mut self.credential.done) {
            // Who asked may be gone.
            let _ = done.send(());
        }
        self.tell_credential();
        self.tell_connections();
    }
}

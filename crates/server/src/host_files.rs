//! Whether the file addresses that a host puts into a call are believed.
//!
//! ChatGPT's host replaces a file that the person attached by an address to fetch it from. Such an address tells nothing
//! of who wrote it, so that it is believed only where a person has said so, on a Server that this computer alone reaches,
//! and from callers that the person let in there. No tool takes files from a host yet: what is decided here is shown by
//! `get_runtime_status`, and every tool that will take them asks here.

use std::net::IpAddr;

use webcodex_store::{Credential, CredentialKind};

use crate::via::Via;

/// What decides, besides the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostFiles {
    /// Whether a person, or the desktop app for its own Server, wants it.
    pub(crate) wanted: bool,
    /// Where the Server listens.
    pub(crate) address: IpAddr,
}

/// Why an address is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distrust {
    /// Nobody wants it.
    SwitchedOff,
    /// Others than this computer reach the Server.
    NotLoopback,
    /// The call came in through a public address.
    FromOutside,
    /// The credential is none of a person's on this computer.
    Credential,
}

impl Distrust {
    /// The code of the reason.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::SwitchedOff => "switched_off",
            Self::NotLoopback => "not_loopback",
            Self::FromOutside => "from_outside",
            Self::Credential => "credential",
        }
    }
}

impl HostFiles {
    /// Whether an address in a call of `caller` that came `via` is believed.
    pub(crate) fn trusts_host_file_rewrite(self, caller: &Credential, via: Via) -> Result<(), Distrust> {
        if !self.wanted {
            return Err(Distrust::SwitchedOff);
        }
        if !self.address.is_loopback() {
            return Err(Distrust::NotLoopback);
        }
        match (caller.kind, via) {
            (_, Via::Public) => Err(Distrust::FromOutside),
            (CredentialKind::Client, _) | (CredentialKind::Bootstrap, Via::Tunnel) => Ok(()),
            (CredentialKind::Bootstrap | CredentialKind::Runner | CredentialKind::Project, _) => {
                Err(Distrust::Credential)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use webcodex_store::{NewCredential, Store};

    use super::*;

    #[tokio::test]
    async fn a_host_is_believed_on_this_computer_only_and_from_a_persons_own_credential() {
        use CredentialKind::{Bootstrap, Client, Project, Runner};
        use Distrust::{Credential, FromOutside, NotLoopback, SwitchedOff};
        let store = Store::in_memory().unwrap();
        for (wanted, address, kind, via, expected) in [
            (true, "127.0.0.1", Client, Via::Local, Ok(())),
            (true, "::1", Client, Via::Tunnel, Ok(())),
            (true, "127.0.0.1", Bootstrap, Via::Tunnel, Ok(())),
            (true, "127.0.0.1", Bootstrap, Via::Local, Err(Credential)),
            (true, "127.0.0.1", Project, Via::Tunnel, Err(Credential)),
            (true, "127.0.0.1", Runner, Via::Local, Err(Credential)),
            (true, "127.0.0.1", Client, Via::Public, Err(FromOutside)),
            (true, "192.0.2.1", Client, Via::Tunnel, Err(NotLoopback)),
            (true, "0.0.0.0", Client, Via::Local, Err(NotLoopback)),
            (false, "127.0.0.1", Client, Via::Tunnel, Err(SwitchedOff)),
            (false, "192.0.2.1", Project, Via::Public, Err(SwitchedOff)),
        ] {
            let secret = store.credentials().issue(NewCredential::new(kind, "c")).await.unwrap().secret;
            let caller = store.credentials().verify(&secret).unwrap();
            let files = HostFiles { wanted, address: address.parse().unwrap() };
            let found = files.trusts_host_file_rewrite(&caller, via);
            assert_eq!(found, expected, "{wanted} {address} {kind:?} {via:?}");
        }
    }
}

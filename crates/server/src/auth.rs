//! Who calls: one bearer credential per request, checked in memory.

use std::sync::Arc;

use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderValue};
use webcodex_store::{Credential, CredentialKind, Store};

/// The caller of an authenticated request; middleware puts it into the request's extensions.
#[derive(Clone)]
pub(crate) struct Caller(pub(crate) Arc<Credential>);

/// Why a request is not authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unauthenticated {
    /// No credential was sent.
    #[error("this request needs a credential: send `Authorization: Bearer …`")]
    Missing,
    /// What was sent is not a credential in force.
    #[error("the credential is not valid here; use the one this Server printed, or issue a new one")]
    Rejected,
}

impl Unauthenticated {
    /// The challenge that goes with a 401. A missing credential is no error, only an invitation.
    pub(crate) fn challenge(self) -> HeaderValue {
        match self {
            Unauthenticated::Missing => HeaderValue::from_static("Bearer realm=\"webcodex\""),
            Unauthenticated::Rejected => {
                HeaderValue::from_static("Bearer realm=\"webcodex\", error=\"invalid_token\"")
            }
        }
    }
}

/// The caller whose secret the request carries.
pub(crate) fn authenticate(store: &Store, headers: &HeaderMap) -> Result<Caller, Unauthenticated> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Err(Unauthenticated::Missing) };
    if values.next().is_some() {
        return Err(Unauthenticated::Rejected);
    }
    let token = value.to_str().ok().and_then(bearer).ok_or(Unauthenticated::Rejected)?;
    store.credentials().verify(token).map(Caller).ok_or(Unauthenticated::Rejected)
}

/// The token behind the scheme `Bearer`, in any case.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim_matches(' ');
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

impl Caller {
    /// Whether this credential opens `path`: Runners get the link and nothing else, the desktop app's routes open to
    /// the Server's own administrator, and the rest to everybody but Runners.
    pub(crate) fn may_use(&self, path: &str) -> bool {
        if path.starts_with(crate::control::PREFIX) {
            return self.0.kind == CredentialKind::Bootstrap;
        }
        (self.0.kind == CredentialKind::Runner) == (path == crate::app::RUNNER_LINK)
    }
}

#[cfg(test)]
mod tests {
    use webcodex_store::NewCredential;

    use super::*;

    #[tokio::test]
    async fn the_scheme_is_bearer_in_any_case_and_the_secret_exact() {
        let store = Store::in_memory().unwrap();
        let secret =
            store.credentials().issue(NewCredential::new(CredentialKind::Client, "c")).await.unwrap().secret;
        let check = |value: String| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(&value).unwrap())]);
            authenticate(&store, &headers).map(|caller| caller.0.name.clone())
        };
        for scheme in ["Bearer", "bearer", "BEARER"] {
            assert_eq!(check(format!("{scheme} {secret}")), Ok("c".to_owned()), "{scheme}");
        }
        for value in [
            secret.clone(),
            format!("Basic {secret}"),
            "Bearer".to_owned(),
            "Bearer ".to_owned(),
            format!("Bearer {secret}x"),
            format!("Bearer {}", &secret[..secret.len() - 1]),
            format!("Bearer {}", secret.to_uppercase()),
            format!("Bearer {secret} {secret}"),
        ] {
            assert_eq!(check(value.clone()), Err(Unauthenticated::Rejected), "{value}");
        }
        assert_eq!(authenticate(&store, &HeaderMap::new()).err(), Some(Unauthenticated::Missing));
    }
}

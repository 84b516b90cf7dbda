//! What a user enters for a connection.

use std::path::PathBuf;

use webcodex_settings::Secret;

use super::{ConnectionId, ConnectionSettings};
use crate::route::RouteSetting;
use crate::wire::{TunnelId, TunnelIdError, is_well_formed_key};

const MAX_NAME: usize = 80;
const MAX_CONNECTIONS: usize = 32;

/// A connection as it was entered. Secrets left blank keep what is saved.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// What the user calls it.
    pub name: String,
    /// The Tunnel ID as pasted.
    pub tunnel: String,
    /// The API key as pasted; `None` or blank keeps the saved one.
    pub key: Option<Secret>,
    /// The organization that owns the tunnel, where it has to be said.
    pub organization: Option<String>,
    /// The route; a proxy without a password keeps the saved one of the same login.
    pub route: RouteSetting,
    /// Certificates trusted in addition.
    pub ca_file: Option<PathBuf>,
    /// Whether it is switched on when the app starts.
    pub autostart: bool,
}

/// A connection cannot be added, changed or found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is none with this id.
    #[error("this connection no longer exists; refresh the list")]
    Unknown,
    /// It was changed since it was read.
    #[error(
        "this connection was changed meanwhile; look at it again (revision {current}) and repeat the change"
    )]
    Stale {
        /// The present revision.
        current: u64,
    },
    /// Another connection has this tunnel.
    #[error(
        "the connection \"{name}\" uses this tunnel already; two clients of one tunnel take each other's calls"
    )]
    TunnelInUse {
        /// The other connection.
        name: String,
    },
    /// The Tunnel ID has the wrong shape.
    #[error(transparent)]
    Tunnel(#[from] TunnelIdError),
    /// The key is missing or has characters no key has.
    #[error("an API key consists of letters, digits, `_` and `-`; copy it again from the OpenAI Platform")]
    Key,
    /// The name is empty or too long.
    #[error("a connection's name has 1 to {MAX_NAME} characters")]
    Name,
    /// The organization has characters no organization has.
    #[error("an organization ID consists of letters, digits, `_` and `-`")]
    Organization,
    /// There are too many.
    #[error("there can be at most {MAX_CONNECTIONS} connections; delete one first")]
    TooMany,
}

impl Draft {
    /// The settings and the key that come out of this draft, over what was `saved` before.
    pub(super) fn check<'a>(
        self,
        id: ConnectionId,
        saved: Option<(&ConnectionSettings, &Secret)>,
        others: impl Iterator<Item = &'a ConnectionSettings>,
    ) -> Result<(ConnectionSettings, Secret), EditError> {
        let tunnel = TunnelId::parse(&self.tunnel)?;
        let name = self.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(EditError::Name);
        }
        let mut count = 0;
        for other in others {
            count += 1;
            if other.tunnel == tunnel {
                return Err(EditError::TunnelInUse { name: other.name.clone() });
            }
        }
        if count >= MAX_CONNECTIONS {
            return Err(EditError::TooMany);
        }
        let entered = self.key.filter(|key| !key.expose().trim().is_empty());
        let key = match (entered, saved) {
            (Some(key), _) => Secret::new(key.expose().trim().to_owned()),
            (None, Some((_, key))) => key.clone(),
            (None, None) => return Err(EditError::Key),
        };
        if !is_well_formed_key(key.expose()) {
            return Err(EditError::Key);
        }
        let organization =
            self.organization.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if organization.as_deref().is_some_and(|text| !is_well_formed_key(text)) {
            return Err(EditError::Organization);
        }
        let route = keep_password(self.route, saved.map(|(settings, _)| &settings.route));
        let revision = saved.map_or(1, |(settings, _)| settings.revision + 1);
        let (ca_file, autostart) = (self.ca_file, self.autostart);
        Ok((ConnectionSettings { id, name, tunnel, organization, route, ca_file, autostart, revision }, key))
    }
}

fn keep_password(entered: RouteSetting, saved: Option<&RouteSetting>) -> RouteSetting {
    let (RouteSetting::Custom { proxy }, Some(RouteSetting::Custom { proxy: saved })) = (&entered, saved)
    else {
        return entered;
    };
    // Only for the very same place: a password must not follow to another host.
    let same = (&proxy.kind, &proxy.host, proxy.port, &proxy.user)
        == (&saved.kind, &saved.host, saved.port, &saved.user);
    if proxy.password.is_some() || !same {
        return entered;
    }
    RouteSetting::Custom { proxy: saved.clone() }
}

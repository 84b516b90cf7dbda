//! The address of a proxy.

use std::fmt;

use http::Uri;
use serde::{Deserialize, Serialize};
use webcodex_settings::Secret;

use crate::status::Reason;

/// What a proxy speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProxyKind {
    /// HTTP with `CONNECT`.
    Http,
    /// SOCKS 5; names are resolved by the proxy.
    Socks5,
}

/// A proxy, perhaps with a login. The password is never serialised and never shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProxyAddress {
    /// What it speaks.
    pub kind: ProxyKind,
    /// Name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The login's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The login's password.
    #[serde(skip)]
    pub password: Option<Secret>,
}

impl ProxyAddress {
    /// Reads `[http://|socks5://|socks5h://][USER:PASSWORD@]HOST[:PORT]`.
    ///
    /// # Errors
    /// [`Reason::ProxyUnsupported`] for every other kind, configuration scripts (PAC) among them.
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let text = text.trim();
        let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let uri: Uri = with_scheme.parse().map_err(|_| Reason::ProxyUnsupported)?;
        let (kind, default_port) = match uri.scheme_str() {
            Some("http") => (ProxyKind::Http, 80),
            Some("socks5" | "socks5h") => (ProxyKind::Socks5, 1080),
            _ => return Err(Reason::ProxyUnsupported),
        };
        let authority = uri.authority().ok_or(Reason::ProxyUnsupported)?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() || !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(Reason::ProxyUnsupported);
        }
        let login = authority.as_str().rsplit_once('@').map(|(login, _)| login);
        let (user, password) = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
            Some((user, password)) => (Some(decode(user)), Some(Secret::new(decode(password)))),
            None => (None, None),
        };
        Ok(Self { kind, host, port: uri.port_u16().unwrap_or(default_port), user, password })
    }
}

/// Undoes `%41` in a login; anything else stays as it is.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.kind {
            ProxyKind::Http => "http",
            ProxyKind::Socks5 => "socks5",
        };
        match self.host.contains(':') {
            true => write!(f, "{scheme}://[{}]:{}", self.host, self.port),
            false => write!(f, "{scheme}://{}:{}", self.host, self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_read_as_people_write_it() {
        let proxy = ProxyAddress::parse("http://me:p%40ss%zz@proxy.local:3128/").unwrap();
        assert_eq!((proxy.host.as_str(), proxy.port), ("proxy.local", 3128));
        assert_eq!(proxy.user.as_deref(), Some("me"));
        assert_eq!(proxy.password.as_ref().unwrap().expose(), "p@ss%zz");
        assert_eq!(proxy.to_string(), "http://proxy.local:3128");
        assert!(!format!("{proxy:?}").contains("p@ss"));
        assert!(!serde_json::to_string(&proxy).unwrap().contains("p@ss"));
        assert_eq!(ProxyAddress::parse("127.0.0.1:7890").unwrap().to_string(), "http://127.0.0.1:7890");
        assert_eq!(ProxyAddress::parse("socks5h://[::1]").unwrap().to_string(), "socks5://[::1]:1080");
        for bad in [
            "",
            "https://proxy:1",
            "pac+http://x/proxy.pac",
            "http://x/proxy.pac",
            "socks4://x",
            "http=a:1;https=b:2",
        ] {
            assert_eq!(ProxyAddress::parse(bad), Err(Reason::ProxyUnsupported), "{bad}");
        }
    }
}

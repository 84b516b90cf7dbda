//! The proxies this computer is set to use.

use hyper_util::client::proxy::matcher::{Intercept, Matcher};

use super::{ControlPlaneAddress, ProxyAddress, RouteSetting};
use crate::status::Reason;

/// Where a proxy was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyOrigin {
    /// `HTTPS_PROXY` and its relatives.
    Environment,
    /// The settings of the operating system.
    System,
}

/// A proxy that was found.
#[derive(Debug, Clone)]
pub struct FoundProxy {
    /// Where.
    pub origin: ProxyOrigin,
    /// The proxy, or why it cannot be used.
    pub proxy: Result<ProxyAddress, Reason>,
}

/// Tells the proxies for an address, best first; asked anew each time.
pub trait ProxySource: Send + Sync + 'static {
    /// The proxies for `address`, exceptions (`NO_PROXY`) already applied. May block for a moment.
    fn proxies(&self, address: &ControlPlaneAddress) -> Vec<FoundProxy>;

    /// What connections do that leave it to the surroundings: try all routes, unless the person chose one for everything.
    fn preferred(&self) -> RouteSetting {
        RouteSetting::Auto
    }
}

/// Environment variables, then the settings of macOS and Windows, or of the GNOME desktop.
///
/// The library behind it looks at the operating system's settings only where the environment has none. Configuration
/// scripts (PAC) are not run.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemProxies;

impl ProxySource for SystemProxies {
    fn proxies(&self, address: &ControlPlaneAddress) -> Vec<FoundProxy> {
        let Ok(uri) = address.join("/") else { return Vec::new() };
        let from = |origin, matcher: Matcher| {
            matcher.intercept(&uri).map(|found| FoundProxy { origin, proxy: to_address(&found) })
        };
        let environment = from(ProxyOrigin::Environment, Matcher::from_env());
        let system = from(ProxyOrigin::System, Matcher::from_system());
        #[cfg(target_os = "linux")]
        let system = match &environment {
            // What a shell says is meant for this program; the desktop's settings are a guess.
            Some(_) => system,
            None => {
                super::gnome::proxy(address).map(|proxy| FoundProxy { origin: ProxyOrigin::System, proxy })
            }
        };
        [environment, system].into_iter().flatten().collect()
    }
}

/// No proxy at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProxies;

impl ProxySource for NoProxies {
    fn proxies(&self, _: &ControlPlaneAddress) -> Vec<FoundProxy> {
        Vec::new()
    }
}

fn to_address(found: &Intercept) -> Result<ProxyAddress, Reason> {
    let mut address = ProxyAddress::parse(&found.uri().to_string())?;
    if let Some((user, password)) = login(found) {
        address.user = Some(user);
        address.password = Some(webcodex_settings::Secret::new(password));
    }
    Ok(address)
}

/// The library keeps the login of an HTTP proxy as the finished header.
fn login(found: &Intercept) -> Option<(String, String)> {
    use base64::Engine;
    if let Some((user, password)) = found.raw_auth() {
        return Some((user.to_owned(), password.to_owned()));
    }
    let header = found.basic_auth()?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(base64::engine::general_purpose::STANDARD.decode(header).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(proxy: &str) -> Result<ProxyAddress, Reason> {
        let matcher = Matcher::builder().https(proxy.to_owned()).no("example.com".to_owned()).build();
        to_address(&matcher.intercept(&"https://api.openai.com/".parse().unwrap()).unwrap())
    }

    #[test]
    fn a_login_is_carried_over() {
        for proxy in ["http://me:p%40ss@h:1", "socks5h://me:p%40ss@h:1"] {
            let address = found(proxy).unwrap();
            assert_eq!(address.user.as_deref(), Some("me"));
            assert_eq!(address.password.unwrap().expose(), "p@ss", "{proxy}");
        }
        assert_eq!(found("h:8080").unwrap().to_string(), "http://h:8080");
        assert_eq!(found("https://h:8080"), Err(Reason::ProxyUnsupported));
    }
}

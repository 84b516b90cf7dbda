//! Between the words of the desktop app and those of the tunnel client.

use std::path::PathBuf;

use webcodex_contracts::control::{ConnectionDraft, Failure, TunnelRoute};
use webcodex_settings::Secret;
use webcodex_tunnel::route::{ProxyAddress, RouteSetting};
use webcodex_tunnel::{ConnectionSettings, Draft};

/// Why a connection is not added or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Whether there is no such connection.
    pub(crate) fn is_unknown(&self) -> bool {
        self.code == "not_found"
    }

    /// As the app is told. Nothing was changed.
    pub(crate) fn into_failure(self) -> Failure {
        Failure { code: self.code.to_owned(), message: self.message, hint: None }
    }
}

/// What the tunnel client takes.
pub(super) fn draft(entered: ConnectionDraft) -> Result<Draft, Refusal> {
    let ca_file = Some(entered.ca_file.trim()).filter(|file| !file.is_empty()).map(PathBuf::from);
    if let Some(file) = ca_file.as_ref().filter(|file| !file.is_file()) {
        let message =
            format!("`{}` is no file; choose a file with certificates (PEM), or none", file.display());
        return Err(Refusal::new("ca_file_invalid", message));
    }
    Ok(Draft {
        name: entered.name,
        tunnel: entered.tunnel,
        key: Some(entered.key).filter(|key| !key.trim().is_empty()).map(Secret::new),
        organization: Some(entered.organization),
        route: route(&entered.route)?,
        ca_file,
        autostart: entered.autostart,
    })
}

fn route(entered: &TunnelRoute) -> Result<RouteSetting, Refusal> {
    match entered {
        TunnelRoute::Auto => Ok(RouteSetting::Auto),
        TunnelRoute::Direct => Ok(RouteSetting::Direct),
        TunnelRoute::Custom { proxy } => {
            // What was entered may hold a password, so it is not repeated.
            let proxy = ProxyAddress::parse(proxy).map_err(|_| {
                let message = "this proxy cannot be used; write http://HOST:PORT or socks5://HOST:PORT";
                Refusal::new("proxy_invalid", message)
            })?;
            let password = proxy.password.clone().filter(|password| !password.expose().is_empty());
            Ok(RouteSetting::Custom { proxy: ProxyAddress { password, ..proxy } })
        }
    }
}

/// The route as it may be shown: with the login's name, without its password.
pub(super) fn shown_route(route: &RouteSetting) -> TunnelRoute {
    match route {
        RouteSetting::Auto => TunnelRoute::Auto,
        RouteSetting::Direct => TunnelRoute::Direct,
        RouteSetting::Custom { proxy } => {
            let address = proxy.to_string();
            let shown = match (&proxy.user, address.split_once("://")) {
                (Some(user), Some((scheme, place))) => format!("{scheme}://{}@{place}", encoded(user)),
                _ => address,
            };
            TunnelRoute::Custom { proxy: shown }
        }
    }
}

/// A login's name with everything escaped that could be taken for another part of the address.
fn encoded(user: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    user.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The password that belongs into the keychain.
pub(super) fn proxy_password(settings: &ConnectionSettings) -> Option<String> {
    match &settings.route {
        RouteSetting::Custom { proxy } => Some(proxy.password.as_ref()?.expose().to_owned()),
        RouteSetting::Auto | RouteSetting::Direct => None,
    }
}

/// The settings with the password that was kept apart from them.
pub(super) fn with_proxy_password(
    mut settings: ConnectionSettings,
    password: Option<String>,
) -> ConnectionSettings {
    if let RouteSetting::Custom { proxy } = &mut settings.route {
        proxy.password = password.map(Secret::new);
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom(proxy: &str) -> TunnelRoute {
        TunnelRoute::Custom { proxy: proxy.to_owned() }
    }

    #[test]
    fn a_proxy_is_shown_without_its_password_and_reads_back_the_same() {
        let kept = route(&custom("http://me%40home:p%40ss@proxy.local:3128")).unwrap();
        let shown = shown_route(&kept);
        assert_eq!(shown, custom("http://me%40home@proxy.local:3128"));
        let RouteSetting::Custom { proxy: again } = route(&shown).unwrap() else { panic!("{shown:?}") };
        assert_eq!((again.user.as_deref(), again.password), (Some("me@home"), None));
    }

    #[test]
    fn a_wrong_proxy_is_refused_without_repeating_its_password() {
        let refused = route(&custom("socks4://me:hush@h")).unwrap_err().into_failure();
        assert_eq!(refused.code, "proxy_invalid");
        assert!(!refused.message.contains("hush"));
    }
}

//! Failures that the supervisor tells by itself, without the Server.

use webcodex_contracts::control::{Failure, Proxy, ProxyMode};
use webcodex_settings::SettingsError;

use crate::vault::VaultError;

/// A failure with a code for programs and a next step.
pub(crate) fn failure(code: &str, message: impl Into<String>, hint: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.into(), hint: Some(hint.to_owned()) }
}

/// The Server is not there to be asked.
pub(crate) fn not_serving() -> Failure {
    failure("server_unreachable", "the Server does not run at the moment", "wait until WebCodex is ready")
}

/// The supervisor has ended.
pub(crate) fn ended() -> Failure {
    failure("shutting_down", "WebCodex is ending", "start it again")
}

/// The settings could not be changed.
pub(crate) fn settings(error: &SettingsError) -> Failure {
    failure("settings_not_saved", error.to_string(), "correct the value, or the settings file, and try again")
}

/// What is wrong with a proxy for the whole app, if anything. It is kept and shown in the clear, so a login in it is refused.
pub(crate) fn proxy(proxy: &Proxy) -> Option<Failure> {
    let address = proxy.url.parse::<http::Uri>().ok();
    let scheme = |uri: &http::Uri| matches!(uri.scheme_str(), Some("http" | "https" | "socks5"));
    let login = |uri: &http::Uri| uri.authority().is_some_and(|authority| authority.as_str().contains('@'));
    let is_good = address.as_ref().is_some_and(|uri| scheme(uri) && !login(uri));
    let hint = "write it as http://proxy.example:8080; a login belongs to the route of a connection, which keeps it secret";
    (!is_good && (proxy.mode == ProxyMode::Custom || !proxy.url.is_empty()))
        .then(|| failure("proxy_invalid", "this cannot be the address of a proxy; nothing was changed", hint))
}

/// The credential could not be read or kept.
pub(crate) fn vault(error: &VaultError) -> Failure {
    failure("secrets_unavailable", error.to_string(), "unlock the keychain, or keep the credential in a file")
}

/// The secrets of a connection could not be written down.
pub(crate) fn unwritten(error: &serde_json::Error) -> Failure {
    failure("secrets_unavailable", error.to_string(), "enter the key again")
}

/// The environment names no connection.
pub(crate) fn nothing_to_import() -> Failure {
    let hint =
        "set CONTROL_PLANE_TUNNEL_ID and CONTROL_PLANE_API_KEY before the start, or enter them by hand";
    failure("not_found", "the environment of the app names no connection", hint)
}

/// A file of a client could not be read or written.
pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Failure {
    let message = format!("`{}` cannot be changed: {error}", path.display());
    failure("file_not_written", message, "copy the text and put it there by hand")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_for_the_whole_app_is_an_address_without_a_login() {
        let of = |mode, url: &str| proxy(&Proxy { mode, url: url.to_owned() }).map(|failure| failure.code);
        let bad = Some("proxy_invalid".to_owned());
        for good in ["http://127.0.0.1:7890", "https://proxy.example", "socks5://10.0.0.1:1080"] {
            assert_eq!(of(ProxyMode::Custom, good), None, "{good}");
        }
        for wrong in ["", "proxy", "ftp://proxy", "http://me:hush@proxy:1", "http://me@proxy:1"] {
            assert_eq!(of(ProxyMode::Custom, wrong), bad, "{wrong}");
        }
        assert_eq!(of(ProxyMode::Direct, "http://me:hush@proxy:1"), bad, "it would be kept all the same");
        assert_eq!(of(ProxyMode::Automatic, ""), None);
    }
}

//! Getting through a SOCKS 5 proxy.

use tokio_socks::Error;
use tokio_socks::tcp::Socks5Stream;

use super::{BoxIo, ProxyAddress};
use crate::status::Reason;

/// Asks the proxy at the other end of `stream` for a connection to `host`, whose name the proxy resolves.
pub(super) async fn connect(
    stream: BoxIo,
    proxy: &ProxyAddress,
    host: &str,
    port: u16,
) -> Result<BoxIo, Reason> {
    let connected = match &proxy.user {
        Some(user) => {
            let password = proxy.password.as_ref().map_or("", |password| password.expose());
            Socks5Stream::connect_with_password_and_socket(stream, (host, port), user, password).await
        }
        None => Socks5Stream::connect_with_socket(stream, (host, port)).await,
    };
    match connected {
        Ok(stream) => Ok(stream.into_inner()),
        Err(
            Error::NoAcceptableAuthMethods
            | Error::UnknownAuthMethod
            | Error::InvalidAuthValues(_)
            | Error::PasswordAuthFailure(_)
            | Error::AuthorizationRequired,
        ) => Err(Reason::ProxyAuthNeeded),
        Err(
            Error::GeneralSocksServerFailure
            | Error::ConnectionNotAllowedByRuleset
            | Error::NetworkUnreachable
            | Error::HostUnreachable
            | Error::ConnectionRefused
            | Error::TtlExpired
            | Error::CommandNotSupported
            | Error::AddressTypeNotSupported,
        ) => Err(Reason::ProxyRefuses),
        Err(_) => Err(Reason::ProxyFailed),
    }
}

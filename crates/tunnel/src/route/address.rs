//! Where the control plane is.

use std::net::IpAddr;

use http::Uri;

/// OpenAI's own control plane.
pub const DEFAULT_ADDRESS: &str = "https://api.openai.com";

/// The address of a control plane: https, or http on this computer; perhaps with a path before `/v1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlPlaneAddress {
    base: String,
    host: String,
    port: u16,
    secure: bool,
}

/// The text is no usable address of a control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a control plane address is `https://HOST`, or `http://` with a host on this computer")]
pub struct AddressError;

impl ControlPlaneAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// [`AddressError`] for anything but https, or http to this computer; and where it carries a login or a query.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let uri: Uri = text.trim().trim_end_matches('/').parse().map_err(|_| AddressError)?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(AddressError),
        };
        let authority = uri.authority().ok_or(AddressError)?;
        if authority.as_str().contains('@') || uri.query().is_some() || authority.host().is_empty() {
            return Err(AddressError);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let scheme = if secure { "https" } else { "http" };
        let base = format!("{scheme}://{authority}{}", uri.path().trim_end_matches('/'));
        let address = Self { base, host, port, secure };
        if secure || address.is_loopback() { Ok(address) } else { Err(AddressError) }
    }

    /// Whether the control plane is on this computer.
    pub fn is_loopback(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// The address with `path` behind it.
    pub(crate) fn join(&self, path: &str) -> Result<Uri, AddressError> {
        format!("{}{path}", self.base).parse().map_err(|_| AddressError)
    }

    /// The host without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the connection is encrypted.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_anywhere_and_http_here() {
        let address = ControlPlaneAddress::parse("https://api.openai.com/").unwrap();
        assert_eq!((address.host(), address.port(), address.is_secure()), ("api.openai.com", 443, true));
        let address = ControlPlaneAddress::parse("http://[::1]:8080/extra/").unwrap();
        assert_eq!((address.host(), address.port()), ("::1", 8080));
        assert_eq!(address.join("/v1/x").unwrap().to_string(), "http://[::1]:8080/extra/v1/x");
        for bad in [
            "",
            "api.openai.com",
            "http://api.openai.com",
            "http://127.0.0.1.evil.com",
            "ftp://localhost",
            "https://u:p@h",
            "https://h?q",
            "https://",
        ] {
            assert!(ControlPlaneAddress::parse(bad).is_err(), "{bad}");
        }
    }
}

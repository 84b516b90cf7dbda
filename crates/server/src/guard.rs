//! Keeps web pages out: the `Host` and `Origin` of a request must be loopback, or the public name the user has set.
//!
//! Checked before anything else, on every route, unknown ones too. It protects against DNS rebinding and against pages
//! that post to local addresses; who calls is the business of [`crate::auth`].

use std::net::{Ipv4Addr, Ipv6Addr};

use http::header::{HOST, HeaderName, ORIGIN};
use http::{HeaderMap, HeaderValue, Uri, Version};
use parking_lot::RwLock;

/// Why a request is refused before anything else is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Foreign {
    /// No `Host`.
    #[error("the request has no Host header")]
    NoHost,
    /// More than one value where one decides.
    #[error("the request has more than one {0} header")]
    Repeated(&'static str),
    /// A name that is neither loopback nor the configured one.
    #[error("the {0} header names neither this machine's loopback nor the configured public address")]
    NotOurs(&'static str),
}

/// The public address that a user has set, besides loopback.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PublicName {
    scheme: String,
    host: String,
    port: Option<u16>,
}

/// Decides which `Host` and `Origin` may come in.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    public: RwLock<Option<PublicName>>,
}

impl Guard {
    /// Loopback by any of its names, and `public_url` if there is one.
    pub(crate) fn new(public_url: Option<&Uri>) -> Self {
        Self { public: RwLock::new(public_url.and_then(PublicName::of)) }
    }

    /// From now on this is the public address, and no other.
    pub(crate) fn set_public(&self, public_url: Option<&Uri>) {
        *self.public.write() = public_url.and_then(PublicName::of);
    }

    /// Whether `host`, as a request names it, is the public one.
    pub(crate) fn is_public(&self, host: &HeaderValue) -> bool {
        let named = host.to_str().ok().and_then(split_authority);
        named.is_some_and(|(host, port)| {
            self.public.read().as_ref().is_some_and(|public| public.is_host(host, port))
        })
    }

    /// Lets a request pass or says why not.
    pub(crate) fn check(&self, version: Version, uri: &Uri, headers: &HeaderMap) -> Result<(), Foreign> {
        match single(headers, &HOST, "Host")? {
            Some(host) if self.is_ours(host) => {}
            Some(_) => return Err(Foreign::NotOurs("Host")),
            None if version >= Version::HTTP_11 || uri.authority().is_none() => return Err(Foreign::NoHost),
            None => {}
        }
        if uri.authority().is_some_and(|authority| !self.is_our_authority(authority.as_str())) {
            return Err(Foreign::NotOurs("Host"));
        }
        match single(headers, &ORIGIN, "Origin")? {
            Some(origin) if !self.is_our_origin(origin) => Err(Foreign::NotOurs("Origin")),
            _ => Ok(()),
        }
    }

    fn is_ours(&self, host: &HeaderValue) -> bool {
        host.to_str().is_ok_and(|host| self.is_our_authority(host))
    }

    fn is_our_authority(&self, text: &str) -> bool {
        let Some((host, port)) = split_authority(text) else { return false };
        is_loopback(host) || self.public.read().as_ref().is_some_and(|public| public.is_host(host, port))
    }

    fn is_our_origin(&self, origin: &HeaderValue) -> bool {
        let Some((scheme, authority)) = origin.to_str().ok().and_then(|origin| origin.split_once("://"))
        else {
            return false;
        };
        let Some((host, port)) = split_authority(authority) else { return false };
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        web && is_loopback(host)
            || self.public.read().as_ref().is_some_and(|public| public.is_origin(scheme, host, port))
    }
}

impl PublicName {
    fn of(url: &Uri) -> Option<Self> {
        Some(Self {
            scheme: url.scheme_str()?.to_ascii_lowercase(),
            host: url.host()?.to_ascii_lowercase(),
            port: url.port_u16(),
        })
    }

    /// A proxy may pass the name on with or without the port.
    fn is_host(&self, host: &str, port: Option<u16>) -> bool {
        host.eq_ignore_ascii_case(&self.host) && (port.is_none() || port == self.effective_port())
    }

    fn is_origin(&self, scheme: &str, host: &str, port: Option<u16>) -> bool {
        scheme.eq_ignore_ascii_case(&self.scheme)
            && host.eq_ignore_ascii_case(&self.host)
            && port.or(default_port(scheme)) == self.effective_port()
    }

    fn effective_port(&self) -> Option<u16> {
        self.port.or(default_port(&self.scheme))
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
    shown: &'static str,
) -> Result<Option<&'a HeaderValue>, Foreign> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { Err(Foreign::Repeated(shown)) } else { Ok(first) }
}

/// `host`, `host:port`, `[v6]` or `[v6]:port`, and nothing else.
fn split_authority(text: &str) -> Option<(&str, Option<u16>)> {
    let (host, rest) = match text.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => match text.find(':') {
            Some(colon) => text.split_at(colon),
            None => (text, ""),
        },
    };
    match rest.strip_prefix(':') {
        None => rest.is_empty().then_some((host, None)),
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Some((host, Some(digits.parse().ok()?)))
        }
        Some(_) => None,
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback();
    }
    host.parse::<Ipv6Addr>().is_ok_and(|address| {
        address.is_loopback() || address.to_ipv4_mapped().is_some_and(|mapped| mapped.is_loopback())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, hosts: &[&str], origins: &[&str]) -> Result<(), Foreign> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_bytes(host.as_bytes()).unwrap());
        }
        for origin in origins {
            headers.append(ORIGIN, HeaderValue::from_bytes(origin.as_bytes()).unwrap());
        }
        guard.check(Version::HTTP_11, &Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn loopback_is_let_in_by_any_of_its_names() {
        let guard = Guard::default();
        for host in [
            "localhost",
            "LocalHost:8080",
            "localhost.",
            "127.0.0.1",
            "127.0.0.1:65535",
            "127.8.9.10:1",
            "[::1]",
            "[::1]:80",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]:9",
        ] {
            assert_eq!(check(&guard, &[host], &[]), Ok(()), "{host}");
            assert_eq!(check(&guard, &["localhost"], &[&format!("http://{host}")]), Ok(()), "{host}");
            assert_eq!(check(&guard, &["localhost"], &[&format!("HTTPS://{host}")]), Ok(()), "{host}");
        }
    }

    #[test]
    fn foreign_names_are_refused() {
        let guard = Guard::default();
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil.example:127",
            "user@localhost",
            "localhost:80:80",
            "localhost:",
            "localhost:+80",
            "localhost:99999",
            "127.1",
            "128.0.0.1",
            "0.0.0.0",
            "[::2]",
            "[::1",
            "[::1]x",
            "::1",
            "localhost/",
            " localhost",
            "localh\u{f6}st",
        ] {
            assert_eq!(check(&guard, &[host], &[]), Err(Foreign::NotOurs("Host")), "{host}");
        }
        for origin in [
            "null",
            "",
            "localhost",
            "file://",
            "http://evil.example",
            "ftp://localhost",
            "http://localhost/x",
        ] {
            assert_eq!(check(&guard, &["localhost"], &[origin]), Err(Foreign::NotOurs("Origin")), "{origin}");
        }
    }

    #[test]
    fn one_host_and_at_most_one_origin() {
        let guard = Guard::default();
        assert_eq!(check(&guard, &[], &[]), Err(Foreign::NoHost));
        assert_eq!(check(&guard, &["localhost", "localhost"], &[]), Err(Foreign::Repeated("Host")));
        let twice = ["http://localhost", "http://localhost"];
        assert_eq!(check(&guard, &["localhost"], &twice), Err(Foreign::Repeated("Origin")));
    }

    #[test]
    fn the_address_in_the_request_line_counts_too() {
        let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("localhost"))]);
        let guard = Guard::default();
        let foreign = Uri::from_static("http://evil.example/mcp");
        assert_eq!(guard.check(Version::HTTP_11, &foreign, &headers), Err(Foreign::NotOurs("Host")));
        let ours = Uri::from_static("http://127.0.0.1:80/mcp");
        assert_eq!(guard.check(Version::HTTP_11, &ours, &headers), Ok(()));
    }

    #[test]
    fn the_public_name_is_let_in_exactly() {
        let guard = Guard::new(Some(&Uri::from_static("https://Code.Example.org")));
        for host in ["code.example.org", "CODE.example.org:443"] {
            assert_eq!(check(&guard, &[host], &[]), Ok(()), "{host}");
        }
        assert_eq!(check(&guard, &["code.example.org"], &["https://code.example.org"]), Ok(()));
        assert_eq!(check(&guard, &["code.example.org"], &["https://code.example.org:443"]), Ok(()));
        assert!(check(&guard, &["code.example.org:8443"], &[]).is_err());
        for origin in
            ["http://code.example.org", "https://code.example.org:444", "https://x.code.example.org"]
        {
            assert!(check(&guard, &["code.example.org"], &[origin]).is_err(), "{origin}");
        }
    }
}

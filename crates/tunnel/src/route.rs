//! The way from this computer to the control plane: names, connections, proxies, encryption.

mod address;
mod connect;
mod dial;
#[cfg(target_os = "linux")]
mod gnome;
mod http_proxy;
mod network;
mod proxies;
mod proxy;
mod socks;
mod tls;

pub use address::{AddressError, ControlPlaneAddress, DEFAULT_ADDRESS};
pub use dial::{Dial, RouteDial, V6Trust};
pub use network::{BoxIo, Io, Network, SystemNetwork};
pub use proxies::{FoundProxy, NoProxies, ProxyOrigin, ProxySource, SystemProxies};
pub use proxy::{ProxyAddress, ProxyKind};
pub use tls::Tls;
pub(crate) use tls::demands_client_certificate;

use serde::{Deserialize, Serialize};

use crate::status::Reason;

/// Which route a connection takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum RouteSetting {
    /// All known routes are tried against the control plane; the winner is kept.
    #[default]
    Auto,
    /// No proxy.
    Direct,
    /// This proxy and nothing else.
    Custom {
        /// The proxy.
        proxy: ProxyAddress,
    },
}

/// One route that could be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// In words without credentials, for people.
    pub shown: String,
    /// The proxy on the way, or why it cannot be used.
    pub proxy: Result<Option<ProxyAddress>, Reason>,
}

/// The routes to try, best first.
pub fn candidates(
    setting: &RouteSetting,
    address: &ControlPlaneAddress,
    proxies: &dyn ProxySource,
) -> Vec<Candidate> {
    let direct = Candidate { shown: "direct".to_owned(), proxy: Ok(None) };
    // Traffic on this computer never passes a proxy, whatever is set.
    if address.is_loopback() {
        return vec![direct];
    }
    let preferred = proxies.preferred();
    let setting = if *setting == RouteSetting::Auto { &preferred } else { setting };
    match setting {
        RouteSetting::Direct => vec![direct],
        RouteSetting::Custom { proxy } => {
            vec![Candidate { shown: format!("proxy {proxy}"), proxy: Ok(Some(proxy.clone())) }]
        }
        RouteSetting::Auto => {
            let mut list: Vec<Candidate> = Vec::new();
            for found in proxies.proxies(address) {
                let proxy = found.proxy.map(Some);
                if list.iter().all(|known| known.proxy != proxy) {
                    list.push(Candidate { shown: describe(found.origin, &proxy), proxy });
                }
            }
            list.push(direct);
            list
        }
    }
}

fn describe(origin: ProxyOrigin, proxy: &Result<Option<ProxyAddress>, Reason>) -> String {
    let origin = match origin {
        ProxyOrigin::Environment => "environment",
        ProxyOrigin::System => "system settings",
    };
    match proxy {
        Ok(Some(proxy)) => format!("proxy {proxy} from {origin}"),
        _ => format!("proxy from {origin}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Vec<FoundProxy>);

    impl ProxySource for Fixed {
        fn proxies(&self, _: &ControlPlaneAddress) -> Vec<FoundProxy> {
            self.0.clone()
        }
    }

    fn shown(setting: &RouteSetting, address: &str) -> Vec<String> {
        let found = |origin, text: &str| FoundProxy { origin, proxy: ProxyAddress::parse(text) };
        let proxies = Fixed(vec![
            found(ProxyOrigin::Environment, "http://u:p@proxy:1"),
            found(ProxyOrigin::System, "http://u:p@proxy:1"),
            found(ProxyOrigin::System, "pac+http://proxy/x.pac"),
        ]);
        let address = ControlPlaneAddress::parse(address).unwrap();
        candidates(setting, &address, &proxies).into_iter().map(|candidate| candidate.shown).collect()
    }

    #[test]
    fn auto_tries_each_proxy_once_and_then_none() {
        assert_eq!(
            shown(&RouteSetting::Auto, DEFAULT_ADDRESS),
            ["proxy http://proxy:1 from environment", "proxy from system settings", "direct"]
        );
        let custom = RouteSetting::Custom { proxy: ProxyAddress::parse("socks5://u:p@h:2").unwrap() };
        assert_eq!(shown(&custom, DEFAULT_ADDRESS), ["proxy socks5://h:2"]);
    }

    struct Chosen(RouteSetting);

    impl ProxySource for Chosen {
        fn proxies(&self, _: &ControlPlaneAddress) -> Vec<FoundProxy> {
            vec![FoundProxy { origin: ProxyOrigin::System, proxy: ProxyAddress::parse("http://proxy:1") }]
        }

        fn preferred(&self) -> RouteSetting {
            self.0.clone()
        }
    }

    #[test]
    fn what_was_chosen_for_everything_holds_for_connections_without_a_route_of_their_own() {
        let custom = |text| RouteSetting::Custom { proxy: ProxyAddress::parse(text).unwrap() };
        let shown = |own: &RouteSetting, chosen: RouteSetting, address| {
            let address = ControlPlaneAddress::parse(address).unwrap();
            let list = candidates(own, &address, &Chosen(chosen));
            list.into_iter().map(|candidate| candidate.shown).collect::<Vec<_>>()
        };
        let auto = &RouteSetting::Auto;
        assert_eq!(shown(auto, RouteSetting::Direct, DEFAULT_ADDRESS), ["direct"]);
        assert_eq!(shown(auto, custom("http://app:2"), DEFAULT_ADDRESS), ["proxy http://app:2"]);
        assert_eq!(shown(auto, custom("http://app:2"), "http://127.0.0.1:9"), ["direct"]);
        assert_eq!(
            shown(&custom("http://own:3"), RouteSetting::Direct, DEFAULT_ADDRESS),
            ["proxy http://own:3"]
        );
    }

    #[test]
    fn a_proxy_never_touches_loopback() {
        let custom = RouteSetting::Custom { proxy: ProxyAddress::parse("http://h:2").unwrap() };
        for address in ["http://127.0.0.1:9", "http://[::1]:9", "http://localhost:9", "https://localhost"] {
            assert_eq!(shown(&custom, address), ["direct"]);
            assert_eq!(shown(&RouteSetting::Auto, address), ["direct"]);
        }
    }
}

//! The way to other computers that the person chose for the whole app.

use std::sync::{Arc, Weak};

use webcodex_contracts::control::{Proxy, ProxyMode};
use webcodex_tunnel::route::{ControlPlaneAddress, FoundProxy, ProxyAddress, ProxySource, RouteSetting};

use crate::app::App;

/// The proxies of the computer, unless the settings say otherwise at that moment.
pub(super) struct WayOut {
    pub(super) app: Weak<App>,
    pub(super) system: Arc<dyn ProxySource>,
}

impl ProxySource for WayOut {
    fn proxies(&self, address: &ControlPlaneAddress) -> Vec<FoundProxy> {
        self.system.proxies(address)
    }

    fn preferred(&self) -> RouteSetting {
        self.app.upgrade().map(|app| route(&app.settings.read().proxy)).unwrap_or_default()
    }
}

/// An address that is none counts as no choice; the app refuses it before it is kept.
fn route(proxy: &Proxy) -> RouteSetting {
    match proxy.mode {
        ProxyMode::Automatic => RouteSetting::Auto,
        ProxyMode::Direct => RouteSetting::Direct,
        ProxyMode::Custom => match ProxyAddress::parse(&proxy.url) {
            Ok(proxy) => RouteSetting::Custom { proxy },
            Err(_) => RouteSetting::Auto,
        },
    }
}

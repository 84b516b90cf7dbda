//! GNOME, Xfce, Cinnamon and MATE have dark bars by default; KDE's follows the appearance.

use std::sync::OnceLock;

use webcodex_settings::session;
use zbus::blocking::Connection;
use zbus::zvariant::{OwnedValue, Value};

/// Whether the bar behind the tray is light. Looked up once: another theme shows after the next start.
pub(super) fn is_light() -> bool {
    static LIGHT: OnceLock<bool> = OnceLock::new();
    *LIGHT.get_or_init(|| session::is_kde() && !prefers_dark().unwrap_or(false))
}

/// What the desktop says of its appearance; 1 is "dark".
fn prefers_dark() -> Option<bool> {
    const PORTAL: &str = "org.freedesktop.portal.Desktop";
    let answer = Connection::session()
        .ok()?
        .call_method(
            Some(PORTAL),
            "/org/freedesktop/portal/desktop",
            Some("org.freedesktop.portal.Settings"),
            "ReadOne",
            &("org.freedesktop.appearance", "color-scheme"),
        )
        .ok()?;
    let value: OwnedValue = answer.body().deserialize().ok()?;
    match &*value {
        Value::U32(scheme) => Some(*scheme == 1),
        _ => None,
    }
}

//! A tray is there if a desktop watches for icons on the session bus.

use zbus::blocking::Connection;
use zbus::blocking::fdo::DBusProxy;
use zbus::names::BusName;

/// Whether a closed window can be brought back from a tray, now.
pub(crate) fn has_tray() -> bool {
    watched().unwrap_or(false)
}

fn watched() -> zbus::Result<bool> {
    let bus = Connection::session()?;
    let name = BusName::try_from("org.kde.StatusNotifierWatcher")?;
    Ok(DBusProxy::new(&bus)?.name_has_owner(name)?)
}

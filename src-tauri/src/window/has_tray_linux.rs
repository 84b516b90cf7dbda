//! A tray is there if a desktop watches for icons on the session bus.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use zbus::blocking::Connection;
use zbus::blocking::fdo::DBusProxy;
use zbus::names::BusName;

/// The window's own thread asks, and must not hang with the bus.
const ANSWER_WITHIN: Duration = Duration::from_millis(500);

/// Whether a closed window can be brought back from a tray, now; as it was last where the bus does not say in time.
pub(crate) fn has_tray() -> bool {
    static LAST: AtomicBool = AtomicBool::new(false);
    let (tell, told) = mpsc::channel();
    // An answer that comes late is for nobody.
    std::thread::spawn(move || tell.send(watched().unwrap_or(false)));
    let now = told.recv_timeout(ANSWER_WITHIN).unwrap_or_else(|_| LAST.load(Ordering::Relaxed));
    LAST.store(now, Ordering::Relaxed);
    now
}

fn watched() -> zbus::Result<bool> {
    let bus = Connection::session()?;
    let name = BusName::try_from("org.kde.StatusNotifierWatcher")?;
    Ok(DBusProxy::new(&bus)?.name_has_owner(name)?)
}

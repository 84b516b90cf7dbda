//! Starting with the person's login, hidden in the tray.

use tauri::AppHandle;
use tauri_plugin_autostart::ManagerExt;

/// The argument that the start at login gives.
pub(crate) const HIDDEN: &str = "--hidden";

/// Makes the system do as the setting says. Where it already does, nothing is touched.
pub(crate) fn follow(app: &AppHandle, wanted: bool) {
    let login = app.autolaunch();
    let changed = match login.is_enabled() {
        Ok(enabled) if enabled == wanted => return,
        _ if wanted => login.enable(),
        _ => login.disable(),
    };
    if let Err(error) = changed {
        tracing::warn!("start at login stays as it was: {error}");
    }
}

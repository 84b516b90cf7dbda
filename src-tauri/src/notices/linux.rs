//! Notifications through the desktop's own service on the session bus.

use std::collections::HashMap;

use tauri::AppHandle;
use zbus::blocking::Connection;
use zbus::zvariant::Value;

/// Shows a notification. It blocks for as long as the service takes, so it is not called on the window's thread.
pub(crate) fn show(_app: &AppHandle, title: &str, text: &str) {
    if let Err(error) = notify(title, text) {
        tracing::warn!("the desktop shows no notification: {error}");
    }
}

fn notify(title: &str, text: &str) -> zbus::Result<()> {
    const SERVICE: &str = "org.freedesktop.Notifications";
    let hints: HashMap<&str, Value<'_>> = HashMap::from([("desktop-entry", Value::from("WebCodex"))]);
    let actions: Vec<&str> = Vec::new();
    // The text may be shown as markup, and commands have `<` and `&`.
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let message = ("WebCodex", 0_u32, "webcodex-desktop", title, escaped, actions, hints, -1_i32);
    Connection::session()?.call_method(
        Some(SERVICE),
        "/org/freedesktop/Notifications",
        Some(SERVICE),
        "Notify",
        &message,
    )?;
    Ok(())
}

//! Notifications of Windows and macOS.

use tauri::AppHandle;
use tauri_plugin_notification::NotificationExt;

/// Shows a notification.
pub(crate) fn show(app: &AppHandle, title: &str, text: &str) {
    if let Err(error) = app.notification().builder().title(title).body(text).show() {
        tracing::warn!("the system shows no notification: {error}");
    }
}

//! An app that only waits in the tray gives back what it does not use.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(target_os = "macos", path = "macos.rs")]
mod system;

use std::time::Duration;

use tauri::AppHandle;

use crate::window;

/// What a start or the end of a page sets going has come to rest by then.
const AT_REST: Duration = Duration::from_secs(3);

/// Gives memory back once the app rests, if it has no window by then. What is needed again is read again.
pub(crate) async fn give_back(app: AppHandle) {
    tokio::time::sleep(AT_REST).await;
    if window::of(&app).is_none() {
        // Reads a long list and makes a thousand system calls.
        let _ = tokio::task::spawn_blocking(system::give_back).await;
    }
}

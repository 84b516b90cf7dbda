//! The tray: icon, tooltip and menu are one function of the status.

mod image;
mod menu;
#[cfg(test)]
mod tests;

use parking_lot::Mutex;
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager};
use webcodex_contracts::control::ClientState;
use webcodex_supervisor::Status;
use webcodex_supervisor::status::StateName;

pub(crate) use menu::Click;

use crate::shell::Shell;
use crate::words::{self, Words};

/// What the tray shows now, so that only changes reach the desktop: an open menu does not move without a reason.
#[derive(Clone, PartialEq, Eq)]
struct Face {
    state: StateName,
    tooltip: String,
    entries: Vec<menu::Entry>,
}

impl Face {
    fn of(status: &Status) -> Self {
        let words = words::of(status.settings.language);
        let tooltip = (words.tooltip)(&sentence(status, words));
        Self { state: status.state, tooltip, entries: menu::entries(status, words) }
    }
}

/// The sentence of the truth for this status.
fn sentence(status: &Status, words: &Words) -> String {
    let online = status.clients.iter().filter(|client| client.state == ClientState::Online).count();
    (words.sentence)(&status.reason, status.projects.len(), online)
}

/// The icon in the tray.
pub(crate) struct Tray {
    icon: TrayIcon,
    shown: Mutex<Face>,
}

impl Tray {
    /// Puts the icon there. Needs the window's thread.
    pub(crate) fn put(app: &AppHandle, status: &Status) -> tauri::Result<Self> {
        let face = Face::of(status);
        let icon = TrayIconBuilder::with_id("webcodex")
            .icon(image::of(face.state)?)
            .icon_as_template(image::IS_TEMPLATE)
            .tooltip(&face.tooltip)
            .menu(&menu::build(app, &face.entries)?)
            .show_menu_on_left_click(cfg!(target_os = "macos"))
            .on_menu_event(|app, event| {
                if let Some(click) = Click::of(event.id().as_ref()) {
                    app.state::<Shell>().clicked(app, click);
                }
            })
            .on_tray_icon_event(|tray, event| {
                if let TrayIconEvent::Click {
                    button: MouseButton::Left,
                    button_state: MouseButtonState::Up,
                    ..
                } = event
                    && cfg!(not(target_os = "macos"))
                {
                    tray.app_handle().state::<Shell>().clicked(tray.app_handle(), Click::Open);
                }
            })
            .build(app)?;
        Ok(Self { icon, shown: Mutex::new(face) })
    }

    /// Shows what is true now.
    pub(crate) fn show(&self, app: &AppHandle, status: &Status) -> tauri::Result<()> {
        let face = Face::of(status);
        let mut shown = self.shown.lock();
        if face.state != shown.state {
            self.icon.set_icon_with_as_template(Some(image::of(face.state)?), image::IS_TEMPLATE)?;
        }
        if face.tooltip != shown.tooltip {
            self.icon.set_tooltip(Some(&face.tooltip))?;
        }
        if face.entries != shown.entries {
            self.icon.set_menu(Some(menu::build(app, &face.entries)?))?;
        }
        *shown = face;
        Ok(())
    }
}

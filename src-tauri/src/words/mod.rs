//! What the tray, notifications and dialogs say. The window has its own words; both speak of the same things alike.

mod en;
mod zh;

use webcodex_contracts::control::{ClientKind, ClientState, TunnelState};
use webcodex_settings::desktop::Language;
use webcodex_supervisor::status::Reason;

use crate::notices::Notice;

/// One language.
pub(crate) struct Words {
    pub(crate) open: &'static str,
    pub(crate) projects: &'static str,
    pub(crate) add_folder: &'static str,
    pub(crate) pick_folders: &'static str,
    pub(crate) pick_certificate: &'static str,
    pub(crate) new_connection: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) resume: &'static str,
    pub(crate) start_at_login: &'static str,
    pub(crate) check_for_updates: &'static str,
    pub(crate) install_update: fn(&str) -> String,
    pub(crate) copy_diagnosis: &'static str,
    pub(crate) quit: &'static str,
    pub(crate) client_kind: fn(ClientKind) -> &'static str,
    pub(crate) client_state: fn(ClientState) -> &'static str,
    pub(crate) tunnel_state: fn(&TunnelState) -> &'static str,
    /// The sentence of the truth, for so many projects and clients that are online.
    pub(crate) sentence: fn(&Reason, projects: usize, online: usize) -> String,
    /// Title and text of a notification.
    pub(crate) notice: fn(&Notice) -> (String, String),
    /// In front of a sentence, to tell whose it is.
    pub(crate) tooltip: fn(&str) -> String,
}

/// The words for the person's choice.
pub(crate) fn of(language: Language) -> &'static Words {
    match language {
        Language::English => &en::WORDS,
        Language::Chinese => &zh::WORDS,
        Language::System => {
            let chinese = sys_locale::get_locale().is_some_and(|locale| locale.starts_with("zh"));
            if chinese { &zh::WORDS } else { &en::WORDS }
        }
    }
}

//! Failures that the supervisor tells by itself, without the Server.

use webcodex_contracts::control::Failure;
use webcodex_settings::SettingsError;

use crate::vault::VaultError;

/// A failure with a code for programs and a next step.
pub(crate) fn failure(code: &str, message: impl Into<String>, hint: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.into(), hint: Some(hint.to_owned()) }
}

/// The Server is not there to be asked.
pub(crate) fn not_serving() -> Failure {
    failure("server_unreachable", "the Server does not run at the moment", "wait until WebCodex is ready")
}

/// The supervisor has ended.
pub(crate) fn ended() -> Failure {
    failure("shutting_down", "WebCodex is ending", "start it again")
}

/// The settings could not be changed.
pub(crate) fn settings(error: &SettingsError) -> Failure {
    failure("settings_not_saved", error.to_string(), "correct the value, or the settings file, and try again")
}

/// The credential could not be read or kept.
pub(crate) fn vault(error: &VaultError) -> Failure {
    failure("secrets_unavailable", error.to_string(), "unlock the keychain, or keep the credential in a file")
}

/// The secrets of a connection could not be written down.
pub(crate) fn unwritten(error: &serde_json::Error) -> Failure {
    failure("secrets_unavailable", error.to_string(), "enter the key again")
}

/// The environment names no connection.
pub(crate) fn nothing_to_import() -> Failure {
    let hint =
        "set CONTROL_PLANE_TUNNEL_ID and CONTROL_PLANE_API_KEY before the start, or enter them by hand";
    failure("not_found", "the environment of the app names no connection", hint)
}

/// A file of a client could not be read or written.
pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Failure {
    let message = format!("`{}` cannot be changed: {error}", path.display());
    failure("file_not_written", message, "copy the text and put it there by hand")
}

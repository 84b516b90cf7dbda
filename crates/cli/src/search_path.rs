//! Where commands get their search path from.

use webcodex_process::PathSource;
use webcodex_settings::Environment;

/// A shell leaves its mark in the environment; without one we were started by a desktop or at login, whose search path
/// lacks what the user's shell adds (version managers, Homebrew, pyenv).
pub(crate) fn path_source() -> PathSource {
    if Environment::has_shell_mark() { PathSource::Environment } else { PathSource::LoginShell }
}

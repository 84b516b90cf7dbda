//! Logs go to standard error, so that standard output holds data only.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use webcodex_settings::Settings;

/// Starts logging as the settings say.
pub(crate) fn start(settings: &Settings) {
    // rmcp warns of every request that a client got wrong; the client is told, the person at the terminal need not be.
    let quiet = |log: &str| format!("rmcp=error,{log}");
    let filter = EnvFilter::try_new(quiet(&settings.log)).unwrap_or_else(|_| EnvFilter::new(quiet("warn")));
    let colours = std::io::stderr().is_terminal();
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours);
    // A log that has no room is lost. Complaining of it, on the same full disk, would be a panic.
    let log = log.log_internal_errors(false);
    // Fails only if logging was started before, which is as good.
    let _ = log.try_init();
}

//! Logs go to standard error, so that standard output holds data only.

use tracing_subscriber::EnvFilter;
use webcodex_settings::Settings;

/// Starts logging as the settings say.
pub(crate) fn start(settings: &Settings) {
    let filter = EnvFilter::try_new(&settings.log).unwrap_or_else(|_| EnvFilter::new("warn"));
    // Fails only if logging was started before, which is as good.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}

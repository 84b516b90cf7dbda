//! The shell's own log, beside those of Server and Runner: one file and one older one.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use tracing_subscriber::EnvFilter;
use webcodex_settings::{Environment, Folders, environment};

/// A log that is larger when the app starts becomes the older one.
const FILE_BYTES: u64 = 1024 * 1024;

/// Starts logging to a file, or where none can be written, to standard error.
pub(crate) fn start(folders: &Folders, environment: &Environment) {
    let wanted = environment.get(environment::LOG).unwrap_or("warn");
    let filter = EnvFilter::try_new(wanted).unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    // A log that has no room is lost. Complaining of it, on the same full disk, would be a panic.
    let log = log.log_internal_errors(false);
    // Fails only if logging was started before, which is as good.
    let _ = match open(&folders.logs()) {
        Ok(file) => log.with_writer(std::sync::Mutex::new(file)).try_init(),
        Err(_) => log.with_writer(io::stderr).try_init(),
    };
}

fn open(logs: &Path) -> io::Result<File> {
    std::fs::create_dir_all(logs)?;
    let file = logs.join("app.log");
    if std::fs::metadata(&file).is_ok_and(|found| found.len() > FILE_BYTES) {
        std::fs::rename(&file, logs.join("app.old.log"))?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_log_becomes_the_older_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("app.log");
        std::fs::write(&file, vec![b'x'; 1024 * 1024 + 1]).unwrap();
        open(folder.path()).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
        assert!(folder.path().join("app.old.log").exists());
    }
}

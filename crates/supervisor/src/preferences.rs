//! The settings file of the app: read with its last good version at hand, changed one change at a time.

use std::path::{Path, PathBuf};

use webcodex_settings::desktop::{DesktopSection, SecretsIn};
use webcodex_settings::{Folders, SettingsError, SettingsFile, change_settings, write_private};

use crate::clock;
use crate::status::Remark;

/// The settings file and what it says.
pub(crate) struct Preferences {
    path: PathBuf,
    /// What the file says.
    pub(crate) file: SettingsFile,
}

impl Preferences {
    /// Reads the file. A damaged one is kept under another name and the last good one takes its place.
    pub(crate) fn open(folders: &Folders) -> (Self, Option<Remark>) {
        let path = folders.settings_file();
        match SettingsFile::read(&path) {
            Ok(file) => {
                keep_copy(&path);
                (Self { path, file }, None)
            }
            Err(error) => {
                tracing::warn!(%error, "the settings file is put aside");
                let (file, kept_as) = restore(&path);
                let remark = kept_as.map(|kept_as| Remark::SettingsRestored { kept_as });
                (Self { path, file }, remark)
            }
        }
    }

    /// Takes `change` over into the file.
    pub(crate) fn change(&mut self, change: &SettingsFile) -> Result<(), SettingsError> {
        self.file = change_settings(&self.path, change)?;
        keep_copy(&self.path);
        Ok(())
    }

    /// Takes a choice of the person over that is no setting of the window.
    pub(crate) fn choose(&mut self, section: DesktopSection) -> Result<(), SettingsError> {
        self.change(&SettingsFile { desktop: section, ..SettingsFile::default() })
    }

    /// Where the credential is kept.
    pub(crate) fn secrets_in(&self) -> SecretsIn {
        self.file.desktop.secrets.unwrap_or_default()
    }
}

fn good_copy(path: &Path) -> PathBuf {
    path.with_extension("good.toml")
}

fn keep_copy(path: &Path) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    if std::fs::read_to_string(good_copy(path)).is_ok_and(|copy| copy == text) {
        return;
    }
    // Only a convenience for the day the file is damaged.
    if let Err(error) = write_private(&good_copy(path), &text) {
        tracing::debug!(%error, "no copy of the settings was kept");
    }
}

fn restore(path: &Path) -> (SettingsFile, Option<String>) {
    let aside = path.with_file_name(format!("settings.damaged-{}.toml", clock::now()));
    let kept_as = match std::fs::rename(path, &aside) {
        Ok(()) => Some(aside.display().to_string()),
        Err(error) => {
            tracing::warn!(%error, "the damaged settings file cannot be put aside");
            None
        }
    };
    let good = SettingsFile::read(&good_copy(path)).unwrap_or_default();
    if kept_as.is_some()
        && let Ok(text) = std::fs::read_to_string(good_copy(path))
        && SettingsFile::read(&good_copy(path)).is_ok()
        && let Err(error) = write_private(path, &text)
    {
        tracing::warn!(%error, "the last good settings cannot be written");
    }
    (good, kept_as)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_kept_aside_and_the_last_good_one_used() {
        let data = tempfile::tempdir().unwrap();
        let folders = Folders { data: data.path().to_owned(), home: None };
        let (mut first, remark) = Preferences::open(&folders);
        assert_eq!(remark, None);
        first.choose(DesktopSection { first_run_done: Some(true), ..DesktopSection::default() }).unwrap();
        std::fs::write(folders.settings_file(), "\u{0}\u{0}garbage").unwrap();
        let (again, remark) = Preferences::open(&folders);
        assert_eq!(again.file.desktop.first_run_done, Some(true));
        let Some(Remark::SettingsRestored { kept_as }) = remark else { panic!("no remark") };
        assert_eq!(std::fs::read_to_string(kept_as).unwrap(), "\u{0}\u{0}garbage");
        assert_eq!(Preferences::open(&folders).1, None, "the restored file is in place");
    }
}

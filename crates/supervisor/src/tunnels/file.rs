//! The file with the connections, and its last good version for the day it is damaged.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webcodex_contracts::control::Failure;
use webcodex_settings::{Folders, read_private, write_private};

use crate::status::Remark;
use crate::{clock, failure};

/// The connections, without their secrets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    connections: Vec<KeptConnection>,
}

/// One of them; its settings are the Server's business.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptConnection {
    pub(super) id: String,
    pub(super) settings: Value,
}

impl KeptConnection {
    /// Whether it is on after a start of the app.
    pub(super) fn starts_by_itself(&self) -> bool {
        self.settings["autostart"] == true
    }
}

/// What was read, and what there is to say about it.
pub(super) struct Read {
    pub(super) connections: Vec<KeptConnection>,
    /// The file was damaged.
    pub(super) remark: Option<Remark>,
}

/// The file.
pub(super) struct File(PathBuf);

impl File {
    pub(super) fn of(folders: &Folders) -> Self {
        Self(folders.connections_file())
    }

    /// Reads it. A damaged one is kept under another name and the last good one takes its place.
    pub(super) fn read(&self) -> Result<Read, Failure> {
        let read = match parse(&self.0) {
            Ok(kept) => {
                // None at all may be a file that is gone, which is no reason to forget.
                if !kept.connections.is_empty() {
                    self.keep_copy(&kept);
                }
                Ok(Read { connections: kept.connections, remark: None })
            }
            Err(error) if is_damage(&error) => {
                tracing::warn!(%error, "the file with the connections is put aside");
                self.restore()
            }
            Err(error) => Err(error),
        };
        read.map_err(|error| failure::file(&self.0, &error))
    }

    /// Changes it, or leaves it as it is.
    pub(super) fn change(
        &self,
        change: impl FnOnce(&mut Vec<KeptConnection>),
    ) -> Result<Option<Remark>, Failure> {
        let Read { mut connections, remark } = self.read()?;
        change(&mut connections);
        let kept = Kept { connections };
        write(&self.0, &kept).map_err(|error| failure::file(&self.0, &error))?;
        self.keep_copy(&kept);
        Ok(remark)
    }

    fn good_copy(&self) -> PathBuf {
        self.0.with_extension("good.json")
    }

    fn keep_copy(&self, kept: &Kept) {
        if parse(&self.good_copy()).is_ok_and(|copy| copy == *kept) {
            return;
        }
        // Only a convenience for the day the file is damaged.
        if let Err(error) = write(&self.good_copy(), kept) {
            tracing::debug!(%error, "no copy of the connections was kept");
        }
    }

    fn restore(&self) -> io::Result<Read> {
        let aside = self.0.with_file_name(format!("connections.damaged-{}.json", clock::now()));
        // Copied, so that it is never gone: where the disk is full it is damaged next time as well.
        std::fs::copy(&self.0, &aside)?;
        let good = parse(&self.good_copy()).unwrap_or_default();
        write(&self.0, &good)?;
        let remark = Some(Remark::ConnectionsRestored { kept_as: aside.display().to_string() });
        Ok(Read { connections: good.connections, remark })
    }
}

fn parse(path: &Path) -> io::Result<Kept> {
    let Some(text) = read_private(path)? else { return Ok(Kept::default()) };
    serde_json::from_str(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn write(path: &Path, kept: &Kept) -> io::Result<()> {
    write_private(path, &serde_json::to_string_pretty(kept)?)
}

/// Whether the file was read and says nothing that can be used. One that cannot be read may be whole.
fn is_damage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(id: &str) -> KeptConnection {
        KeptConnection { id: id.to_owned(), settings: Value::Null }
    }

    #[test]
    fn a_damaged_file_is_kept_aside_and_the_last_good_one_used() {
        for garbage in [&b"\0\0garbage"[..], b"", b"\xff\xfe", b"{\"connections\":[{\"id\":"] {
            let data = tempfile::tempdir().unwrap();
            let folders = Folders { data: data.path().to_owned(), home: None };
            let file = File::of(&folders);
            assert_eq!(file.change(|all| all.push(connection("one"))).unwrap(), None);
            std::fs::write(folders.connections_file(), garbage).unwrap();
            let remark = file.change(|all| all.push(connection("two"))).unwrap();
            let Some(Remark::ConnectionsRestored { kept_as }) = remark else { panic!("no remark") };
            assert_eq!(std::fs::read(kept_as).unwrap(), garbage);
            let read = file.read().unwrap();
            assert_eq!(read.connections, [connection("one"), connection("two")]);
            assert_eq!(read.remark, None, "the restored file is in place");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_where_it_is() {
        let data = tempfile::tempdir().unwrap();
        let folders = Folders { data: data.path().to_owned(), home: None };
        std::fs::create_dir(folders.connections_file()).unwrap();
        assert!(File::of(&folders).read().is_err());
        assert!(folders.connections_file().is_dir());
    }
}

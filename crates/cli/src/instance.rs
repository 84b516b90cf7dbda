//! One Server and one Runner per data folder, and how others find the Server.

use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use fs4::{FileExt, TryLockError};
use serde::{Deserialize, Serialize};
use webcodex_settings::{Folders, write_private};

use crate::failure::Failure;

/// A role that only one process per data folder has. The system ends the lock with the process, however it ends.
#[derive(Debug)]
pub(crate) struct InstanceLock(#[expect(dead_code, reason = "held, not read")] File);

impl InstanceLock {
    /// Takes the role, or says who seems to have it.
    pub(crate) fn take(path: &Path, role: &str) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::new(format!("the data folder cannot be used for the {role}"))
                .why(format!("{}: {error}", path.display()))
                .next("check that the folder exists and is yours, or set WEBCODEX_DATA_DIR")
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
        match FileExt::try_lock(&file) {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                Err(Failure::already_running(format!("a {role} already runs with this data folder"))
                    .next("end it first, or set WEBCODEX_DATA_DIR to another folder"))
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Whether some process has the role.
    pub(crate) fn is_taken(path: &Path) -> bool {
        let Ok(file) = File::options().write(true).open(path) else { return false };
        matches!(FileExt::try_lock(&file), Err(TryLockError::WouldBlock))
    }
}

/// What a running Server tells other processes of the same user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerFile {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// Its process.
    pub(crate) pid: u32,
}

impl ServerFile {
    /// Tells the others.
    pub(crate) fn write(&self, folders: &Folders) -> Result<(), Failure> {
        let path = folders.server_file();
        let text = serde_json::to_string(self).map_err(io::Error::other);
        text.and_then(|text| write_private(&path, &text))
            .map_err(|error| Failure::new(format!("`{}` cannot be written", path.display())).why(error))
    }

    /// The Server that runs with this data folder. What the file says counts only while the Server's lock is held: a
    /// port that a dead Server left behind may belong to anybody.
    pub(crate) fn of_running(folders: &Folders) -> Option<Self> {
        if !InstanceLock::is_taken(&folders.server_lock()) {
            return None;
        }
        serde_json::from_str(&std::fs::read_to_string(folders.server_file()).ok()?).ok()
    }
}

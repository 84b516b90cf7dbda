//! What an earlier start of the app left behind, should the system not have ended it with the app.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use fs4::{FileExt, TryLockError};
use serde::{Deserialize, Serialize};
use webcodex_settings::{Folders, read_private, write_private};

use crate::process::{self, Identity, Role};

/// A leftover has this long to end in order.
const END_WITHIN: Duration = Duration::from_secs(3);
/// How often a leftover is looked at while it ends.
const LOOK: Duration = Duration::from_millis(20);

/// A background program that was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noted {
    pub(crate) role: Role,
    pub(crate) pid: u32,
    pub(crate) identity: Identity,
}

impl Noted {
    /// Notes a process of ours; nothing if it has ended already.
    pub(crate) fn of(role: Role, pid: u32) -> Option<Self> {
        process::identity(pid).map(|identity| Self { role, pid, identity })
    }

    /// Whether this very process still runs. Its number alone says nothing: it may belong to another program by now.
    fn lives(&self) -> bool {
        process::identity(self.pid).is_some_and(|identity| identity == self.identity)
    }
}

/// Keeps what runs, for the next start.
pub(crate) fn note(folders: &Folders, running: &[Noted]) -> io::Result<()> {
    let text = serde_json::to_string(running).map_err(io::Error::other)?;
    write_private(&folders.desktop_parts_file(), &text)
}

/// Ends what still runs of what was noted, and nothing else.
pub(crate) async fn end(folders: &Folders) {
    let noted = read_private(&folders.desktop_parts_file()).ok().flatten();
    let noted: Vec<Noted> = noted.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    for part in noted.iter().filter(|part| part.lives()) {
        tracing::warn!(pid = part.pid, role = part.role.name(), "a leftover of an earlier start is ended");
        process::end_soft(part.pid);
        if !gone(part).await {
            process::end_hard(part.pid);
            gone(part).await;
        }
    }
}

async fn gone(part: &Noted) -> bool {
    let gone = async {
        while part.lives() {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(END_WITHIN, gone).await.is_ok()
}

/// The data folder's one desktop app. The system ends the lock with the process, however it ends.
#[derive(Debug)]
pub(crate) struct AppLock {
    _file: File,
}

impl AppLock {
    /// Takes the lock; nothing while another app has it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        match FileExt::try_lock(&file) {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_very_process_that_was_noted_is_ended() {
        let data = tempfile::tempdir().unwrap();
        let folders = Folders { data: data.path().to_owned(), home: None };
        let sleeper =
            || tokio::process::Command::new("sleep").arg("1000").kill_on_drop(true).spawn().unwrap();
        let (mut ours, mut foreign) = (sleeper(), sleeper());
        let noted = Noted::of(Role::Server, ours.id().unwrap()).unwrap();
        let mut other = Noted::of(Role::Runner, foreign.id().unwrap()).unwrap();
        other.identity.started = "another time".to_owned();
        note(&folders, &[noted, other]).unwrap();
        let (_, ended) = tokio::join!(end(&folders), ours.wait());
        assert!(!ended.unwrap().success());
        assert!(
            foreign.try_wait().unwrap().is_none(),
            "a process with the number of one of ours is left alone"
        );
    }
}

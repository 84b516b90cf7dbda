//! Whether the disk of the data folder has room: suspected after every failure, and looked at until there is room again.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use crate::desktop_file::is_full;

/// A full disk is looked at again this often.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// Where less can be written, the disk counts as full.
const ROOM: usize = 64 * 1024;

/// What is known of the disk.
#[derive(Debug)]
pub(super) struct Disk {
    folder: PathBuf,
    full: bool,
    /// When it is looked at next.
    next: Option<Instant>,
}

impl Disk {
    pub(super) fn of(folder: PathBuf) -> Self {
        Self { folder, full: false, next: None }
    }

    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn next_look(&self) -> Option<Instant> {
        self.next
    }

    /// Something failed that may be the disk's doing.
    pub(super) fn suspect(&mut self, now: Instant) {
        self.next = Some(now);
    }

    /// Asks the system, without writing anything, whether there is room.
    pub(super) fn ask(&mut self, now: Instant) {
        if fs4::available_space(&self.folder).is_ok_and(|bytes| bytes < ROOM as u64) {
            self.suspect(now);
        }
    }

    /// Looks, if it is time. `true`: there is room again.
    pub(super) fn look(&mut self, now: Instant) -> bool {
        if self.next.is_none_or(|next| next > now) {
            return false;
        }
        let full = self.write().is_err_and(|error| is_full(&error));
        let was_full = std::mem::replace(&mut self.full, full);
        self.next = self.full.then_some(now + LOOK_AGAIN);
        was_full && !self.full
    }

    /// Writes as much as there must be room for; the system removes it again, whatever happens.
    fn write(&self) -> std::io::Result<()> {
        let mut file = tempfile::tempfile_in(&self.folder)?;
        file.write_all(&[0; ROOM])?;
        file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_with_room_is_looked_at_once_per_suspicion() {
        let data = tempfile::tempdir().unwrap();
        let mut disk = Disk::of(data.path().to_owned());
        let now = Instant::now();
        assert!(!disk.look(now));
        disk.suspect(now);
        assert_eq!(disk.next_look(), Some(now));
        assert!(!disk.look(now), "it was not full, so there is not room *again*");
        assert_eq!((disk.is_full(), disk.next_look()), (false, None));
        disk.full = true;
        disk.suspect(now);
        assert!(disk.look(now));
    }
}

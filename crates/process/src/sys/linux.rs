//! Processes as `/proc` shows them.

use std::fs::File;
use std::io;
use std::ops::Range;

use rustix::fs::FallocateFlags;
use rustix::process::{PidfdFlags, pidfd_open};

use super::Entry;
use crate::sys::MARK_NAME;

/// Every process that has not ended.
pub(super) fn processes() -> Vec<Entry> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(|pid| Stat::read(pid)?.living(pid)).collect()
}

/// Whether the process was started with a mark that `belongs`.
pub(super) fn carries_mark(pid: u32, belongs: impl Fn(&str) -> bool) -> bool {
    let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else { return false };
    environment
        .split(|byte| *byte == 0)
        .filter_map(|entry| std::str::from_utf8(entry).ok()?.strip_prefix(MARK_NAME)?.strip_prefix('='))
        .any(belongs)
}

/// When a process started, in ticks since the system did; with its number it names one process for good.
pub(crate) fn stamp(pid: u32) -> Option<u64> {
    let stat = Stat::read(pid)?;
    stat.living(pid).and_then(|_| stat.field(22)?.parse().ok())
}

/// Waits until a process that is not our child has ended.
pub(crate) async fn wait_for_end(pid: u32) -> io::Result<()> {
    let Some(pid) = super::pid(pid) else { return Ok(()) };
    match pidfd_open(pid, PidfdFlags::NONBLOCK) {
        Ok(handle) => super::readable(handle).await,
        Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Gives the blocks of a part of a file back to the disk.
pub(crate) fn punch_hole(file: &File, range: Range<u64>) -> io::Result<()> {
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    Ok(rustix::fs::fallocate(file, flags, range.start, range.end - range.start)?)
}

/// The line of `/proc/<pid>/stat`.
struct Stat(String);

impl Stat {
    fn read(pid: u32) -> Option<Self> {
        let bytes = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Some(Self(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// A field by its number in the manual, from 3 on; the second is a name that may hold anything.
    fn field(&self, number: usize) -> Option<&str> {
        let (_, rest) = self.0.rsplit_once(')')?;
        rest.split_ascii_whitespace().nth(number - 3)
    }

    /// `None` for a process that has ended and waits to be reaped.
    fn living(&self, pid: u32) -> Option<Entry> {
        if matches!(self.field(3)?, "Z" | "X" | "x") {
            return None;
        }
        Some(Entry { pid, parent: self.field(4)?.parse().ok()?, group: self.field(5)?.parse().ok()? })
    }
}

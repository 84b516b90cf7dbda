//! Process groups of Linux and macOS.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::process::{Child, Command};

use super::Session;

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod native;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod native;

pub(crate) use native::{punch_hole, stamp, wait_for_end};

/// Rounds of looking for processes that start others while they are being ended.
const KILL_ROUNDS: usize = 5;

/// A living process.
#[derive(Debug, Clone, Copy)]
struct Entry {
    pid: u32,
    parent: u32,
    group: u32,
}

/// A command and everything it started.
#[derive(Debug)]
pub(crate) struct Group {
    leader: u32,
    mark: String,
    /// The leader has been reaped, so its number may come to mean another process.
    leader_gone: AtomicBool,
}

/// Starts `command` as the leader of a new group; its environment must carry `mark`.
pub(crate) fn spawn(command: &mut Command, session: Session, mark: &str) -> io::Result<(Child, Group)> {
    match session {
        Session::Shared => {
            command.process_group(0);
        }
        Session::Own => own_session(command),
    }
    let child = command.spawn()?;
    let leader = child.id().ok_or_else(|| io::Error::other("the program ended before it had a number"))?;
    Ok((child, Group::adopt(leader, mark)))
}

/// A new session. The standard library then forks instead of using the quicker `posix_spawn`.
#[allow(unsafe_code)]
fn own_session(command: &mut Command) {
    // SAFETY: between fork and exec only `setsid`, a plain system call, is made; nothing is allocated or locked.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        });
    }
}

/// Whether commands would find a terminal to ask on.
pub(crate) fn has_terminal() -> bool {
    let flags = libc::O_NOCTTY | libc::O_NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags).open("/dev/tty").is_ok()
}

impl Group {
    /// The group of a process that is already there.
    pub(crate) fn adopt(leader: u32, mark: &str) -> Self {
        Self { leader, mark: mark.to_owned(), leader_gone: AtomicBool::new(false) }
    }

    /// The number of the command itself.
    pub(crate) fn leader(&self) -> u32 {
        self.leader
    }

    /// Whether the leader lives and is the process that was started with the mark, not another with its number.
    pub(crate) fn leader_is_ours(&self) -> bool {
        pid(self.leader).is_some() && native::carries_mark(self.leader, |mark| mark == self.mark)
    }

    /// To be called as soon as the command itself has been reaped.
    pub(crate) fn note_leader_gone(&self) {
        self.leader_gone.store(true, Ordering::Release);
    }

    /// Whether something of the group may still be there. Cheap; `members` knows for sure.
    pub(crate) fn may_live(&self) -> bool {
        pid(self.leader).is_some_and(|leader| test_kill_process_group(leader) != Err(rustix::io::Errno::SRCH))
    }

    /// Asks every process to end, stopped ones too. Looks through all processes: not for the async threads.
    pub(crate) fn ask_to_end(&self) {
        let outside = self.outside_group();
        for signal in [Signal::TERM, Signal::CONT] {
            self.signal_group(signal);
            outside.iter().for_each(|member| signal_process(*member, signal));
        }
    }

    /// Ends every process at once. Looks through all processes: not for the async threads.
    pub(crate) fn kill(&self) {
        for _ in 0..KILL_ROUNDS {
            self.signal_group(Signal::KILL);
            let members = self.members();
            if members.is_empty() {
                return;
            }
            members.into_iter().for_each(|member| signal_process(member, Signal::KILL));
        }
    }

    /// The living processes of the group, and those that left it but carry its mark or descend from it.
    pub(crate) fn members(&self) -> Vec<u32> {
        let entries = native::processes();
        // A process with the number of a leader that has gone is a stranger, and so is its group.
        let recycled =
            self.leader_gone.load(Ordering::Acquire) && entries.iter().any(|entry| entry.pid == self.leader);
        family(&entries, |entry| {
            (!recycled && entry.group == self.leader)
                || native::carries_mark(entry.pid, |mark| mark == self.mark)
        })
    }

    fn outside_group(&self) -> Vec<u32> {
        let in_group = |member: &u32| {
            let group = pid(*member).and_then(|member| rustix::process::getpgid(Some(member)).ok());
            group.is_some_and(|group| group.as_raw_nonzero().get().unsigned_abs() == self.leader)
        };
        self.members().into_iter().filter(|member| !in_group(member)).collect()
    }

    /// One signal for the whole group, which no new process escapes.
    fn signal_group(&self, signal: Signal) {
        if !self.leader_gone.load(Ordering::Acquire)
            && let Some(leader) = pid(self.leader)
        {
            // Fails only if nothing is left to signal.
            let _ = kill_process_group(leader, signal);
            return;
        }
        self.members().into_iter().for_each(|member| signal_process(member, signal));
    }
}

/// Ends every process whose mark `belongs`, with what descends from it: what a Runner that is gone left behind.
pub(crate) fn kill_marked(belongs: impl Fn(&str) -> bool) {
    for _ in 0..KILL_ROUNDS {
        let members = family(&native::processes(), |entry| native::carries_mark(entry.pid, &belongs));
        if members.is_empty() {
            return;
        }
        members.into_iter().for_each(|member| signal_process(member, Signal::KILL));
    }
}

/// The processes that `is_root` selects and all that descend from them, without this one.
fn family(entries: &[Entry], is_root: impl Fn(&Entry) -> bool) -> Vec<u32> {
    let own = std::process::id();
    let mut members: Vec<u32> =
        entries.iter().filter(|entry| entry.pid != own && is_root(entry)).map(|entry| entry.pid).collect();
    let mut next = 0;
    while next < members.len() {
        let parent = members[next];
        let children = entries.iter().filter(|entry| entry.parent == parent && entry.pid != own);
        let new: Vec<u32> = children.map(|entry| entry.pid).filter(|pid| !members.contains(pid)).collect();
        members.extend(new);
        next += 1;
    }
    members
}

fn pid(number: u32) -> Option<Pid> {
    // 0 and 1 would address groups that are not ours.
    i32::try_from(number).ok().filter(|number| *number > 1).and_then(Pid::from_raw)
}

fn signal_process(number: u32, signal: Signal) {
    if let Some(process) = pid(number) {
        // It may have ended by itself just now, or belong to another user.
        let _ = kill_process(process, signal);
    }
}

/// Waits until a descriptor has something to tell.
#[allow(unsafe_code)]
async fn readable(handle: OwnedFd) -> io::Result<()> {
    // SAFETY: the descriptor is owned by the value that is registered, and closed only with it.
    let registered = unsafe { AsyncFd::register_with_interest(handle, Interest::READABLE) }?;
    registered.readable().await.map(drop)
}

/// Options for a file that only the user may read.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Makes a folder that only the user may enter.
pub(crate) fn private_folder(path: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], offset + read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Whether programs here write in a code page that the system knows.
pub(crate) const HAS_CODE_PAGE: bool = false;

pub(crate) fn decode_code_page(_bytes: &[u8]) -> Option<(String, String)> {
    None
}

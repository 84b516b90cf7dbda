//! Job Objects, process snapshots and code pages of Windows.

mod file;
mod job;
mod process;

use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};

use tokio::process::{Child, Command};
use windows_sys::Win32::System::Threading::{CREATE_BREAKAWAY_FROM_JOB, CREATE_NO_WINDOW, CREATE_SUSPENDED};

pub(crate) use file::*;
pub(crate) use process::{stamp, wait_for_end};

use self::job::{JobObject, OnClose};
use super::Session;

/// A command and everything it started.
#[derive(Debug)]
pub(crate) struct Group {
    leader: u32,
    /// Absent for a process that an earlier Runner started.
    job: Option<JobObject>,
}

/// Starts `command` in a Job Object of its own, into which everything it starts is born.
///
/// With [`Session::Own`] the processes go on when this one ends, and leave the Job Object that this one may be in, if
/// that allows it.
pub(crate) fn spawn(command: &mut Command, session: Session, _mark: &str) -> io::Result<(Child, Group)> {
    // Suspended, so that nothing is started before the process is in its job.
    let flags = CREATE_NO_WINDOW | CREATE_SUSPENDED;
    let (child, on_close) = match session {
        Session::Shared => (command.creation_flags(flags).spawn()?, OnClose::Kill),
        Session::Own => {
            let child = match command.creation_flags(flags | CREATE_BREAKAWAY_FROM_JOB).spawn() {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    command.creation_flags(flags).spawn()?
                }
                other => other?,
            };
            (child, OnClose::GoOn)
        }
    };
    contain(child, on_close)
}

fn contain(mut child: Child, on_close: OnClose) -> io::Result<(Child, Group)> {
    match place(&child, on_close) {
        Ok(group) => Ok((child, group)),
        Err(error) => {
            // It has not run a single instruction yet. If it cannot be ended, it stays suspended.
            let _ = child.start_kill();
            Err(error)
        }
    }
}

#[allow(unsafe_code)]
fn place(child: &Child, on_close: OnClose) -> io::Result<Group> {
    let gone = || io::Error::other("the program ended before it could be contained");
    let (Some(handle), Some(leader)) = (child.raw_handle(), child.id()) else { return Err(gone()) };
    // SAFETY: `child` owns the handle and outlives this borrow.
    let handle = unsafe { BorrowedHandle::borrow_raw(handle) };
    let job = JobObject::new(on_close)?;
    job.assign(handle)?;
    process::resume(leader)?;
    Ok(Group { leader, job: Some(job) })
}

/// Commands are started without a console window, so there is none to ask on.
pub(crate) fn has_terminal() -> bool {
    false
}

impl Group {
    /// The group of a process that is already there.
    pub(crate) fn adopt(leader: u32, _mark: &str) -> Self {
        Self { leader, job: None }
    }

    /// The number of the command itself.
    pub(crate) fn leader(&self) -> u32 {
        self.leader
    }

    /// What an earlier Runner started has ended with its Job Object.
    pub(crate) fn leader_is_ours(&self) -> bool {
        false
    }

    /// The system keeps the number as long as the handle of the process is open.
    pub(crate) fn note_leader_gone(&self) {}

    /// Whether something of the group is still there.
    pub(crate) fn may_live(&self) -> bool {
        !self.members().is_empty()
    }

    /// There is no way to ask a process without a window; what follows is [`Group::kill`].
    pub(crate) fn ask_to_end(&self) {
        self.kill();
    }

    /// Ends every process at once.
    pub(crate) fn kill(&self) {
        match &self.job {
            Some(job) => job.terminate(),
            None => self.members().into_iter().for_each(process::terminate),
        }
    }

    /// The living processes.
    pub(crate) fn members(&self) -> Vec<u32> {
        match &self.job {
            Some(job) => job.members(),
            None => process::family(self.leader),
        }
    }
}

/// What a Runner left behind has ended with the handles of its Job Objects.
pub(crate) fn kill_marked(_belongs: impl Fn(&str) -> bool) {}

/// A handle of ours.
fn raw(handle: &impl AsRawHandle) -> windows_sys::Win32::Foundation::HANDLE {
    handle.as_raw_handle().cast()
}

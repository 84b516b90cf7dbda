//! Processes of Unix systems.

use std::io;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use super::Identity;

/// Starts a background program in a group of its own, so that Ctrl-C at a terminal reaches the app alone.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    follow_parent(command);
    command.spawn()
}

/// Lets the system ask the program to end when the thread that starts it ends, however that happens. The closed pipe
/// says the same; this also reaches a program that does not read it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn follow_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    // SAFETY: between fork and exec only async-signal-safe system calls are made, and nothing is allocated.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
            // The parent may have gone before the line above.
            if rustix::process::getppid() != Some(parent) {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            Ok(())
        });
    }
}

/// What makes the process with this number the one it is; nothing if there is none, or it has ended.
#[cfg(target_os = "linux")]
pub(crate) fn identity(pid: u32) -> Option<Identity> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, blanks and parentheses included.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    // The state was field 3; the start time is field 22.
    let started = fields.nth(18)?.to_owned();
    let program = std::fs::read_link(format!("/proc/{pid}/exe")).ok()?.into_os_string().into_string().ok()?;
    // A program file that an update replaced is still the same program.
    let program = program.strip_suffix(" (deleted)").unwrap_or(&program).to_owned();
    Some(Identity { started, program })
}

/// What makes the process with this number the one it is; nothing if there is none, or it has ended.
#[cfg(not(target_os = "linux"))]
pub(crate) fn identity(pid: u32) -> Option<Identity> {
    let mut ps = std::process::Command::new("/bin/ps");
    let output =
        ps.args(["-o", "stat=,lstart=,comm=", "-p", &pid.to_string()]).env("LC_ALL", "C").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (state, rest) = text.trim().split_once(' ')?;
    if state.starts_with('Z') {
        return None;
    }
    // `lstart` is always 24 characters long, as `Thu Jan  1 00:00:00 1970`.
    let (started, program) = rest.trim_start().split_at_checked(24)?;
    Some(Identity { started: started.to_owned(), program: program.trim().to_owned() })
}

/// Asks a process to end.
pub(crate) fn end_soft(pid: u32) {
    signal(pid, Signal::TERM);
    // A stopped one can only hear it once it goes on.
    signal(pid, Signal::CONT);
}

/// Ends a process at once.
pub(crate) fn end_hard(pid: u32) {
    signal(pid, Signal::KILL);
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process(pid, signal);
    }
}

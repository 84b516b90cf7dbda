//! Single processes: identity, descent, end.

use std::io;
use std::mem;
use std::os::windows::io::{FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CREATE_TOOLHELP_SNAPSHOT_FLAGS, CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW,
    Process32NextW, TH32CS_SNAPPROCESS, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::Threading::{
    GetProcessTimes, INFINITE, OpenProcess, OpenThread, PROCESS_ACCESS_RIGHTS,
    PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE, PROCESS_TERMINATE, ResumeThread,
    THREAD_SUSPEND_RESUME, TerminateProcess, WaitForSingleObject,
};

use super::job::ENDED;
use super::raw;

/// When a living process started, in units of 100 ns; with its number it names one process for good.
pub(crate) fn stamp(pid: u32) -> Option<u64> {
    let process = open(pid, PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE)?;
    if has_ended(&process, 0) { None } else { started(&process) }
}

/// Waits until a process that is not our child has ended.
pub(crate) async fn wait_for_end(pid: u32) -> io::Result<()> {
    let Some(process) = open(pid, PROCESS_SYNCHRONIZE) else { return Ok(()) };
    tokio::task::spawn_blocking(move || has_ended(&process, INFINITE))
        .await
        .map(drop)
        .map_err(io::Error::other)
}

/// Ends one process.
#[allow(unsafe_code)]
pub(super) fn terminate(pid: u32) {
    if let Some(process) = open(pid, PROCESS_TERMINATE) {
        // SAFETY: the handle is open. It fails only if the process has ended.
        unsafe { TerminateProcess(raw(&process), ENDED) };
    }
}

/// A living process and all that descend from it. A process that names a parent younger than itself was left by
/// another one with that number.
pub(super) fn family(leader: u32) -> Vec<u32> {
    let entries = processes();
    let mut members: Vec<(u32, u64)> = stamp(leader).map(|started| (leader, started)).into_iter().collect();
    let mut next = 0;
    while let Some((parent, parent_started)) = members.get(next).copied() {
        for (pid, _) in entries.iter().filter(|(pid, of)| *of == parent && *pid != parent) {
            let known = members.iter().any(|(member, _)| member == pid);
            if let Some(started) = stamp(*pid).filter(|started| !known && *started >= parent_started) {
                members.push((*pid, started));
            }
        }
        next += 1;
    }
    members.into_iter().map(|(pid, _)| pid).collect()
}

/// Lets the threads of a process run that was started suspended.
#[allow(unsafe_code)]
pub(super) fn resume(pid: u32) -> io::Result<()> {
    let snapshot = snapshot(TH32CS_SNAPTHREAD)?;
    let mut entry = THREADENTRY32 { dwSize: mem::size_of::<THREADENTRY32>() as u32, ..Default::default() };
    let mut resumed = false;
    // SAFETY: the snapshot is open and `entry` states its size.
    let mut more = unsafe { Thread32First(raw(&snapshot), &raw mut entry) } != 0;
    while more {
        if entry.th32OwnerProcessID == pid {
            // SAFETY: only asks for a handle.
            let thread = owned(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) })
                .ok_or_else(io::Error::last_os_error)?;
            // SAFETY: the handle is open and allows it.
            if unsafe { ResumeThread(raw(&thread)) } == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            resumed = true;
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(raw(&snapshot), &raw mut entry) } != 0;
    }
    if resumed { Ok(()) } else { Err(io::Error::other("the program's first thread was not found")) }
}

/// Every process with its parent.
#[allow(unsafe_code)]
fn processes() -> Vec<(u32, u32)> {
    let Ok(snapshot) = snapshot(TH32CS_SNAPPROCESS) else { return Vec::new() };
    let mut entry =
        PROCESSENTRY32W { dwSize: mem::size_of::<PROCESSENTRY32W>() as u32, ..Default::default() };
    let mut found = Vec::new();
    // SAFETY: the snapshot is open and `entry` states its size.
    let mut more = unsafe { Process32FirstW(raw(&snapshot), &raw mut entry) } != 0;
    while more {
        found.push((entry.th32ProcessID, entry.th32ParentProcessID));
        // SAFETY: as above.
        more = unsafe { Process32NextW(raw(&snapshot), &raw mut entry) } != 0;
    }
    found
}

#[allow(unsafe_code)]
fn snapshot(of: CREATE_TOOLHELP_SNAPSHOT_FLAGS) -> io::Result<OwnedHandle> {
    // SAFETY: only asks for a handle.
    owned(unsafe { CreateToolhelp32Snapshot(of, 0) }).ok_or_else(io::Error::last_os_error)
}

#[allow(unsafe_code)]
fn open(pid: u32, rights: PROCESS_ACCESS_RIGHTS) -> Option<OwnedHandle> {
    // SAFETY: only asks for a handle.
    owned(unsafe { OpenProcess(rights, 0, pid) })
}

#[allow(unsafe_code)]
fn owned(handle: HANDLE) -> Option<OwnedHandle> {
    let valid = !handle.is_null() && handle != INVALID_HANDLE_VALUE;
    // SAFETY: a valid handle from the calls above is new and owned by nobody else.
    valid.then(|| unsafe { OwnedHandle::from_raw_handle(handle.cast()) })
}

#[allow(unsafe_code)]
fn has_ended(process: &OwnedHandle, wait_ms: u32) -> bool {
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(raw(process), wait_ms) == WAIT_OBJECT_0 }
}

#[allow(unsafe_code)]
fn started(process: &OwnedHandle) -> Option<u64> {
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: the handle is open and each pointer is to a time of its own.
    let known = unsafe { GetProcessTimes(raw(process), created, exited, kernel, user) };
    (known != 0).then(|| u64::from(times[0].dwHighDateTime) << 32 | u64::from(times[0].dwLowDateTime))
}

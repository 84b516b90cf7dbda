//! Processes of Windows.

use std::io;
use std::mem;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::sync::OnceLock;

use tokio::process::{Child, Command};
use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_BREAKAWAY_OK,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, GetProcessTimes, OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_TERMINATE, QueryFullProcessImageNameW, TerminateProcess,
};

use super::Identity;

/// Starts a background program without a console window, in the job that ends with this process.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.creation_flags(CREATE_NO_WINDOW);
    let child = command.spawn()?;
    if let Some(handle) = child.raw_handle() {
        assign(handle.cast())?;
    }
    Ok(child)
}

/// The job of all background programs. Its handle closes when this process ends in any way, and the system then ends
/// what is in it. Programs that are meant to outlive it may leave it.
#[allow(unsafe_code)]
fn job() -> io::Result<&'static OwnedHandle> {
    static JOB: OnceLock<Option<OwnedHandle>> = OnceLock::new();
    let made = JOB.get_or_init(|| {
        // SAFETY: no attributes and no name are asked for.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return None;
        }
        // SAFETY: the handle is new and owned by nobody else.
        let job = unsafe { OwnedHandle::from_raw_handle(handle.cast()) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_BREAKAWAY_OK;
        // SAFETY: `limits` is the structure that belongs to this class, and its size is given.
        let set = unsafe {
            SetInformationJobObject(
                raw(&job),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                mem::size_of_val(&limits) as u32,
            )
        };
        (set != 0).then_some(job)
    });
    made.as_ref().ok_or_else(|| io::Error::other("the system gave no Job Object"))
}

#[allow(unsafe_code)]
fn assign(process: HANDLE) -> io::Result<()> {
    // SAFETY: both handles are open.
    let assigned = unsafe { AssignProcessToJobObject(raw(job()?), process) };
    if assigned == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn raw(handle: &OwnedHandle) -> HANDLE {
    handle.as_raw_handle().cast()
}

#[allow(unsafe_code)]
fn open(pid: u32, access: u32) -> Option<OwnedHandle> {
    // SAFETY: it takes no pointers.
    let handle = unsafe { OpenProcess(access, 0, pid) };
    // SAFETY: the handle is new and owned by nobody else.
    (!handle.is_null()).then(|| unsafe { OwnedHandle::from_raw_handle(handle.cast()) })
}

/// What makes the process with this number the one it is; nothing if there is none, or it has ended.
#[allow(unsafe_code)]
pub(crate) fn identity(pid: u32) -> Option<Identity> {
    let process = open(pid, PROCESS_QUERY_LIMITED_INFORMATION)?;
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: the four places are valid for writing.
    let told = unsafe { GetProcessTimes(raw(&process), created, exited, kernel, user) };
    if told == 0 || exited.dwHighDateTime != 0 || exited.dwLowDateTime != 0 {
        return None;
    }
    let mut name = vec![0_u16; 32 * 1024];
    let mut length = name.len() as u32;
    // SAFETY: `name` is valid for `length` units.
    let named = unsafe {
        QueryFullProcessImageNameW(raw(&process), PROCESS_NAME_WIN32, name.as_mut_ptr(), &mut length)
    };
    if named == 0 {
        return None;
    }
    let started = (u64::from(created.dwHighDateTime) << 32) | u64::from(created.dwLowDateTime);
    Some(Identity {
        started: started.to_string(),
        program: String::from_utf16_lossy(&name[..length as usize]),
    })
}

/// Asks a process to end. Windows has no way to ask a program without a window.
pub(crate) fn end_soft(_pid: u32) {}

/// Ends a process at once.
#[allow(unsafe_code)]
pub(crate) fn end_hard(pid: u32) {
    if let Some(process) = open(pid, PROCESS_TERMINATE) {
        // SAFETY: the handle is open. It fails only if the process has ended.
        unsafe { TerminateProcess(raw(&process), 1) };
    }
}

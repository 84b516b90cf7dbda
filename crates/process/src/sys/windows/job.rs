//! A Job Object: everything that a process in it starts is in it too.

use std::io;
use std::mem;
use std::os::windows::io::{AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};

use super::raw;

/// Exit code of processes that were ended by us.
pub(super) const ENDED: u32 = 1;
/// Processes of one command that are listed.
const MAX_LISTED: usize = 1024;

/// What happens to the processes when the last handle is closed, as it is when this process ends in any way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnClose {
    Kill,
    GoOn,
}

#[derive(Debug)]
pub(super) struct JobObject(OwnedHandle);

#[allow(unsafe_code)]
impl JobObject {
    pub(super) fn new(on_close: OnClose) -> io::Result<Self> {
        // SAFETY: no attributes and no name are asked for.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new and owned by nobody else.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle.cast()) });
        if on_close == OnClose::Kill {
            job.kill_on_close()?;
        }
        Ok(job)
    }

    fn kill_on_close(&self) -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: `limits` is the structure that belongs to this class, and its size is given.
        let set = unsafe {
            SetInformationJobObject(
                raw(&self.0),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                mem::size_of_val(&limits) as u32,
            )
        };
        if set == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Puts a process into the job.
    pub(super) fn assign(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: both handles are open.
        let assigned = unsafe { AssignProcessToJobObject(raw(&self.0), process.as_raw_handle().cast()) };
        if assigned == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Ends every process in the job.
    pub(super) fn terminate(&self) {
        // SAFETY: the handle is open. It fails only if nothing is left to end.
        unsafe { TerminateJobObject(raw(&self.0), ENDED) };
    }

    /// The processes in the job.
    pub(super) fn members(&self) -> Vec<u32> {
        // Two counts of 32 bits, then one number of pointer size for each process: the layout of
        // `JOBOBJECT_BASIC_PROCESS_ID_LIST`, made longer.
        let header = 2 * mem::size_of::<u32>() / mem::size_of::<usize>();
        let mut list = vec![0_usize; header + MAX_LISTED];
        let size = mem::size_of_val(list.as_slice()) as u32;
        // SAFETY: `list` is aligned for the structure and valid for `size` bytes. If more processes are in the job
        // than fit, the call fails with what fits filled in.
        unsafe {
            QueryInformationJobObject(
                raw(&self.0),
                JobObjectBasicProcessIdList,
                list.as_mut_ptr().cast(),
                size,
                ptr::null_mut(),
            )
        };
        list.into_iter()
            .skip(header)
            .filter(|pid| *pid != 0)
            .filter_map(|pid| u32::try_from(pid).ok())
            .collect()
    }
}

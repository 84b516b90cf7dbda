//! Windows: the working set is emptied; pages that are needed again come back from the standby list or their file.

use windows_sys::Win32::System::ProcessStatus::EmptyWorkingSet;
use windows_sys::Win32::System::Threading::GetCurrentProcess;

#[allow(unsafe_code)]
pub(super) fn give_back() {
    // SAFETY: the handle is the pseudo handle of this process, which needs no closing.
    let done = unsafe { EmptyWorkingSet(GetCurrentProcess()) };
    if done == 0 {
        tracing::debug!(error = %std::io::Error::last_os_error(), "the working set was not emptied");
    }
}

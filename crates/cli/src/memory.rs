//! Gives memory back to the system after a burst of work.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// How often the number of calls is looked at; a burst is over when it stood still for this long.
const LOOK: Duration = Duration::from_secs(2);

/// Trims the heap once after each burst of calls. `calls` counts the calls made so far.
pub(crate) async fn trim_when_quiet(calls: impl Fn() -> u64, ended: CancellationToken) {
    let mut seen = calls();
    let mut trimmed = seen;
    while ended.run_until_cancelled(tokio::time::sleep(LOOK)).await.is_some() {
        let now = calls();
        if now == seen && now != trimmed {
            trim();
            trimmed = now;
        }
        seen = now;
    }
}

/// Makes all threads allocate from one heap, which a trim can give back; more heaps gain nothing for this load. To be
/// called before the first thread starts.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn use_one_heap() {
    // SAFETY: mallopt takes no pointers; it is called while the process has one thread.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn use_one_heap() {}

/// glibc keeps freed memory of a burst until it is told otherwise.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn trim() {
    // SAFETY: malloc_trim takes no pointers and may be called at any time from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

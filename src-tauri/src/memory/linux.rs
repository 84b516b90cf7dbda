//! Linux: the heap is trimmed, pages that can be read again from their file are let go, and the web view's network
//! process, which outlives its last page, is ended.

use std::ffi::c_void;
use std::fs;
use std::ops::Range;

use libc::{MADV_PAGEOUT, SIGTERM};

/// The process that loads for all pages; the web view starts it again for the next one.
const LOADER: &str = "WebKitNetworkPr";

#[allow(unsafe_code)]
pub(super) fn give_back() {
    for pid in loaders() {
        // SAFETY: takes no pointers; the process is a child that was not waited for, so its number is its own.
        unsafe { libc::kill(pid, SIGTERM) };
    }
    #[cfg(target_env = "gnu")]
    // SAFETY: takes no pointers and may be called at any time from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
    for pages in fs::read_to_string("/proc/self/maps").unwrap_or_default().lines().filter_map(of_a_file) {
        // SAFETY: the advice never changes what the pages hold; a range that is no longer mapped is refused.
        unsafe { libc::madvise(pages.start as *mut c_void, pages.len(), MADV_PAGEOUT) };
    }
}

/// Children of this process that load for pages.
fn loaders() -> Vec<i32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children = lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<i32>>());
    children
        .filter(|pid| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == LOADER))
        .collect()
}

/// The addresses of a line of `/proc/self/maps`, where a file is mapped (proc_pid_maps(5)).
fn of_a_file(line: &str) -> Option<Range<usize>> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let inode = words.nth(3)?;
    let number = |digits| usize::from_str_radix(digits, 16).ok();
    (inode != "0").then_some(number(start)?..number(end)?)
}

#[cfg(test)]
mod tests {
    use super::of_a_file;

    #[test]
    fn only_files_are_let_go() {
        let code =
            "55d0a000-55d0b000 r-xp 00001000 fd:00 4711                       /usr/bin/webcodex-desktop";
        assert_eq!(of_a_file(code), Some(0x55d0_a000..0x55d0_b000));
        assert_eq!(of_a_file("7f00-7f10 rw-p 00000000 00:00 0                          [heap]"), None);
        assert_eq!(of_a_file("7f00-7f10 rw-p 00000000 00:00 0 "), None);
        assert_eq!(of_a_file(""), None);
    }
}

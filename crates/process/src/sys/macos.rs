//! Processes as libproc and sysctl show them.

use std::fs::File;
use std::io;
use std::mem;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::ptr;

use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent, kqueue};

use super::Entry;
use crate::sys::MARK_NAME;

/// Every process that has not ended.
pub(super) fn processes() -> Vec<Entry> {
    numbers()
        .into_iter()
        .filter_map(|pid| {
            let info = info(pid)?;
            Some(Entry { pid, parent: info.pbi_ppid, group: info.pbi_pgid })
        })
        .collect()
}

/// Whether the process was started with a mark that `belongs`.
pub(super) fn carries_mark(pid: u32, belongs: impl Fn(&str) -> bool) -> bool {
    let Some(area) = argument_area(pid) else { return false };
    area.split(|byte| *byte == 0)
        .filter_map(|entry| std::str::from_utf8(entry).ok()?.strip_prefix(MARK_NAME)?.strip_prefix('='))
        .any(belongs)
}

/// When a process started, in microseconds; with its number it names one process for good.
pub(crate) fn stamp(pid: u32) -> Option<u64> {
    info(pid).map(|info| info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec)
}

/// Waits until a process that is not our child has ended.
pub(crate) async fn wait_for_end(pid: u32) -> io::Result<()> {
    let Some(process) = super::pid(pid) else { return Ok(()) };
    let queue = kqueue()?;
    let filter = EventFilter::Proc { pid: process, flags: ProcessEvents::EXIT };
    let watch = Event::new(filter, EventFlags::ADD | EventFlags::ONESHOT, ptr::null_mut());
    match register(&queue, watch) {
        Ok(()) => {}
        Err(rustix::io::Errno::SRCH) => return Ok(()),
        Err(error) => return Err(error.into()),
    }
    super::readable(queue).await
}

#[allow(unsafe_code)]
fn register(queue: &std::os::fd::OwnedFd, watch: Event) -> rustix::io::Result<()> {
    // SAFETY: the event names a process and no file descriptor that could be closed too early.
    unsafe { kevent(queue, &[watch], &mut Vec::<Event>::new(), None) }.map(drop)
}

/// Gives the blocks of a part of a file back to the disk. The system wants whole blocks.
#[allow(unsafe_code)]
pub(crate) fn punch_hole(file: &File, range: Range<u64>) -> io::Result<()> {
    const BLOCK: u64 = 16 * 1024;
    let (start, end) = (range.start.next_multiple_of(BLOCK), range.end / BLOCK * BLOCK);
    if end <= start {
        return Ok(());
    }
    let (offset, length) = (to_offset(start)?, to_offset(end - start)?);
    let hole = libc::fpunchhole_t { fp_flags: 0, reserved: 0, fp_offset: offset, fp_length: length };
    // SAFETY: the descriptor is open and `hole` outlives the call.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_PUNCHHOLE, &raw const hole) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn to_offset(value: u64) -> io::Result<libc::off_t> {
    libc::off_t::try_from(value).map_err(io::Error::other)
}

#[allow(unsafe_code)]
fn numbers() -> Vec<u32> {
    // SAFETY: without a buffer the call only counts.
    let count = unsafe { libc::proc_listallpids(ptr::null_mut(), 0) };
    let mut numbers = vec![0_i32; usize::try_from(count).unwrap_or(0) + 64];
    let size = i32::try_from(mem::size_of_val(numbers.as_slice())).unwrap_or(0);
    // SAFETY: the buffer is valid for `size` bytes.
    let found = unsafe { libc::proc_listallpids(numbers.as_mut_ptr().cast(), size) };
    numbers.truncate(usize::try_from(found).unwrap_or(0));
    numbers.into_iter().filter_map(|pid| u32::try_from(pid).ok()).collect()
}

#[allow(unsafe_code)]
fn info(pid: u32) -> Option<libc::proc_bsdinfo> {
    /// `SZOMB` of sys/proc.h.
    const ZOMBIE: u32 = 5;
    let mut info = mem::MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    let size = i32::try_from(mem::size_of::<libc::proc_bsdinfo>()).ok()?;
    let pid = i32::try_from(pid).ok()?;
    // SAFETY: the buffer is valid for `size` bytes, and a zeroed one is a valid value.
    let (filled, info) = unsafe {
        let filled = libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, info.as_mut_ptr().cast(), size);
        (filled, info.assume_init())
    };
    (filled == size && info.pbi_status != ZOMBIE).then_some(info)
}

/// Arguments and environment of a process of the same user.
#[allow(unsafe_code)]
fn argument_area(pid: u32) -> Option<Vec<u8>> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, i32::try_from(pid).ok()?];
    let mut size = 256 * 1024;
    let mut area = vec![0_u8; size];
    // SAFETY: `name` holds three numbers, `area` is valid for `size` bytes, nothing is set.
    let result = unsafe {
        libc::sysctl(name.as_mut_ptr(), 3, area.as_mut_ptr().cast(), &raw mut size, ptr::null_mut(), 0)
    };
    area.truncate(size);
    (result == 0).then_some(area)
}

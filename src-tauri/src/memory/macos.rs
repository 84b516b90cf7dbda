//! macOS compresses and reclaims pages of waiting apps by itself; only the heap holds on to what was freed.

use std::ffi::c_void;

#[allow(unsafe_code)]
unsafe extern "C" {
    /// malloc/malloc.h: a null zone means all zones, and a goal of zero as much as possible.
    fn malloc_zone_pressure_relief(zone: *mut c_void, goal: usize) -> usize;
}

#[allow(unsafe_code)]
pub(super) fn give_back() {
    // SAFETY: the null zone is allowed, and the call may come from any thread.
    unsafe { malloc_zone_pressure_relief(std::ptr::null_mut(), 0) };
}

//! Files and code pages.

use std::fs::{File, OpenOptions};
use std::io;
use std::mem;
use std::ops::Range;
use std::os::windows::fs::FileExt;
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Globalization::{GetACP, GetOEMCP, MB_ERR_INVALID_CHARS, MultiByteToWideChar};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::{FILE_ZERO_DATA_INFORMATION, FSCTL_SET_SPARSE, FSCTL_SET_ZERO_DATA};

use super::raw;

/// Options for a file of ours; the profile's folder already keeps other users out.
pub(crate) fn private_file() -> OpenOptions {
    OpenOptions::new()
}

/// Makes a folder of ours; the profile's folder already keeps other users out.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match file.seek_read(&mut bytes[read..], offset + read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = file.seek_write(bytes, offset)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Gives the blocks of a part of a file back to the disk.
pub(crate) fn punch_hole(file: &File, range: Range<u64>) -> io::Result<()> {
    control(file, FSCTL_SET_SPARSE, &())?;
    let to_offset = |value| i64::try_from(value).map_err(io::Error::other);
    let hole = FILE_ZERO_DATA_INFORMATION {
        FileOffset: to_offset(range.start)?,
        BeyondFinalZero: to_offset(range.end)?,
    };
    control(file, FSCTL_SET_ZERO_DATA, &hole)
}

#[allow(unsafe_code)]
fn control<T>(file: &File, code: u32, input: &T) -> io::Result<()> {
    let mut returned = 0;
    // SAFETY: the file is open, `input` is what the code takes and outlives the call, nothing is returned.
    let done = unsafe {
        DeviceIoControl(
            raw(file),
            code,
            ptr::from_ref(input).cast(),
            mem::size_of::<T>() as u32,
            ptr::null_mut(),
            0,
            &raw mut returned,
            ptr::null_mut(),
        )
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Whether programs here write in a code page that the system knows.
pub(crate) const HAS_CODE_PAGE: bool = true;

/// Reads bytes in the code page of consoles, else in that of windows; also its name.
#[allow(unsafe_code)]
pub(crate) fn decode_code_page(bytes: &[u8]) -> Option<(String, String)> {
    // SAFETY: both only read a setting.
    let pages = unsafe { [GetOEMCP(), GetACP()] };
    pages.into_iter().find_map(|page| decode_in(page, bytes).map(|text| (text, format!("cp{page}"))))
}

#[allow(unsafe_code)]
fn decode_in(page: u32, bytes: &[u8]) -> Option<String> {
    let length = i32::try_from(bytes.len()).ok()?;
    let convert = |target: *mut u16, room: i32| {
        // SAFETY: `bytes` holds `length` bytes and `target` has room for `room` units.
        unsafe { MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, bytes.as_ptr(), length, target, room) }
    };
    let needed = convert(ptr::null_mut(), 0);
    let mut wide = vec![0_u16; usize::try_from(needed).ok().filter(|units| *units > 0)?];
    (convert(wide.as_mut_ptr(), needed) == needed).then(|| String::from_utf16(&wide).ok()).flatten()
}

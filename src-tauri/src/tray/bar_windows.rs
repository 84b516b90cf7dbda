//! Windows says how bright its taskbar is in the registry.

use windows_sys::Win32::System::Registry::{HKEY_CURRENT_USER, RRF_RT_REG_DWORD, RegGetValueW};
use windows_sys::core::w;

/// Whether the taskbar is light; it is dark where nothing is said.
#[allow(unsafe_code)]
pub(super) fn is_light() -> bool {
    let mut light: u32 = 0;
    let mut bytes = size_of::<u32>() as u32;
    // SAFETY: the names are literals that end in zero, and `light` has room for the four bytes that are announced.
    let status = unsafe {
        RegGetValueW(
            HKEY_CURRENT_USER,
            w!("Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"),
            w!("SystemUsesLightTheme"),
            RRF_RT_REG_DWORD,
            std::ptr::null_mut(),
            (&raw mut light).cast(),
            &raw mut bytes,
        )
    };
    status == 0 && light != 0
}

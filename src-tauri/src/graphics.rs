//! Linux: how the web view draws.

use std::path::Path;

/// WebKitGTK's switch for handing pictures over through the graphics driver's buffers.
const PLAIN: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// There while NVIDIA's own driver is loaded.
const NVIDIA: &str = "/proc/driver/nvidia/version";

/// With NVIDIA's own driver the web view's usual way of drawing leaves windows blank (WebKit bug 262607); the other way is
/// chosen there, unless the person has chosen. To be called before the first thread starts.
#[allow(unsafe_code)]
pub(crate) fn choose() {
    if wants_plain(std::env::var_os(PLAIN).is_some(), Path::new(NVIDIA)) {
        // SAFETY: the process has one thread, so nobody reads the environment at the same time.
        unsafe { std::env::set_var(PLAIN, "1") };
    }
}

fn wants_plain(is_chosen: bool, nvidia: &Path) -> bool {
    !is_chosen && nvidia.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_that_driver_is_drawn_around_and_only_where_nobody_chose() {
        let folder = tempfile::tempdir().unwrap();
        let version = folder.path().join("version");
        assert!(!wants_plain(false, &version));
        std::fs::write(&version, "NVRM").unwrap();
        assert!(wants_plain(false, &version));
        assert!(!wants_plain(true, &version));
    }
}

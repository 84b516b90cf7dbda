//! Windows and macOS always have a place for icons.

/// Whether a closed window can be brought back from a tray.
pub(crate) fn has_tray() -> bool {
    true
}

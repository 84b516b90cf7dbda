//! macOS colours template pictures by itself.

pub(super) fn is_light() -> bool {
    false
}

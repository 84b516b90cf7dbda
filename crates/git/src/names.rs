//! Names in a repository are bytes; names in an answer are text.

use gix::bstr::{BStr, ByteSlice};

/// The name as text. Bytes that are not UTF-8 are written as `\xE9`, so that two such names stay different.
pub(crate) fn text(name: &BStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

/// The parent folder of a path with slashes; empty at the top.
pub(crate) fn parent(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(BStr::new(""), |slash| path[..slash].as_bstr())
}

/// The last part of a path with slashes.
pub(crate) fn base_name(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(path, |slash| path[slash + 1..].as_bstr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_utf8_stay_different() {
        assert_eq!(text(BStr::new(b"caf\xe9.txt")), "caf\\xE9.txt");
        assert_ne!(text(BStr::new(b"a\xe9")), text(BStr::new(b"a\xe8")));
        assert_eq!(text(BStr::new("中文 名.txt")), "中文 名.txt");
    }

    #[test]
    fn a_path_splits_at_its_last_slash() {
        assert_eq!(
            (parent(BStr::new("a/b/c")), base_name(BStr::new("a/b/c"))),
            (BStr::new("a/b"), BStr::new("c"))
        );
        assert_eq!((parent(BStr::new("c")), base_name(BStr::new("c"))), (BStr::new(""), BStr::new("c")));
    }
}

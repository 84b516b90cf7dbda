//! Names of encodings as callers and settings files write them.

use encoding_rs::{Encoding, REPLACEMENT};

/// A name that stands for an encoding we can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(&'static Encoding);

/// The name stands for no encoding we can read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{label}` is not a known encoding; use a name such as utf-8, utf-16le, gbk, big5, shift_jis, euc-kr or windows-1252"
)]
pub struct LabelError {
    /// The name.
    pub label: String,
}

impl Label {
    /// Reads a name: the labels of the WHATWG Encoding Standard and the code pages people name instead.
    pub fn parse(text: &str) -> Result<Self, LabelError> {
        let name = text.trim().to_ascii_lowercase();
        let name = match name.as_str() {
            "cp936" | "936" | "ms936" | "windows-936" => "gbk",
            "cp932" | "932" => "shift_jis",
            "cp949" | "949" | "uhc" => "euc-kr",
            "cp950" | "950" => "big5",
            "cp54936" => "gb18030",
            "utf-8-bom" | "utf-8-sig" | "utf8-bom" => "utf-8",
            other => other,
        };
        match Encoding::for_label(name.as_bytes()) {
            Some(encoding) if encoding != REPLACEMENT => Ok(Self(encoding)),
            _ => Err(LabelError { label: text.to_owned() }),
        }
    }

    /// The encoding.
    pub fn encoding(self) -> &'static Encoding {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_code_pages_are_understood() {
        for (label, name) in [
            ("GBK", "GBK"),
            ("gb2312", "GBK"),
            (" cp936 ", "GBK"),
            ("cp932", "Shift_JIS"),
            ("latin1", "windows-1252"),
            ("utf-8-bom", "UTF-8"),
            ("UTF-16", "UTF-16LE"),
        ] {
            assert_eq!(Label::parse(label).unwrap().encoding().name(), name, "{label}");
        }
        for label in ["", "klingon", "utf-7", "replacement", "hz-gb-2312"] {
            assert!(Label::parse(label).is_err(), "{label}");
        }
    }
}

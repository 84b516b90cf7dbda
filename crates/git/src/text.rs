//! What may be shown as text, and how its bytes become UTF-8.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// As git: a NUL among the first bytes makes a file binary.
const LOOKED_AT: usize = 8000;
/// Bytes from which a legacy encoding is guessed.
const GUESSED_FROM: usize = 64 * 1024;
/// Longest line that is shown whole, in bytes.
pub(crate) const MAX_LINE: usize = 2000;

/// The content as bytes of text whose lines end in `\n`; `None` for a binary file. UTF-16 becomes UTF-8.
pub(crate) fn as_text(content: Vec<u8>) -> Option<Vec<u8>> {
    let utf16 = [(&b"\xff\xfe"[..], UTF_16LE), (&b"\xfe\xff"[..], UTF_16BE)];
    for (mark, encoding) in utf16 {
        if let Some(rest) = content.strip_prefix(mark) {
            let (text, broken) = encoding.decode_without_bom_handling(rest);
            return (!broken && !text.contains('\0')).then(|| text.into_owned().into_bytes());
        }
    }
    (!content.iter().take(LOOKED_AT).any(|byte| *byte == 0)).then_some(content)
}

/// The encoding to show the content in: UTF-8 where that fits, else the likeliest one.
pub(crate) fn encoding(content: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(content).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // What stands around the bytes above 127 decides, so begin where they begin.
    let start = content.iter().position(|byte| *byte >= 0x80).unwrap_or(0).saturating_sub(1024);
    let end = content.len().min(start + GUESSED_FROM);
    detector.feed(&content[start..end], end == content.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// A line as text, cut where it is too long to be shown.
pub(crate) fn line<'a>(line: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    let shown = &line[..line.len().min(MAX_LINE)];
    // A character cut in two at the end is left out.
    let shown = match std::str::from_utf8(shown) {
        Err(error) if shown.len() < line.len() && error.error_len().is_none() => {
            &shown[..error.valid_up_to()]
        }
        _ => shown,
    };
    let (text, _) = encoding.decode_without_bom_handling(shown);
    match line.len() - shown.len() {
        0 => text,
        rest => format!("{text}… [{rest} more bytes in this line]").into(),
    }
}

/// Whether two texts differ in nothing but their line ends.
pub(crate) fn only_line_ends_differ(old: &[u8], new: &[u8]) -> bool {
    old != new && without_cr(old) == without_cr(new)
}

/// Whether one text is mostly written with `\r\n` and the other is not.
pub(crate) fn have_other_line_ends(old: &[u8], new: &[u8]) -> bool {
    let mostly_crlf = |text: &[u8]| {
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        (lines > 0).then(|| 2 * text.windows(2).filter(|pair| pair == b"\r\n").count() > lines)
    };
    matches!((mostly_crlf(old), mostly_crlf(new)), (Some(old), Some(new)) if old != new)
}

/// The text with `\n` for every `\r\n`.
pub(crate) fn without_cr(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => plain.extend_from_slice(&[line, b"\n"].concat()),
            None => plain.extend_from_slice(line),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_text_and_a_nul_makes_a_binary() {
        let wide =
            [b"\xff\xfe".to_vec(), "中a\n".encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
        assert_eq!(as_text(wide).unwrap(), "中a\n".as_bytes());
        assert_eq!(as_text(b"a\0b".to_vec()), None);
        assert_eq!(as_text(b"\xff\xfe\0\0a\0\0\0".to_vec()), None, "UTF-32 is no UTF-16");
    }

    #[test]
    fn a_legacy_encoding_is_read() {
        let (gbk, _, _) =
            encoding_rs::GBK.encode("// 这是一个用来测试编码识别的注释，内容足够长\nint main() {}\n");
        let guessed = encoding(&gbk);
        assert!(line(&gbk, guessed).starts_with("// 这是"), "{}", guessed.name());
    }

    #[test]
    fn an_endless_line_is_cut_at_a_character() {
        let long = "é".repeat(3000);
        let shown = line(long.as_bytes(), UTF_8);
        assert!(shown.starts_with(&"é".repeat(1000)) && shown.ends_with("… [4000 more bytes in this line]"));
        let odd = format!("a{long}");
        assert!(!line(odd.as_bytes(), UTF_8).contains('\u{fffd}'));
    }

    #[test]
    fn line_ends_are_told_from_changes() {
        assert!(only_line_ends_differ(b"a\r\nb\r\n", b"a\nb\n"));
        assert!(!only_line_ends_differ(b"a\nb\n", b"a\nc\n"));
        assert!(have_other_line_ends(b"a\r\nb\r\n", b"a\nX\n") && !have_other_line_ends(b"a\n", b"b\n"));
    }
}

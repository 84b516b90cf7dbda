//! Bytes to characters: UTF-8, the system's code page beside it, or a stated best effort.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use crate::sys;

/// Text and how it was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// The encoding of what was not UTF-8.
    pub(crate) encoding: Option<String>,
    /// Some bytes fit nothing and are shown as U+FFFD.
    pub(crate) lossy: bool,
}

/// What the user's locale says about programs that do not write UTF-8.
#[derive(Debug, Clone, Default)]
pub(crate) struct Locale {
    charset: Option<&'static Encoding>,
    region: Option<String>,
}

impl Locale {
    /// Reads a value of `LC_ALL`, `LC_CTYPE` or `LANG`, as `zh_CN.GBK`.
    pub(crate) fn parse(value: &str) -> Self {
        let value = value.split('@').next().unwrap_or_default();
        let (name, charset) = value.split_once('.').unwrap_or((value, ""));
        let charset = Encoding::for_label(charset.as_bytes());
        let charset = charset.filter(|encoding| *encoding != encoding_rs::UTF_8);
        let region = name.split_once('_').map(|(_, region)| region.to_ascii_lowercase());
        let region = region.filter(|region| region.bytes().all(|byte| byte.is_ascii_lowercase()));
        Self { charset, region }
    }
}

/// Reads `bytes`; lines that are UTF-8 stay it, the others are read in one legacy encoding, which is found with the
/// help of `sample` (at least these bytes, better more of the same stream).
pub(crate) fn decode(bytes: &[u8], sample: &[u8], locale: &Locale) -> Decoded {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded { text: text.to_owned(), encoding: None, lossy: false };
    }
    if let Some(decoded) = utf16(bytes, sample) {
        return decoded;
    }
    let legacy = Legacy::find(bytes, sample, locale);
    let mut decoded = Decoded { text: String::with_capacity(bytes.len()), encoding: None, lossy: false };
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Ok(text) = std::str::from_utf8(line) {
            decoded.text.push_str(text);
        } else if let Some((text, name)) = legacy.as_ref().and_then(|legacy| legacy.read(line)) {
            decoded.text.push_str(&text);
            decoded.encoding = Some(name);
        } else {
            decoded.text.push_str(&String::from_utf8_lossy(line));
            decoded.lossy = true;
        }
    }
    decoded
}

/// Some programs on Windows write UTF-16 whatever they are connected to; a byte-order mark gives it away.
fn utf16(bytes: &[u8], sample: &[u8]) -> Option<Decoded> {
    let encoding = match sample {
        [0xff, 0xfe, _, _, ..] => UTF_16LE,
        [0xfe, 0xff, _, _, ..] => UTF_16BE,
        _ => return None,
    };
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    let plausible = !malformed && bytes.len().is_multiple_of(2);
    plausible.then(|| Decoded {
        text: text.into_owned(),
        encoding: Some(encoding.name().to_owned()),
        lossy: false,
    })
}

/// The encoding of the lines that are not UTF-8.
enum Legacy {
    /// The code page of the system.
    System,
    /// Named by the locale or recognised by its content.
    Known(&'static Encoding),
}

impl Legacy {
    fn find(bytes: &[u8], sample: &[u8], locale: &Locale) -> Option<Self> {
        if bytes.contains(&0) {
            return None;
        }
        if sys::HAS_CODE_PAGE {
            return Some(Legacy::System);
        }
        if let Some(charset) = locale.charset {
            return Some(Legacy::Known(charset));
        }
        let odd: Vec<u8> = sample
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| std::str::from_utf8(line).is_err())
            .flatten()
            .copied()
            .collect();
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&odd, true);
        let region = locale.region.as_deref().map(str::as_bytes);
        let guess = detector.guess(region, Utf8Detection::Deny);
        plausible(guess, &odd).then_some(Legacy::Known(guess))
    }

    fn read(&self, line: &[u8]) -> Option<(String, String)> {
        match self {
            Legacy::System => sys::decode_code_page(line),
            Legacy::Known(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(line)?;
                Some((text.into_owned(), encoding.name().to_owned()))
            }
        }
    }
}

/// Single-byte encodings fit any bytes, so the characters must look like writing and not like noise.
fn plausible(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) else {
        // Cut characters at either end are usual; `read` decides for each line.
        return !encoding.is_single_byte();
    };
    if !encoding.is_single_byte() {
        return true;
    }
    let high = text.chars().filter(|c| !c.is_ascii()).count();
    let odd = text.chars().filter(|c| !c.is_ascii() && !is_writing(*c)).count();
    let plain = text.chars().filter(char::is_ascii_alphabetic).count();
    let latin = text.chars().all(|c| c < '\u{0250}' || ('\u{2000}'..'\u{2200}').contains(&c));
    odd == 0 && if latin { plain >= high } else { high >= 4 }
}

/// Letters and typographic signs; not the letters that random high bytes most often become.
fn is_writing(c: char) -> bool {
    (c.is_alphabetic() && !"ÿþðÞÐ".contains(c)) || "«»°–—‘’“”„…€£§©®\u{a0}".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Decoded {
        decode(bytes, bytes, &Locale::default())
    }

    fn expect(bytes: &[u8], text: &str, encoding: &str) {
        let decoded = read(bytes);
        assert_eq!(decoded.text, text);
        assert_eq!(decoded.encoding.as_deref(), Some(encoding));
        assert!(!decoded.lossy);
    }

    #[test]
    fn utf8_is_utf8() {
        let decoded = read("naïve 你好\n".as_bytes());
        assert_eq!(decoded, Decoded { text: "naïve 你好\n".to_owned(), encoding: None, lossy: false });
    }

    #[cfg(unix)]
    #[test]
    fn the_system_code_page_is_readable_next_to_utf8() {
        let (gbk, _, _) = encoding_rs::GBK.encode("错误：找不到文件，请检查路径\n");
        let mut bytes = "utf-8: 你好\n".as_bytes().to_vec();
        bytes.extend_from_slice(&gbk);
        expect(&bytes, "utf-8: 你好\n错误：找不到文件，请检查路径\n", "GBK");
        let (latin, _, _) = encoding_rs::WINDOWS_1252.encode("déjà vu: le fichier a été trouvé\n");
        expect(&latin, "déjà vu: le fichier a été trouvé\n", "windows-1252");
    }

    #[cfg(unix)]
    #[test]
    fn the_locale_settles_what_few_bytes_leave_open() {
        let (big5, _, _) = encoding_rs::BIG5.encode("檔案");
        let locale = Locale::parse("zh_TW.Big5");
        assert_eq!(decode(&big5, &big5, &locale).text, "檔案");
        let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode("ファイル");
        assert_eq!(decode(&sjis, &sjis, &Locale::parse("ja_JP.UTF-8")).text, "ファイル");
    }

    #[cfg(unix)]
    #[test]
    fn noise_is_lossy_and_says_so() {
        for bytes in [&b"a\xff\xfeb\n"[..], b"\x80\x81\x82", b"\xff\0\x01\xfe"] {
            let decoded = read(bytes);
            assert!(decoded.lossy, "{bytes:?} became {decoded:?}");
            assert!(decoded.text.contains('\u{fffd}'));
        }
    }

    #[test]
    fn utf16_with_a_mark_is_read() {
        let bytes: Vec<u8> = "\u{feff}héllo\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        expect(&bytes, "héllo\r\n", "UTF-16LE");
    }
}

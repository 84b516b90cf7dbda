//! Telling what a binary file is from its first bytes.

use std::fmt;

/// The kind of a binary file, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryKind {
    /// A known format.
    Known(&'static str),
    /// UTF-32, which is text but rare enough that we do not read it.
    Utf32,
    /// Nothing we know.
    Data,
}

impl fmt::Display for BinaryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryKind::Known(name) => name,
            BinaryKind::Utf32 => "UTF-32 text",
            BinaryKind::Data => "unknown binary data",
        })
    }
}

/// Formats whose files are binary whatever follows, with an offset where their mark does not open the file.
const SIGNATURES: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xFF\xD8\xFF", "JPEG image"),
    (0, b"\x1F\x8B\x08", "gzip data"),
    (0, b"\xFD7zXZ\0", "xz data"),
    (0, b"\x28\xB5\x2F\xFD", "zstd data"),
    (0, b"7z\xBC\xAF\x27\x1C", "7-Zip archive"),
    (0, b"Rar!\x1A\x07", "RAR archive"),
    (0, b"PK\x03\x04", "ZIP archive"),
    (0, b"PK\x05\x06", "ZIP archive"),
    (0, b"\x7FELF", "ELF executable"),
    (0, b"\xCA\xFE\xBA\xBE", "Java class or Mach-O executable"),
    (0, b"\xCF\xFA\xED\xFE", "Mach-O executable"),
    (0, b"\xCE\xFA\xED\xFE", "Mach-O executable"),
    (0, b"%PDF-", "PDF document"),
    (0, b"SQLite format 3\0", "SQLite database"),
    (0, b"\0asm", "WebAssembly module"),
    (0, b"\0\0\x01\0", "ICO image"),
    (0, b"wOFF", "WOFF font"),
    (0, b"wOF2", "WOFF2 font"),
    (0, b"\0\x01\0\0\0", "TrueType font"),
    (0, b"OTTO", "OpenType font"),
    (0, b"OggS", "Ogg media"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"ID3", "MP3 audio"),
    (0, b"\x1A\x45\xDF\xA3", "Matroska media"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "OLE document"),
    (0, b"!<arch>\n", "static library or deb package"),
    (0, b"\xED\xAB\xEE\xDB", "RPM package"),
    (0, b"BZh", "bzip2 data"),
    (0, b"GIF87a", "GIF image"),
    (0, b"GIF89a", "GIF image"),
    (0, b"MZ", "Windows executable"),
    (0, b"BM", "BMP image"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (0, b"DIRC", "git index"),
    (0, b"PACK", "git pack"),
    (0, b"Obj\x01", "Avro data"),
    (0, b"PAR1", "Parquet data"),
    (0, b"\x93NUMPY", "NumPy array"),
    (0, b"\x89HDF\r\n\x1a\n", "HDF5 data"),
    (4, b"ftyp", "MP4 or HEIF media"),
    (8, b"WEBP", "WebP image"),
    (8, b"WAVE", "WAV audio"),
    (8, b"AVI ", "AVI video"),
    (257, b"ustar", "tar archive"),
];

/// The kind of bytes that are already known not to be text.
pub(super) fn kind_of(bytes: &[u8]) -> BinaryKind {
    SIGNATURES
        .iter()
        .find(|(offset, mark, _)| bytes.get(*offset..).is_some_and(|rest| rest.starts_with(mark)))
        .map_or(BinaryKind::Data, |(_, _, name)| BinaryKind::Known(name))
}

/// The kind of bytes without a zero byte whose signature no text can have by chance.
pub(super) fn by_signature(bytes: &[u8]) -> Option<BinaryKind> {
    let certain = bytes.starts_with(b"%PDF-") || bytes.first().is_some_and(|first| !first.is_ascii());
    match kind_of(bytes) {
        BinaryKind::Known(name) if certain => Some(BinaryKind::Known(name)),
        _ => None,
    }
}

/// Whether bytes that are not UTF-8 hold more control characters than any legacy text does.
pub(super) fn has_too_many_controls(bytes: &[u8]) -> bool {
    let controls = bytes
        .iter()
        .filter(|&&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B) || byte == 0x7F)
        .count();
    controls * 100 > bytes.len()
}

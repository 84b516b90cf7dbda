//! One file of every kind that people keep in repositories.

use encoding_rs::Encoding;

/// A file with what is known of it.
#[derive(Debug, Clone)]
pub struct ZooFile {
    /// Path in the project.
    pub path: &'static str,
    /// The bytes on disk.
    pub bytes: Vec<u8>,
    /// The text a reader sees, without a byte-order mark; `None` for binary files.
    pub text: Option<String>,
}

const CHINESE: &str =
    "// 计算总价，含税与折扣\nint total(int price) {\n    return price; // 返回结果，单位为分\n}\n";
const TAIWANESE: &str =
    "// 計算總價，含稅與折扣\nint total(int price) {\n    return price; // 傳回結果，單位為分\n}\n";
const JAPANESE: &str =
    "// 合計金額を計算する。税込み、割引あり\nint total(int price) {\n    return price; // 結果を返す\n}\n";
const FRENCH: &str = "# Préférences générales\nlangue = \"français\" # déjà réglé à l’étranger\n";

/// All of them.
pub fn zoo() -> Vec<ZooFile> {
    let mut files = encodings();
    files.extend(line_ends());
    files.extend(binaries());
    files.extend(odd_names());
    files
}

fn encodings() -> Vec<ZooFile> {
    vec![
        encoded("encodings/gbk.c", CHINESE, encoding_rs::GBK),
        encoded("encodings/big5.c", TAIWANESE, encoding_rs::BIG5),
        encoded("encodings/shift-jis.c", JAPANESE, encoding_rs::SHIFT_JIS),
        encoded("encodings/windows-1252.toml", FRENCH, encoding_rs::WINDOWS_1252),
        text("encodings/utf-8.txt", CHINESE, CHINESE.as_bytes().to_vec()),
        text("encodings/utf-8-bom.txt", FRENCH, [b"\xEF\xBB\xBF", FRENCH.as_bytes()].concat()),
        text("encodings/utf-16le.txt", JAPANESE, utf16(JAPANESE, u16::to_le_bytes)),
        text("encodings/utf-16be.txt", JAPANESE, utf16(JAPANESE, u16::to_be_bytes)),
    ]
}

fn line_ends() -> Vec<ZooFile> {
    let endless = format!("let data = \"{}\";\n", "0123456789".repeat(60_000));
    vec![
        plain("lines/lf.txt", "one\ntwo\nthree\n"),
        plain("lines/crlf.txt", "one\r\ntwo\r\nthree\r\n"),
        plain("lines/mixed.txt", "one\r\ntwo\nthree\r\nfour\n"),
        plain("lines/no-final-newline.txt", "one\ntwo\nthree"),
        plain("lines/empty.txt", ""),
        plain("lines/endless.js", &endless),
        plain("lines/tabs.py", "def f():\n\treturn 1\n\n\ndef g():\n    return 2\n"),
    ]
}

fn binaries() -> Vec<ZooFile> {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89".to_vec();
    let disguised = b"print('hello')\n\0\0\x01\x02\xff\xfe".to_vec();
    vec![
        ZooFile { path: "binary/pixel.png", bytes: png, text: None },
        ZooFile { path: "binary/disguised.py", bytes: disguised, text: None },
    ]
}

fn odd_names() -> Vec<ZooFile> {
    let names = [
        "names/with blanks and ümläuts.txt",
        "names/中文 名称.txt",
        "names/-rf.txt",
        "names/$HOME `echo` 'quoted'.txt",
        "names/[brackets] {braces}.txt",
        "names/deep/er/and/deeper/still.txt",
        "names/.hidden/.file",
    ];
    names.into_iter().map(|path| plain(path, "found\n")).collect()
}

fn plain(path: &'static str, content: &str) -> ZooFile {
    text(path, content, content.as_bytes().to_vec())
}

fn text(path: &'static str, content: &str, bytes: Vec<u8>) -> ZooFile {
    ZooFile { path, bytes, text: Some(content.to_owned()) }
}

fn encoded(path: &'static str, content: &str, encoding: &'static Encoding) -> ZooFile {
    text(path, content, encoding.encode(content).0.into_owned())
}

fn utf16(content: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(content.encode_utf16()).flat_map(bytes_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_holds_its_text() {
        let pairs =
            [("gbk", encoding_rs::GBK), ("big5", encoding_rs::BIG5), ("shift-jis", encoding_rs::SHIFT_JIS)];
        for (name, encoding) in pairs {
            let file = zoo().into_iter().find(|file| file.path.contains(name)).unwrap();
            let (text, _, replaced) = encoding.decode(&file.bytes);
            assert!(!replaced && Some(text.as_ref()) == file.text.as_deref(), "{name}");
        }
    }
}

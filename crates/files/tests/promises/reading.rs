//! The promises about reading, each with the test that holds it to.

use crate::support::Workspace;
use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1252};
use serde_json::json;
use webcodex_contracts::limits::{MAX_READ_BYTES, MAX_READ_ITEM_BYTES, MAX_TEXT_FILE_BYTES};
use webcodex_contracts::tools::read_files::ReadItem;
use webcodex_files::{ContentHash, ReadError, ReadPart};

/// Reads on from a part until the file ends and joins the texts.
fn read_on(workspace: &Workspace, path: &str, first: ReadPart) -> String {
    let mut joined = first.text;
    let mut next = first.next;
    while let Some(range) = next {
        let mut item = json!({"path": path, "start_line": range.start_line});
        if let Some(column) = range.start_column {
            item["start_column"] = json!(column);
        }
        if let Some(count) = range.line_count {
            item["line_count"] = json!(count);
        }
        let part = workspace.read(item).unwrap();
        assert!(part.partial && part.text.len() <= MAX_READ_ITEM_BYTES);
        joined.push_str(&part.text);
        next = part.next;
    }
    joined
}

#[test]
fn text_is_utf8_whatever_the_encoding_of_the_file() {
    let text = "第一行是一个比较长的注释，用来确定编码\r\nsecond line\r\n";
    let utf16: Vec<u8> =
        [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    let workspace = Workspace::new(&[
        ("utf8", text.as_bytes()),
        ("bom", &[b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        ("utf16", &utf16),
        ("gbk", &GBK.encode(text).0),
    ]);
    for (path, encoding) in
        [("utf8", "utf-8"), ("bom", "utf-8 (bom)"), ("utf16", "utf-16be (bom)"), ("gbk", "gbk (guessed)")]
    {
        let part = workspace.read(json!({"path": path})).unwrap();
        assert_eq!((part.text.as_str(), part.encoding.as_str()), (text, encoding), "{path}");
        assert_eq!((part.line_ending.as_str(), part.total_lines, part.partial), ("crlf", 2, false), "{path}");
        assert_eq!(part.hash, ContentHash::of(&workspace.bytes(path)));
        assert_eq!(part.size_bytes, workspace.bytes(path).len() as u64);
    }
}

#[test]
fn a_named_encoding_is_used_and_an_unknown_one_refused() {
    for (encoding, label, text) in [
        (GBK, "gb2312", "中\n"),
        (BIG5, "big5", "中文\n"),
        (SHIFT_JIS, "cp932", "日本\n"),
        (EUC_KR, "euc-kr", "한글\n"),
        (WINDOWS_1252, "latin1", "café\n"),
    ] {
        let workspace = Workspace::new(&[("a.txt", &encoding.encode(text).0)]);
        let part = workspace.read(json!({"path": "a.txt", "encoding": label})).unwrap();
        assert_eq!(part.text, text, "{label}");
        assert!(part.encoding.ends_with("(given)"), "{}", part.encoding);
    }
    let workspace = Workspace::new(&[("a.txt", b"x")]);
    let error = workspace.read(json!({"path": "a.txt", "encoding": "klingon"})).unwrap_err();
    assert_eq!(error.argument(), "encoding");
}

#[test]
fn short_legacy_files_of_one_project_settle_each_other() {
    let workspace = Workspace::new(&[
        ("a.c", &GBK.encode("// 读取配置文件，失败时退出程序\n").0),
        ("b.c", &GBK.encode("// 打开\n").0),
    ]);
    assert_eq!(workspace.read(json!({"path": "a.c"})).unwrap().encoding, "gbk (guessed)");
    let part = workspace.read(json!({"path": "b.c"})).unwrap();
    assert_eq!((part.text.as_str(), part.encoding.as_str()), ("// 打开\n", "gbk (guessed)"));
}

#[test]
fn every_read_is_bounded_and_a_long_line_is_marked_and_read_on() {
    let endless = "0123456789é中𝄞".repeat(20_000);
    let workspace = Workspace::new(&[("a.txt", format!("head\n{endless}\ntail").as_bytes())]);
    let part = workspace.read(json!({"path": "a.txt", "start_line": 2})).unwrap();
    assert!(part.partial && part.line_cut && part.text.len() <= MAX_READ_ITEM_BYTES);
    assert_eq!((part.start_line, part.end_line), (Some(2), Some(2)));
    assert_eq!(read_on(&workspace, "a.txt", part), format!("{endless}\ntail"));

    let many = "a line of text\n".repeat(20_000);
    workspace.put("b.txt", many.as_bytes());
    let part = workspace.read(json!({"path": "b.txt"})).unwrap();
    assert!(!part.line_cut && part.end_line < Some(4001));
    assert_eq!(read_on(&workspace, "b.txt", part), many);
    let part = workspace.read(json!({"path": "b.txt", "line_count": 3000})).unwrap();
    assert_eq!(read_on(&workspace, "b.txt", part), many);
}

#[test]
fn the_items_of_one_answer_share_its_bound() {
    let large = "some text in a line\n".repeat(4000);
    let workspace = Workspace::new(&[("small", b"tiny\n"), ("large", large.as_bytes())]);
    let items: Vec<ReadItem> = ["large", "small", "large", "missing", "large", "large", "large", "small"]
        .iter()
        .map(|path| serde_json::from_value(json!({"path": path})).unwrap())
        .collect();
    let parts = workspace.files.read(&workspace.project.read_access(), &items);
    let total: usize = parts.iter().flatten().map(|part| part.text.len()).sum();
    assert!(total <= MAX_READ_BYTES && total > MAX_READ_BYTES * 9 / 10, "{total}");
    assert_eq!(parts[1].as_ref().unwrap().text, "tiny\n");
    assert!(parts[3].is_err(), "one item that fails leaves the others alone");
    for part in parts.into_iter().flatten().filter(|part| part.partial) {
        assert_eq!(read_on(&workspace, "large", part), large);
    }
}

#[test]
fn a_binary_file_is_never_returned_as_text_whatever_its_extension() {
    let workspace = Workspace::new(&[
        ("picture.rs", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("archive.txt", b"PK\x03\x04\x14\0\0\0\x08\0"),
        ("noise.md", &[1, 2, 3, 250, 251, 7, 8, 200]),
    ]);
    for (path, kind, size) in
        [("picture.rs", "PNG image", 16), ("archive.txt", "ZIP archive", 10), ("noise.md", "unknown", 8)]
    {
        let error = workspace.read(json!({"path": path})).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("binary") && message.contains(kind), "{message}");
        assert!(message.contains(&format!("{size} bytes")), "{message}");
    }
}

#[test]
fn ranges_past_the_end_and_empty_files_are_told() {
    let workspace = Workspace::new(&[("a.txt", b"one\ntwo\n"), ("empty", b"")]);
    let error = workspace.read(json!({"path": "a.txt", "start_line": 3})).unwrap_err();
    assert!(error.to_string().contains("has 2 lines"), "{error}");
    assert_eq!(
        (error.argument(), error.hint().unwrap().as_str()),
        ("start_line", "Use a `start_line` from 1 to 2.")
    );
    let error = workspace.read(json!({"path": "a.txt", "start_column": 9})).unwrap_err();
    assert_eq!(error.argument(), "start_column");
    let part = workspace.read(json!({"path": "empty"})).unwrap();
    assert_eq!((part.text.as_str(), part.total_lines, part.start_line, part.partial), ("", 0, None, false));
    assert!(workspace.read(json!({"path": "empty", "start_line": 2})).is_err());
}

#[test]
fn what_is_not_a_file_is_told_with_what_would_be_right() {
    let workspace = Workspace::new(&[("src/main.rs", b""), ("src/sub/lib.rs", b"")]);
    let hint = |path: &str| workspace.read(json!({"path": path})).unwrap_err().hint().unwrap_or_default();
    assert_eq!(hint("src/mian.rs"), "Did you mean `src/main.rs`?");
    assert_eq!(hint("scr/main.rs"), "Did you mean `src/main.rs`?");
    assert!(hint("nothing/like/it.xyz").contains("search_project_texts"));
    assert_eq!(hint("src"), "It holds main.rs, sub/.");
    let error = workspace.read(json!({"path": "src/main.rs/x"})).unwrap_err();
    assert!(matches!(error, ReadError::Path(_)), "{error}");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_never_block_a_read() {
    let workspace = Workspace::new(&[]);
    let made = std::process::Command::new("mkfifo").arg(workspace.at("pipe")).status().unwrap();
    assert!(made.success());
    let error = workspace.read(json!({"path": "pipe"})).unwrap_err();
    assert!(matches!(error, ReadError::NotRegular { .. }), "{error}");
    std::os::unix::fs::symlink("/dev/zero", workspace.at("zero")).unwrap();
    assert!(matches!(workspace.read(json!({"path": "zero"})).unwrap_err(), ReadError::Path(_)));
}

#[test]
fn a_file_too_large_for_text_is_told_without_being_read() {
    let workspace = Workspace::new(&[]);
    let file = std::fs::File::create(workspace.at("huge")).unwrap();
    file.set_len(MAX_TEXT_FILE_BYTES + 1).unwrap();
    let error = workspace.read(json!({"path": "huge"})).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { .. }), "{error}");
}

#[test]
fn a_path_is_one_path_in_every_spelling() {
    let workspace = Workspace::new(&[("src/a.txt", b"one\n")]);
    let plain = workspace.read(json!({"path": "src/a.txt"})).unwrap();
    for spelling in ["./src/a.txt", "src//a.txt", "src/./a.txt"] {
        assert_eq!(workspace.read(json!({"path": spelling})).unwrap().revision, plain.revision, "{spelling}");
    }
}

#[test]
fn a_revision_survives_a_restart_and_belongs_to_one_data_folder() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let revision = workspace.read(json!({"path": "a.txt"})).unwrap().revision;
    let read = |data: &str| {
        let files = webcodex_files::Files::open(&workspace.outside(data)).unwrap();
        let item = serde_json::from_value(json!({"path": "a.txt"})).unwrap();
        files.read(&workspace.project.read_access(), &[item]).remove(0).unwrap().revision
    };
    assert_eq!(read("data"), revision);
    assert_ne!(read("other"), revision);
}

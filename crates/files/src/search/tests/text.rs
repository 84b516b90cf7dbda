use encoding_rs::{BIG5, Encoding, GBK, SHIFT_JIS, WINDOWS_1252};
use serde_json::{Value, json};

use super::{Tree, places};

fn utf16(text: &str, big_endian: bool, mark: bool) -> Vec<u8> {
    let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

/// What a query finds in one file, as `line:column:text`.
fn found(content: &[u8], query: Value) -> Vec<String> {
    let tree = Tree::new(&[]);
    tree.write("f", content);
    places(&tree.one(query)).into_iter().map(|place| place.strip_prefix("f:").unwrap().to_owned()).collect()
}

#[test]
fn utf16_is_searched_with_right_lines() {
    let text = "first\r\nzweite Zeile\r\n中文 here\r\n";
    for (big_endian, mark) in [(false, true), (true, true), (false, false)] {
        // Without a mark only plain text can be told to be UTF-16.
        let bytes = utf16(text, big_endian, mark);
        assert_eq!(found(&bytes, json!({"pattern": "Zeile"})), ["2:8:zweite Zeile"], "{big_endian} {mark}");
        assert_eq!(found(&bytes, json!({"pattern": "中文"})), ["3:1:中文 here"], "{big_endian} {mark}");
    }
}

#[test]
fn a_mark_is_no_part_of_the_text() {
    let bytes = b"\xEF\xBB\xBFfirst\nsecond first\n";
    assert_eq!(found(bytes, json!({"pattern": "^first", "syntax": "regex"})), ["1:1:first"]);
    assert_eq!(found(bytes, json!({"pattern": "first"})), ["1:1:first", "2:8:second first"]);
    assert_eq!(found(bytes, json!({"pattern": "\u{FEFF}"})), [""; 0]);
}

#[test]
fn legacy_encodings_are_searched_as_they_are_read() {
    let chinese = "// 你好世界，这是一个测试文件的注释，用来说明编码\nlet 变量 = 1; // ascii\n";
    for encoding in [GBK, BIG5] {
        let text = if encoding == BIG5 {
            chinese
                .replace("这", "這")
                .replace("个", "個")
                .replace("测试", "測試")
                .replace("释", "釋")
                .replace("来说", "來說")
                .replace("编码", "編碼")
                .replace("变", "變")
        } else {
            chinese.to_owned()
        };
        let text = text.replace("注释", "注").replace("用来说明", "用");
        let bytes = encoded(&text, encoding);
        let second = text.lines().nth(1).unwrap();
        assert_eq!(found(&bytes, json!({"pattern": "世界"})).len(), 1, "{}", encoding.name());
        assert_eq!(
            found(&bytes, json!({"pattern": "ascii"})),
            [format!("2:16:{second}")],
            "a hit in plain bytes is shown decoded: {}",
            encoding.name()
        );
    }
    let french = "été à la plage, déjà vu, garçon, naïve, où êtes-vous, forêt, Noël\nsecond\n";
    let bytes = encoded(french, WINDOWS_1252);
    assert_eq!(found(&bytes, json!({"pattern": "GARÇON", "ignore_case": true})).len(), 1);
    assert_eq!(found(&bytes, json!({"pattern": "na.ve", "syntax": "regex"})).len(), 1);
}

#[test]
fn an_encoding_that_the_project_declares_is_used() {
    let tree = Tree::new(&[(".editorconfig", "[*.cfg]\ncharset = latin1\n"), ("utf8.txt", "Größe\n")]);
    tree.write("a.cfg", b"Gr\xF6\xDFe\n");
    assert_eq!(
        places(&tree.one(json!({"pattern": "größe", "ignore_case": true}))),
        ["a.cfg:1:1:Größe", "utf8.txt:1:1:Größe"]
    );
}

#[test]
fn a_part_of_a_character_is_no_letter() {
    // In Shift-JIS the second byte of 表 is `\`, that of ア is `A`, that of ソ is `\`.
    let text = "表示するアイテムの一覧をここに書きます。ソースコードの説明。これは日本語の文章です。\n";
    let bytes = encoded(text, SHIFT_JIS);
    assert!(bytes.windows(1).any(|byte| byte == b"A"), "the bytes do hold an `A`");
    assert_eq!(found(&bytes, json!({"pattern": "A"})), [""; 0]);
    assert_eq!(found(&bytes, json!({"pattern": "\\"})), [""; 0]);
    assert_eq!(found(&bytes, json!({"pattern": "一覧"})).len(), 1);
}

#[test]
fn binary_files_are_counted_and_never_shown() {
    let tree = Tree::new(&[("a.txt", "needle\n")]);
    tree.write("b.bin", b"needle\0\x01\x02\n");
    tree.write("late.bin", [vec![b'a'; 200_000], b"\nneedle\n\0\0\0".to_vec()].concat());
    tree.write("c.png", b"\x89PNG\r\n\x1a\n\0\0needle");
    let answer = tree.one(json!({"pattern": "needle"}));
    assert_eq!(places(&answer), ["a.txt:1:1:needle"]);
    assert_eq!(answer.skipped, ["3 binary files"]);
    assert!(answer.completed, "binary files are not in scope");
}

#[test]
fn line_ends_of_every_kind_are_counted_as_in_reading() {
    let query = |pattern: &str| json!({"pattern": pattern, "syntax": "regex"});
    assert_eq!(found(b"a\r\nb\r\nab\r\n", query("^b$")), ["2:1:b"]);
    assert_eq!(found(b"a\rb\rab", query("^b")), ["2:1:b"], "`\\r` alone");
    assert_eq!(found(b"a\nb", query("b$")), ["2:1:b"], "no end at the end");
    assert_eq!(found(b"a\n\n\nb\n", query("^$")), ["2:1:", "3:1:"], "nothing follows the last end");
    assert_eq!(found(b"", query("^")), [""; 0], "an empty file has no lines");
    let read = utf16("a\rb\rc", false, true);
    assert_eq!(found(&read, query("c")), ["3:1:c"]);
}

#[test]
fn long_lines_are_cut_around_the_match() {
    let line = format!("{}é needle {}", "a".repeat(100_000), "z".repeat(100_000));
    let tree = Tree::new(&[("f", &format!("one\n{line}\n"))]);
    let answer = tree.one(json!({"pattern": "needle", "context_lines": 1}));
    let shown = &answer.matches[0];
    assert_eq!((shown.line, shown.column, shown.line_cut), (2, 100_003, true));
    assert!(shown.text.len() <= 500 && shown.text.contains("é needle zzz"), "{}", shown.text);
    assert_eq!(shown.before, ["one"]);
    let around = Tree::new(&[("f", &format!("{line}\nneedle\n"))]);
    let answer = around.one(json!({"pattern": "^needle", "syntax": "regex", "context_lines": 1}));
    assert!(answer.matches[0].before[0].len() < 510 && answer.matches[0].before[0].ends_with('…'));
}

#[test]
fn context_is_shown_once() {
    let text: String = (1..=12)
        .map(|line| format!("{line}{}\n", if [4, 6, 11].contains(&line) { " hit" } else { "" }))
        .collect();
    let tree = Tree::new(&[("f", &text)]);
    let answer = tree.one(json!({"pattern": "hit", "context_lines": 2}));
    let shown: Vec<_> =
        answer.matches.iter().map(|m| (m.before.join(","), m.line, m.after.join(","))).collect();
    let expected = [("2,3", 4, "5"), ("", 6, "7,8"), ("9,10", 11, "12")];
    assert_eq!(shown, expected.map(|(before, line, after)| (before.to_owned(), line, after.to_owned())));
}

#[test]
fn a_file_in_parts_is_searched_as_one() {
    // Larger than what is read at once, with something around each seam.
    let mut text = String::new();
    while text.len() < 400_000 {
        text.push_str("line of text é 中\n");
    }
    for seam in [65_536, 131_072, 262_144] {
        let at = text[..seam].rfind('\n').unwrap() + 1;
        text.insert_str(at, "NEEDLE across a seam of the file NEEDLE\n");
    }
    let tree = Tree::new(&[("f", &text)]);
    let expected: Vec<u64> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("NEEDLE"))
        .map(|(at, _)| at as u64 + 1)
        .collect();
    for query in [json!({"pattern": "NEEDLE"}), json!({"pattern": "NEEDLE\\b.*\n", "syntax": "regex"})] {
        let lines: Vec<u64> = tree.one(query.clone()).matches.iter().map(|m| m.line).collect();
        assert_eq!(lines, expected, "{query}");
    }
    let last = tree.one(json!({"pattern": "^line.*中$", "syntax": "regex", "output": "count"}));
    assert_eq!(last.match_count, (text.lines().count() - 3) as u64);
}

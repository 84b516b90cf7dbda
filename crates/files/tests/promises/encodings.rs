//! Encodings and byte-order marks through an edit.

use encoding_rs::{BIG5, GBK, SHIFT_JIS, WINDOWS_1252};
use serde_json::json;
use webcodex_files::EditProblem;

use crate::support::Workspace;

/// Enough Chinese to settle the encoding without being told.
const LONG_GBK: &str =
    "// 配置文件的读取：先检查路径是否存在，然后再解析内容\r\nint a = 1;\r\n// 结束标记，请不要删除\r\n";

fn gbk(text: &str) -> Vec<u8> {
    GBK.encode(text).0.into_owned()
}

#[test]
fn a_file_in_a_legacy_encoding_keeps_it_and_only_the_edited_bytes_change() {
    let workspace = Workspace::new(&[("a.c", &gbk(LONG_GBK))]);
    workspace.replace("a.c", "int a = 1;", "int a = 2; // 已修改").unwrap();
    let expected = LONG_GBK.replace("int a = 1;", "int a = 2; // 已修改");
    assert_eq!(workspace.bytes("a.c"), gbk(&expected));

    for (encoding, label) in [(BIG5, "big5"), (SHIFT_JIS, "shift_jis")] {
        let text = "文字\nint a;\n本文\n";
        workspace.put("b.c", &encoding.encode(text).0);
        workspace
            .edit(json!([{"kind": "replace_exact", "path": "b.c", "old_text": "本文", "new_text": "本 文", "encoding": label}]))
            .unwrap();
        assert_eq!(workspace.bytes("b.c"), encoding.encode("文字\nint a;\n本 文\n").0.as_ref(), "{label}");
    }
}

#[test]
fn bytes_that_fit_no_character_survive_an_edit_elsewhere() {
    let bytes = [b"one\n\x80\xFF\x81\n".as_slice(), &gbk(LONG_GBK)].concat();
    let workspace = Workspace::new(&[("a.c", &bytes)]);
    workspace
        .edit(json!([{"kind": "replace_exact", "path": "a.c", "old_text": "int a = 1;", "new_text": "int b = 中;", "encoding": "gbk"}]))
        .unwrap();
    let expected =
        [b"one\n\x80\xFF\x81\n".as_slice(), &gbk(&LONG_GBK.replace("int a = 1;", "int b = 中;"))].concat();
    assert_eq!(workspace.bytes("a.c"), expected);
}

#[test]
fn where_the_encoding_cannot_be_settled_the_edit_is_refused_and_the_file_left_alone() {
    let bytes = gbk("// 打开\nint a = 1; // 关\nint b;\n");
    let workspace = Workspace::new(&[("a.c", &bytes)]);
    for (old, new) in [("int b;", "int b; // 新"), ("int a = 1;", "int a = 2;")] {
        let problem = workspace.replace("a.c", old, new).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Uncertain { .. }), "{problem}");
        assert!(problem.hint().unwrap().contains("encoding"), "{problem}");
        assert_eq!(workspace.bytes("a.c"), bytes);
    }
    // ASCII in lines of ASCII, and whole lines, are right under any guess.
    workspace.replace("a.c", "int b;", "int c;").unwrap();
    assert_eq!(workspace.bytes("a.c"), gbk("// 打开\nint a = 1; // 关\nint c;\n"));
    let first = workspace.text("a.c").lines().next().unwrap().to_owned();
    workspace.replace("a.c", &format!("{first}\n"), "// open\n").unwrap();
    assert_eq!(workspace.bytes("a.c"), gbk("// open\nint a = 1; // 关\nint c;\n"));
    // Named, everything goes.
    workspace
        .edit(json!([{"kind": "replace_exact", "path": "a.c", "old_text": "int a = 1; // 关", "new_text": "int a = 2; // 开关", "encoding": "gbk"}]))
        .unwrap();
    assert_eq!(workspace.bytes("a.c"), gbk("// open\nint a = 2; // 开关\nint c;\n"));
}

#[test]
fn inserted_text_takes_the_encoding_of_the_file() {
    let utf16 = |text: &str| {
        let mut bytes = vec![0xFF, 0xFE];
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        bytes
    };
    let workspace = Workspace::new(&[("a.txt", &utf16("eins\r\nzwei\r\n"))]);
    workspace.edit(json!([{"kind": "insert", "path": "a.txt", "line": 2, "new_text": "größer 𝄞"}])).unwrap();
    assert_eq!(workspace.bytes("a.txt"), utf16("eins\r\ngrößer 𝄞\r\nzwei\r\n"));

    // A file of plain ASCII takes what the project declares.
    workspace.put(".editorconfig", b"[*.pas]\ncharset = latin1\n");
    workspace.put("b.pas", b"begin\nend\n");
    workspace.replace("b.pas", "begin", "begin // für").unwrap();
    assert_eq!(workspace.bytes("b.pas"), WINDOWS_1252.encode("begin // für\nend\n").0.as_ref());
}

#[test]
fn a_character_that_the_encoding_cannot_represent_refuses_the_edit_and_is_named_with_its_place() {
    let bytes = gbk(LONG_GBK);
    let workspace = Workspace::new(&[("a.c", &bytes)]);
    let refused = workspace.replace("a.c", "int a = 1;", "int a = 2;\nint 𝄞;").unwrap_err();
    let problem = refused.problem();
    let EditProblem::Unrepresentable { character, line, column, .. } = &problem else { panic!("{problem}") };
    assert_eq!((*character, *line, *column), ('𝄞', 2, 5));
    assert!(problem.to_string().contains("gbk"), "{problem}");
    assert_eq!(workspace.bytes("a.c"), bytes);
}

#[test]
fn a_byte_order_mark_is_invisible_and_kept_and_none_is_added() {
    let workspace = Workspace::new(&[("a.txt", b"\xEF\xBB\xBFfirst\nsecond\n"), ("b.txt", b"first\n")]);
    assert_eq!(workspace.text("a.txt"), "first\nsecond\n");
    workspace.replace("a.txt", "first\n", "erste\n").unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"\xEF\xBB\xBFerste\nsecond\n");
    workspace.edit(json!([{"kind": "insert", "path": "a.txt", "line": 1, "new_text": "zero"}])).unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"\xEF\xBB\xBFzero\nerste\nsecond\n");
    for path in ["a.txt", "b.txt"] {
        workspace.edit(json!([{"kind": "write", "path": path, "new_text": "\u{FEFF}all new\n"}])).unwrap();
    }
    assert_eq!(workspace.bytes("a.txt"), b"\xEF\xBB\xBFall new\n");
    assert_eq!(workspace.bytes("b.txt"), b"all new\n");
}

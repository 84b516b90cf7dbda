//! The promises about editing, each with the test that holds it to.


use encoding_rs::{BIG5, GBK, SHIFT_JIS, WINDOWS_1252};
use serde_json::json;
use crate::support::{Refused, Workspace};
use webcodex_contracts::tools::edit_project_files::FileAction;
use webcodex_files::EditProblem;

/// Enough Chinese to settle the encoding without being told.
const LONG_GBK: &str = "// 配置文件的读取：先检查路径是否存在，然后再解析内容\r\nint a = 1;\r\n// 结束标记，请不要删除\r\n";

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
    let expected = [b"one\n\x80\xFF\x81\n".as_slice(), &gbk(&LONG_GBK.replace("int a = 1;", "int b = 中;"))].concat();
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

#[test]
fn search_text_with_lf_matches_crlf_and_the_other_way_round_and_line_ends_stay_the_files() {
    let workspace =
        Workspace::new(&[("crlf", b"a\r\nb\r\nc\r\n"), ("lf", b"a\nb\nc\n"), ("mixed", b"a\r\nb\nc\r\nd\n"), ("cr", b"a\rb\rc\r")]);
    workspace.replace("crlf", "a\nb\n", "x\ny\nz\n").unwrap();
    assert_eq!(workspace.bytes("crlf"), b"x\r\ny\r\nz\r\nc\r\n");
    workspace.replace("lf", "a\r\nb\r\n", "x\r\ny\r\n").unwrap();
    assert_eq!(workspace.bytes("lf"), b"x\ny\nc\n");
    workspace.replace("mixed", "b\nc\nd", "b\nC\nd").unwrap();
    assert_eq!(workspace.bytes("mixed"), b"a\r\nb\nC\r\nd\n");
    workspace.replace("cr", "a\nb", "A\nB").unwrap();
    assert_eq!(workspace.bytes("cr"), b"A\rB\rc\r");
    workspace.edit(json!([{"kind": "write", "path": "crlf", "new_text": "1\n2\n"}])).unwrap();
    assert_eq!(workspace.bytes("crlf"), b"1\r\n2\r\n");
}

#[test]
fn replacement_text_is_inserted_literally() {
    let workspace = Workspace::new(&[("a.txt", b"x = NAME;\n")]);
    let literal = r"$1 \1 \n ${NAME} $& {{x}} %s \\ $$";
    workspace.replace("a.txt", "NAME", literal).unwrap();
    assert_eq!(workspace.text("a.txt"), format!("x = {literal};\n"));
}

#[test]
fn an_edit_applies_to_exactly_one_place_unless_asked_otherwise() {
    let workspace = Workspace::new(&[("a.txt", b"foo\nbar\nfoo\nfoo\n")]);
    let before = workspace.bytes("a.txt");
    let refused = workspace.replace("a.txt", "foo", "x").unwrap_err();
    assert!(refused.message().contains("3 times") && refused.message().contains("lines 1, 3, 4"), "{refused:?}");
    let refused = workspace.replace("a.txt", "missing", "x").unwrap_err();
    assert!(matches!(refused.problem(), EditProblem::NoMatch { .. }));
    let replace = |extra: serde_json::Value| {
        let mut change = json!({"kind": "replace_exact", "path": "a.txt", "old_text": "foo", "new_text": "x"});
        change.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        workspace.edit(json!([change]))
    };
    let refused = replace(json!({"expected_match_count": 2})).unwrap_err();
    assert!(matches!(refused.problem(), EditProblem::Ambiguous { count: 3, .. }));
    let refused = replace(json!({"occurrence": 4})).unwrap_err();
    assert!(matches!(refused.problem(), EditProblem::TooFew { count: 3, .. }));
    let refused = replace(json!({"line_scope": {"start_line": 2, "end_line": 2}})).unwrap_err();
    assert!(refused.message().contains("lines 1, 3, 4"), "{refused:?}");
    assert_eq!(workspace.bytes("a.txt"), before, "nothing was written");

    replace(json!({"occurrence": 2})).unwrap();
    assert_eq!(workspace.text("a.txt"), "foo\nbar\nx\nfoo\n");
    replace(json!({"line_scope": {"start_line": 3, "end_line": 99}})).unwrap();
    assert_eq!(workspace.text("a.txt"), "foo\nbar\nx\nx\n");
    workspace.put("a.txt", &before);
    let changes = replace(json!({"expected_match_count": 3})).unwrap();
    assert_eq!(changes[0].places, Some(3), "it reports how many");
    assert_eq!(workspace.text("a.txt"), "x\nbar\nx\nx\n");
}

#[test]
fn lines_outside_the_place_keep_their_exact_bytes() {
    let text = "\tif x {\r\n        y();  \n\t}\r\n\u{a0}tail \t\n";
    let workspace = Workspace::new(&[("a.txt", text.as_bytes())]);
    workspace.replace("a.txt", "y();", "z();").unwrap();
    assert_eq!(workspace.text("a.txt"), text.replace("y();", "z();"));
    // Context lines in the search text are not rewritten either.
    workspace.replace("a.txt", "\tif x {\n        z();  \n\t}\n", "\tif x {\n        w();\n\t}\n").unwrap();
    assert_eq!(workspace.text("a.txt"), text.replace("y();  ", "w();"));
}

#[test]
fn tabs_are_read_as_tabs_and_a_miss_by_blanks_says_exactly_that() {
    let workspace = Workspace::new(&[("a.go", b"func f() {\n\tx := 1\n\ty := 2  \n}\n")]);
    assert!(workspace.text("a.go").contains("\tx := 1"));
    let message = |old: &str| workspace.replace("a.go", old, "new").unwrap_err().message();
    let told = message("    x := 1");
    assert!(told.contains("line 2") && told.contains("1 tab where you sent 4 spaces"), "{told}");
    let told = message("func f() {\n\tx := 1\n\ty := 2\n}");
    assert!(told.contains("line 3") && told.contains("ends with 2 spaces where you sent no blanks"), "{told}");
}

#[test]
fn a_file_counts_as_changed_only_if_its_content_differs() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let revision = workspace.read(json!({"path": "a.txt"})).unwrap().revision;
    // A fresh inode, another time, other attributes.
    std::fs::remove_file(workspace.at("a.txt")).unwrap();
    workspace.put("a.txt", b"one\n");
    let file = std::fs::File::options().write(true).open(workspace.at("a.txt")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    workspace
        .edit_as_sent(json!([{"kind": "replace_exact", "path": "./a.txt", "old_text": "one", "new_text": "two", "expected_read_revision": revision}]))
        .unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"two\n");
}

#[test]
fn overwriting_states_what_it_is_based_on_and_is_refused_with_the_present_state() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let write = |revision: Option<u64>| {
        let mut change = json!({"kind": "write", "path": "a.txt", "new_text": "mine\n"});
        if let Some(revision) = revision {
            change["expected_read_revision"] = json!(revision);
        }
        workspace.edit_as_sent(json!([change]))
    };
    let problem = write(None).unwrap_err().problem();
    assert!(matches!(problem, EditProblem::Unguarded { .. }), "{problem}");
    assert_eq!(problem.argument(), "expected_read_revision");

    let revision = workspace.read(json!({"path": "a.txt"})).unwrap().revision.get();
    workspace.put("a.txt", b"theirs\nmore\n");
    for sent in [revision, 1, 9_007_199_254_740_991] {
        let problem = write(Some(sent)).unwrap_err().problem();
        let EditProblem::Stale { stale, .. } = &problem else { panic!("{problem}") };
        let file = stale.file.as_ref().unwrap();
        assert_eq!((file.size_bytes, file.total_lines), (12, Some(2)));
        assert!(!problem.to_string().contains("foreign"), "which kind of wrong it is stays unsaid");
    }
    assert_eq!(workspace.bytes("a.txt"), b"theirs\nmore\n", "nothing is lost");

    std::fs::remove_file(workspace.at("a.txt")).unwrap();
    let problem = write(Some(revision)).unwrap_err().problem();
    assert!(matches!(&problem, EditProblem::Stale { stale, .. } if stale.file.is_none()), "{problem}");
}

#[test]
fn a_partial_read_allows_edits_that_match_text_but_not_a_new_whole() {
    let workspace = Workspace::new(&[("a.txt", b"one\ntwo\nthree\n")]);
    let part = workspace.read(json!({"path": "a.txt", "line_count": 1})).unwrap();
    assert!(part.partial);
    let guarded = |mut change: serde_json::Value| {
        change["expected_read_revision"] = json!(part.revision);
        change["path"] = json!("a.txt");
        workspace.edit_as_sent(json!([change]))
    };
    for whole in [json!({"kind": "write", "new_text": "x"}), json!({"kind": "delete"})] {
        let problem = guarded(whole).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Stale { .. }), "{problem}");
    }
    let changes = guarded(json!({"kind": "replace_exact", "old_text": "one", "new_text": "ONE"})).unwrap();
    // What has been seen of the file stays a part.
    let next = json!([{"kind": "write", "path": "a.txt", "new_text": "x", "expected_read_revision": changes[0].revision}]);
    assert!(matches!(workspace.edit_as_sent(next).unwrap_err().problem(), EditProblem::Stale { .. }));
    let next = json!([{"kind": "rename", "path": "a.txt", "to_path": "b.txt", "expected_read_revision": changes[0].revision}]);
    workspace.edit_as_sent(next).unwrap();
    assert_eq!(workspace.bytes("b.txt"), b"ONE\ntwo\nthree\n");

    // No read shows all of a long file, so a part has to do for deleting it.
    workspace.put("long.txt", "x\n".repeat(5000).as_bytes());
    let revision = workspace.read(json!({"path": "long.txt"})).unwrap().revision;
    workspace.edit_as_sent(json!([{"kind": "delete", "path": "long.txt", "expected_read_revision": revision}])).unwrap();
    assert!(!workspace.at("long.txt").exists());
}

#[test]
fn a_returned_revision_serves_the_next_edit() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let changes = workspace.replace("a.txt", "one", "two").unwrap();
    let next = json!([{"kind": "write", "path": "a.txt", "new_text": "three\n", "expected_read_revision": changes[0].revision}]);
    let changes = workspace.edit_as_sent(next).unwrap();
    assert_eq!(workspace.read(json!({"path": "a.txt"})).unwrap().revision, changes[0].revision.unwrap());
}

#[test]
fn edits_of_one_file_at_the_same_time_are_carried_out_one_after_the_other() {
    let workspace = Workspace::new(&[("a.txt", b"0\n")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.txt", workspace.at("alias.txt")).unwrap();
    let spellings: &[&str] = if cfg!(unix) { &["a.txt", "./a.txt", "alias.txt"] } else { &["a.txt", "./a.txt"] };
    let applied: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|worker| {
                let (workspace, path) = (&workspace, spellings[worker % spellings.len()]);
                scope.spawn(move || {
                    let mut applied = 0;
                    while applied < 10 {
                        let part = workspace.read(json!({"path": path})).unwrap();
                        let next = part.text.trim().parse::<u64>().unwrap() + 1;
                        let change = json!([{"kind": "write", "path": path, "new_text": format!("{next}\n"), "expected_read_revision": part.revision}]);
                        match workspace.edit_as_sent(change) {
                            Ok(_) => applied += 1,
                            Err(Refused::Plan(error)) => {
                                assert!(matches!(error.problem, EditProblem::Stale { .. }), "{error}");
                            }
                            Err(Refused::Commit(error)) => panic!("{error}"),
                        }
                    }
                    applied
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert_eq!(workspace.text("a.txt"), format!("{applied}\n"), "every applied edit is there");
}

#[test]
fn a_change_over_several_files_happens_entirely_or_not_at_all() {
    let workspace = Workspace::new(&[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    let changes = json!([
        {"kind": "replace_exact", "path": "a.txt", "old_text": "one", "new_text": "ONE"},
        {"kind": "create", "path": "sub/c.txt", "new_text": "three\n"},
        {"kind": "replace_exact", "path": "b.txt", "old_text": "nowhere", "new_text": "TWO"},
    ]);
    let Refused::Plan(error) = workspace.edit(changes).unwrap_err() else { panic!("refused before writing") };
    assert_eq!(error.change, 2);
    assert_eq!(workspace.names(), ["a.txt", "b.txt"]);
    assert_eq!(workspace.bytes("a.txt"), b"one\n");
}

#[cfg(unix)]
#[test]
fn editing_a_link_changes_its_target_and_a_link_out_of_the_project_is_refused() {
    use std::os::unix::fs::symlink;
    let workspace = Workspace::new(&[("real.txt", b"one\n")]);
    symlink("real.txt", workspace.at("alias.txt")).unwrap();
    let outside = workspace.outside("secret.txt");
    std::fs::write(&outside, "secret\n").unwrap();
    symlink(&outside, workspace.at("out.txt")).unwrap();

    workspace.replace("alias.txt", "one", "two").unwrap();
    assert!(workspace.at("alias.txt").symlink_metadata().unwrap().is_symlink());
    assert_eq!(workspace.bytes("real.txt"), b"two\n");
    assert!(workspace.read(json!({"path": "out.txt"})).is_err());
    for change in [
        json!({"kind": "write", "path": "out.txt", "new_text": "x", "expected_read_revision": 1}),
        json!({"kind": "create", "path": "out.txt", "new_text": "x"}),
    ] {
        let problem = workspace.edit_as_sent(json!([change])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Path { .. }), "{problem}");
    }
    assert_eq!(std::fs::read(&outside).unwrap(), b"secret\n");
    // Deleting or renaming might mean the link or the file.
    let problem = workspace.edit(json!([{"kind": "delete", "path": "alias.txt"}])).unwrap_err().problem();
    assert!(matches!(problem, EditProblem::Link { .. }), "{problem}");
}

#[cfg(unix)]
#[test]
fn an_edited_file_keeps_its_permission_bits() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let workspace = Workspace::new(&[("run.sh", b"#!/bin/sh\necho one\n"), ("secret", b"one\n")]);
    for (path, mode) in [("run.sh", 0o755), ("secret", 0o600), ("run.sh", 0o4711)] {
        std::fs::set_permissions(workspace.at(path), PermissionsExt::from_mode(mode)).unwrap();
        let old = if workspace.text(path).contains("one") { ("one", "two") } else { ("two", "one") };
        workspace.replace(path, old.0, old.1).unwrap();
        assert_eq!(workspace.at(path).metadata().unwrap().mode() & 0o7777, mode, "{path}");
    }
    workspace.edit(json!([{"kind": "rename", "path": "run.sh", "to_path": "bin/run"}])).unwrap();
    assert_eq!(workspace.at("bin/run").metadata().unwrap().mode() & 0o7777, 0o4711);
}

#[cfg(target_os = "linux")]
#[test]
fn an_edited_file_keeps_its_extended_attributes() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let set = setxattr(workspace.at("a.txt"), "user.webcodex.test", b"kept", XattrFlags::empty());
    if set.is_err() {
        return; // The file system of the temporary folder has none.
    }
    workspace.replace("a.txt", "one", "two").unwrap();
    let mut value = [0_u8; 16];
    let size = getxattr(workspace.at("a.txt"), "user.webcodex.test", value.as_mut_slice()).unwrap();
    assert_eq!(&value[..size], b"kept");
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_refused_and_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    std::fs::set_permissions(workspace.at("a.txt"), PermissionsExt::from_mode(0o444)).unwrap();
    let problem = workspace.replace("a.txt", "one", "two").unwrap_err().problem();
    assert!(matches!(problem, EditProblem::ReadOnly { .. }), "{problem}");
    let problem = workspace.edit(json!([{"kind": "delete", "path": "a.txt"}])).unwrap_err().problem();
    assert!(matches!(problem, EditProblem::ReadOnly { .. }), "{problem}");
    assert_eq!(workspace.bytes("a.txt"), b"one\n");
}

#[test]
fn reserved_names_and_names_ending_in_a_dot_or_a_blank_are_refused_for_new_files() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    for path in ["nul", "aux.txt", "sub/COM1.log", "lpt1", "con/x.txt", "dot.", "blank ", "PRN"] {
        let problem =
            workspace.edit(json!([{"kind": "create", "path": path, "new_text": ""}])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Name { field: "path", .. }), "{path}: {problem}");
        let problem =
            workspace.edit(json!([{"kind": "rename", "path": "a.txt", "to_path": path}])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Name { field: "to_path", .. }), "{path}: {problem}");
    }
    assert_eq!(workspace.names(), ["a.txt"]);
}

#[test]
fn a_binary_file_is_not_edited_as_text_but_can_be_moved_and_deleted() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let workspace = Workspace::new(&[("logo.txt", png)]);
    for change in [
        json!({"kind": "write", "path": "logo.txt", "new_text": "x"}),
        json!({"kind": "replace_exact", "path": "logo.txt", "old_text": "PNG", "new_text": "GIF"}),
    ] {
        let problem = workspace.edit(json!([change])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Binary { .. }), "{problem}");
    }
    assert_eq!(workspace.bytes("logo.txt"), png);
    workspace.edit(json!([{"kind": "rename", "path": "logo.txt", "to_path": "img/logo.png"}])).unwrap();
    assert_eq!(workspace.bytes("img/logo.png"), png);
    workspace.edit(json!([{"kind": "delete", "path": "img/logo.png"}])).unwrap();
    assert!(!workspace.at("img/logo.png").exists());
}

#[test]
fn several_changes_to_one_file_refer_to_the_file_as_it_was_read() {
    let workspace = Workspace::new(&[("a.txt", b"1\n2\n3\n4\n5\n")]);
    let changes = workspace
        .edit(json!([
            {"kind": "insert", "path": "a.txt", "line": 5, "new_text": "four and a half"},
            {"kind": "replace_exact", "path": "a.txt", "old_text": "2\n3", "new_text": "two\n3"},
            {"kind": "insert", "path": "./a.txt", "line": 1, "new_text": "zero\n"},
            {"kind": "insert", "path": "a.txt", "old_text": "3", "new_text": "three and a half"},
            {"kind": "replace_exact", "path": "a.txt", "old_text": "3\n4", "new_text": "3\nfour"},
            {"kind": "insert", "path": "a.txt", "line": 6, "new_text": "six"},
        ]))
        .unwrap();
    assert_eq!(workspace.text("a.txt"), "zero\n1\ntwo\n3\nthree and a half\nfour\nfour and a half\n5\nsix\n");
    let change = &changes[0];
    assert_eq!((changes.len(), change.places, change.first_changed_line), (1, Some(6), Some(1)));
    assert_eq!((change.added_lines, change.removed_lines), (6, 2));
}

#[test]
fn changes_that_touch_the_same_place_or_do_not_combine_are_refused() {
    let workspace = Workspace::new(&[("a.txt", b"one\ntwo\n"), ("b.txt", b"b\n")]);
    let check = |changes: serde_json::Value| {
        let problem = workspace.edit(changes.clone()).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Conflict { .. }), "{changes}: {problem}");
    };
    let replace = |old: &str, new: &str| json!({"kind": "replace_exact", "path": "a.txt", "old_text": old, "new_text": new});
    check(json!([replace("one", "1"), replace("ne\ntw", "NETW")]));
    check(json!([replace("one", "1"), replace("one", "2")]));
    check(json!([replace("one", "1"), {"kind": "delete", "path": "a.txt"}]));
    check(json!([replace("one", "1"), {"kind": "write", "path": "a.txt", "new_text": "x"}]));
    check(json!([{"kind": "create", "path": "new", "new_text": ""}, {"kind": "create", "path": "./new", "new_text": ""}]));
    check(json!([{"kind": "create", "path": "new", "new_text": ""}, {"kind": "create", "path": "new/x", "new_text": ""}]));
    check(json!([{"kind": "rename", "path": "a.txt", "to_path": "c"}, {"kind": "rename", "path": "b.txt", "to_path": "c"}]));
    check(json!([{"kind": "rename", "path": "a.txt", "to_path": "c"}, {"kind": "rename", "path": "a.txt", "to_path": "d"}]));
    assert_eq!(workspace.names(), ["a.txt", "b.txt"]);
}

#[test]
fn new_files_do_not_replace_what_exists() {
    let workspace = Workspace::new(&[("a.txt", b"one\n"), ("sub/b.txt", b"two\n")]);
    for path in ["a.txt", "sub", "./a.txt"] {
        let problem = workspace.edit(json!([{"kind": "create", "path": path, "new_text": ""}])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Exists { field: "path", .. }), "{path}: {problem}");
    }
    for path in ["sub/b.txt", "sub", "a.txt"] {
        let change = json!([{"kind": "rename", "path": "a.txt", "to_path": path}]);
        let problem = workspace.edit(change).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Exists { field: "to_path", .. }), "{path}: {problem}");
    }
    let problem = workspace.edit(json!([{"kind": "create", "path": "a.txt/b", "new_text": ""}])).unwrap_err().problem();
    assert!(matches!(problem, EditProblem::Path { .. }), "{problem}");
    assert_eq!(workspace.bytes("sub/b.txt"), b"two\n");
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let workspace = Workspace::new(&[("a.txt", b"one\r\n")]);
    let modified = workspace.at("a.txt").metadata().unwrap().modified().unwrap();
    let changes = workspace.edit(json!([{"kind": "write", "path": "a.txt", "new_text": "one\n"}])).unwrap();
    assert_eq!(changes[0].action, FileAction::Unchanged);
    assert!(changes[0].revision.is_some());
    assert_eq!(workspace.at("a.txt").metadata().unwrap().modified().unwrap(), modified);
}

#[test]
fn an_edit_leaves_no_litter_and_other_names_of_the_file_alone() {
    let workspace = Workspace::new(&[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    std::fs::hard_link(workspace.at("a.txt"), workspace.outside("other-name")).unwrap();
    workspace
        .edit(json!([
            {"kind": "replace_exact", "path": "a.txt", "old_text": "one", "new_text": "1"},
            {"kind": "replace_exact", "path": "b.txt", "old_text": "two", "new_text": "2"},
        ]))
        .unwrap();
    assert_eq!(workspace.names(), ["a.txt", "b.txt"]);
    assert_eq!(std::fs::read(workspace.outside("other-name")).unwrap(), b"one\n");
}

#[test]
fn the_final_newline_is_as_it_is_given() {
    let workspace = Workspace::new(&[("a.txt", b"one\ntwo")]);
    workspace.replace("a.txt", "one", "1").unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"1\ntwo");
    workspace.replace("a.txt", "two", "2\n").unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"1\n2\n");
    workspace.edit(json!([{"kind": "create", "path": "b.txt", "new_text": "x\r\ny"}])).unwrap();
    assert_eq!(workspace.bytes("b.txt"), b"x\r\ny");
}

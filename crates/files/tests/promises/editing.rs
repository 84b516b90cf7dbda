//! Finding the place of an edit and what happens there.

use serde_json::json;
use webcodex_contracts::tools::edit_project_files::FileAction;
use webcodex_files::EditProblem;

use crate::support::Workspace;

#[test]
fn search_text_with_lf_matches_crlf_and_the_other_way_round_and_line_ends_stay_the_files() {
    let workspace = Workspace::new(&[
        ("crlf", b"a\r\nb\r\nc\r\n"),
        ("lf", b"a\nb\nc\n"),
        ("mixed", b"a\r\nb\nc\r\nd\n"),
        ("cr", b"a\rb\rc\r"),
    ]);
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
    assert!(
        refused.message().contains("3 times") && refused.message().contains("lines 1, 3, 4"),
        "{refused:?}"
    );
    let refused = workspace.replace("a.txt", "missing", "x").unwrap_err();
    assert!(matches!(refused.problem(), EditProblem::NoMatch { .. }));
    let replace = |extra: serde_json::Value| {
        let mut change =
            json!({"kind": "replace_exact", "path": "a.txt", "old_text": "foo", "new_text": "x"});
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
    assert!(
        told.contains("line 3") && told.contains("ends with 2 spaces where you sent no blanks"),
        "{told}"
    );
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
    check(
        json!([{"kind": "create", "path": "new", "new_text": ""}, {"kind": "create", "path": "./new", "new_text": ""}]),
    );
    check(
        json!([{"kind": "create", "path": "new", "new_text": ""}, {"kind": "create", "path": "new/x", "new_text": ""}]),
    );
    check(
        json!([{"kind": "rename", "path": "a.txt", "to_path": "c"}, {"kind": "rename", "path": "b.txt", "to_path": "c"}]),
    );
    check(
        json!([{"kind": "rename", "path": "a.txt", "to_path": "c"}, {"kind": "rename", "path": "a.txt", "to_path": "d"}]),
    );
    assert_eq!(workspace.names(), ["a.txt", "b.txt"]);
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
fn the_final_newline_is_as_it_is_given() {
    let workspace = Workspace::new(&[("a.txt", b"one\ntwo")]);
    workspace.replace("a.txt", "one", "1").unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"1\ntwo");
    workspace.replace("a.txt", "two", "2\n").unwrap();
    assert_eq!(workspace.bytes("a.txt"), b"1\n2\n");
    workspace.edit(json!([{"kind": "create", "path": "b.txt", "new_text": "x\r\ny"}])).unwrap();
    assert_eq!(workspace.bytes("b.txt"), b"x\r\ny");
}

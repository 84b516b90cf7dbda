//! Files as such through an edit: links, permissions, names, new and removed ones.

use serde_json::json;
use webcodex_files::EditProblem;

use crate::support::{Refused, Workspace};

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
        let problem = workspace
            .edit(json!([{"kind": "rename", "path": "a.txt", "to_path": path}]))
            .unwrap_err()
            .problem();
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
fn new_files_do_not_replace_what_exists() {
    let workspace = Workspace::new(&[("a.txt", b"one\n"), ("sub/b.txt", b"two\n")]);
    for path in ["a.txt", "sub", "./a.txt"] {
        let problem =
            workspace.edit(json!([{"kind": "create", "path": path, "new_text": ""}])).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Exists { field: "path", .. }), "{path}: {problem}");
    }
    for path in ["sub/b.txt", "sub", "a.txt"] {
        let change = json!([{"kind": "rename", "path": "a.txt", "to_path": path}]);
        let problem = workspace.edit(change).unwrap_err().problem();
        assert!(matches!(problem, EditProblem::Exists { field: "to_path", .. }), "{path}: {problem}");
    }
    let problem =
        workspace.edit(json!([{"kind": "create", "path": "a.txt/b", "new_text": ""}])).unwrap_err().problem();
    assert!(matches!(problem, EditProblem::Path { .. }), "{problem}");
    assert_eq!(workspace.bytes("sub/b.txt"), b"two\n");
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

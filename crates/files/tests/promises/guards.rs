//! What an edit is based on: revisions, content, and edits at the same time.

use serde_json::json;
use webcodex_files::EditProblem;

use crate::support::{Refused, Workspace};

#[test]
fn a_file_counts_as_changed_only_if_its_content_differs() {
    let workspace = Workspace::new(&[("a.txt", b"one\n")]);
    let revision = workspace.read(json!({"path": "a.txt"})).unwrap().revision;
    // A fresh inode, another time, other attributes.
    std::fs::remove_file(workspace.at("a.txt")).unwrap();
    workspace.put("a.txt", b"one\n");
    let file = std::fs::File::options().write(true).open(workspace.at("a.txt")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    drop(file);
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
    workspace
        .edit_as_sent(json!([{"kind": "delete", "path": "long.txt", "expected_read_revision": revision}]))
        .unwrap();
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
    let spellings: &[&str] =
        if cfg!(unix) { &["a.txt", "./a.txt", "alias.txt"] } else { &["a.txt", "./a.txt"] };
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

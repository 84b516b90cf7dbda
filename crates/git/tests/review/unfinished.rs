//! Merges, rebases and the like that are not finished; conflicts; locks.

use webcodex_contracts::tools::read_workspace_changes::{ChangeStatus, DiffDetail};

use crate::scratch::{Scratch, lines, photograph, run_git, text};

/// `main` and `side` have both changed the line of `a`; `main` is checked out.
fn diverged() -> Scratch {
    let repo = Scratch::with(&[("a", "base\n"), ("b", "1\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a", "theirs\n");
    repo.write("c", "from side\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a", "ours\n");
    repo.commit("ours");
    repo
}

#[test]
fn an_unfinished_operation_is_named_and_its_conflicts_are_marked() {
    let cases: [(&str, &[&str]); 4] = [
        ("merge", &["merge", "-q", "side"]),
        ("rebase", &["rebase", "-q", "side"]),
        ("cherry-pick", &["cherry-pick", "side"]),
        ("revert", &["revert", "--no-edit", "HEAD~1"]),
    ];
    for (operation, command) in cases {
        let repo = diverged();
        if operation == "revert" {
            repo.write("a", "ours and more\n");
            repo.commit("more");
        }
        assert!(!repo.try_git(command), "{operation} must stop at the conflict");
        let changes = repo.changes(DiffDetail::Hunks);
        assert_eq!(changes.at.operation.as_deref(), Some(operation));
        assert_eq!(changes.conflicted, ["a"], "{operation}");
        let file = changes.files.iter().find(|file| file.path == "a").unwrap();
        assert_eq!(file.status, ChangeStatus::Conflicted, "{operation}");
        assert!(text(file).contains("+<<<<<<< "), "{operation}: {}", text(file));
    }
}

#[test]
fn work_is_not_complete_while_conflict_markers_remain() {
    let repo = diverged();
    repo.try_git(&["merge", "-q", "side"]);
    repo.git(&["add", "a"]);
    let changes = repo.changes(DiffDetail::Stat);
    assert_eq!(lines(&changes.files), ["M a (staged)", "A c (staged)"]);
    assert_eq!(changes.conflicted, ["a"], "added, but the markers are still in it");
    repo.write("a", "settled\n");
    assert!(repo.changes(DiffDetail::Stat).conflicted.is_empty());
    repo.git(&["add", "a"]);
    repo.git(&["commit", "-q", "--no-edit"]);
    let changes = repo.changes(DiffDetail::Stat);
    assert_eq!((changes.at.operation, changes.file_count), (None, 0));
}

#[test]
fn a_conflict_in_which_one_side_deleted_the_file_is_marked() {
    let repo = Scratch::with(&[("a", "base\n"), ("b", "1\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.remove("a");
    repo.commit("gone");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a", "ours\n");
    repo.commit("ours");
    repo.try_git(&["merge", "-q", "side"]);
    assert_eq!(lines(&repo.changes(DiffDetail::Stat).files), ["C a"]);
    repo.remove("a");
    assert_eq!(repo.changes(DiffDetail::Stat).conflicted, ["a"], "also when the file itself is gone");
}

#[test]
fn bisecting_and_a_detached_head_are_told() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("a", "2\n");
    repo.commit("second");
    repo.git(&["checkout", "-q", "HEAD~1"]);
    let changes = repo.changes(DiffDetail::None);
    assert_eq!((changes.at.branch, changes.at.head.map(|head| head.len())), (None, Some(40)));
    repo.git(&["bisect", "start"]);
    assert_eq!(repo.changes(DiffDetail::None).at.operation.as_deref(), Some("bisect"));
}

#[test]
fn looking_writes_nothing_into_the_repository_and_takes_no_lock() {
    let repo = diverged();
    repo.write("b", "2\n");
    repo.write("new/file", "1\n");
    repo.git(&["add", "b"]);
    repo.remove("a");
    // Every time differs from what the index knows, which tempts to refresh it.
    for path in ["b", "new/file"] {
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(5000);
        std::fs::File::options().write(true).open(repo.path(path)).unwrap().set_modified(old).unwrap();
    }
    let before = photograph(repo.root());
    for diff in [DiffDetail::None, DiffDetail::Stat, DiffDetail::Hunks] {
        repo.changes(diff);
    }
    repo.git.project_summary(&repo.access()).unwrap();
    repo.git.changed_count(&repo.access(), std::time::Duration::from_secs(60)).unwrap();
    repo.git.ensure_baseline(&repo.access()).unwrap();
    let history = crate::history::params(Some("main"));
    repo.git.read_history(&repo.access(), &history, &webcodex_git::Interrupt::never()).unwrap();
    assert!(photograph(repo.root()) == before, "something in the repository was touched");
    assert_eq!(std::fs::read_dir(repo.data.path()).unwrap().count(), 0, "and nothing was kept elsewhere");
}

#[test]
fn a_lock_left_by_somebody_else_is_reported_and_not_removed() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write(".git/index.lock", "");
    repo.write("a", "2\n");
    let changes = repo.changes(DiffDetail::Stat);
    assert_eq!(lines(&changes.files), ["M a"]);
    assert!(changes.notes[0].starts_with("`index.lock` lies in the git folder"), "{:?}", changes.notes);
    assert!(repo.path(".git/index.lock").exists());
}

#[test]
fn a_moved_submodule_is_a_change_of_its_pointer() {
    let inner = Scratch::with(&[("x", "1\n")]);
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.root().to_str().unwrap(),
        "sub",
    ]);
    repo.commit("with a submodule");
    assert_eq!(repo.changes(DiffDetail::Stat).file_count, 0);
    let old = run_git(&repo.path("sub"), &["rev-parse", "HEAD"]);
    crate::scratch::configure(&repo.path("sub"));
    repo.write("sub/x", "2\n");
    let before = photograph(&repo.path("sub"));
    let files = repo.hunks();
    assert_eq!(lines(&files), ["M sub [submodule]"]);
    let old = old.trim();
    assert_eq!(text(&files[0]), format!("-Subproject commit {old}\n+Subproject commit {old}-dirty\n"));
    assert!(photograph(&repo.path("sub")) == before, "nothing inside is touched");
    run_git(&repo.path("sub"), &["commit", "-q", "-a", "-m", "inside"]);
    let new = run_git(&repo.path("sub"), &["rev-parse", "HEAD"]);
    let expected = format!("-Subproject commit {old}\n+Subproject commit {}\n", new.trim());
    assert_eq!(text(&repo.hunks()[0]), expected);
    repo.git(&["add", "sub"]);
    let files = repo.hunks();
    assert_eq!(lines(&files), ["M sub (staged) [submodule]"]);
    assert_eq!(text(&files[0]), expected);
    std::fs::remove_dir_all(repo.path("sub")).unwrap();
    assert_eq!(lines(&repo.hunks()), ["D sub (staged) [submodule]"]);
}

#[test]
fn a_linked_worktree_and_a_sparse_checkout_are_read_like_any_other() {
    let repo = Scratch::with(&[("a", "1\n"), ("in/b", "1\n"), ("out/c", "1\n")]);
    let linked = repo.data.path().join("linked");
    repo.git(&["worktree", "add", "-q", "-b", "other", linked.to_str().unwrap()]);
    std::fs::write(linked.join("a"), "2\n").unwrap();
    let project = webcodex_projects::Project::new(crate::scratch::id(), "linked", &linked).unwrap();
    let read = |params| {
        repo.git.read_changes(&project.read_access(), params, &webcodex_git::Interrupt::never()).unwrap()
    };
    let changes = read(&crate::scratch::params(DiffDetail::Hunks));
    assert_eq!(
        (lines(&changes.files), changes.at.branch.as_deref()),
        (vec!["M a".to_owned()], Some("other"))
    );

    repo.git(&["sparse-checkout", "set", "in"]);
    assert!(!repo.path("out/c").exists());
    repo.write("in/b", "2\n");
    let changes = repo.changes(DiffDetail::Stat);
    assert_eq!(lines(&changes.files), ["M in/b"], "what is not checked out is not deleted");
    assert!(changes.notes.iter().any(|note| note.contains("sparse checkout")), "{:?}", changes.notes);
    repo.write("out/c", "2\n");
    assert_eq!(
        lines(&repo.changes(DiffDetail::Stat).files),
        ["M in/b", "M out/c"],
        "but what lies there counts"
    );
}

#[test]
fn a_sparse_index_is_understood() {
    let repo = Scratch::with(&[("a", "1\n"), ("in/b", "1\n"), ("out/deep/c", "1\n"), ("out/d", "1\n")]);
    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    repo.write("in/b", "2\n");
    repo.write("in/new", "something else\n");
    repo.git(&["add", "in/b"]);
    assert_eq!(lines(&repo.changes(DiffDetail::Stat).files), ["M in/b (staged)", "A in/new (untracked)"]);
}

#[test]
fn a_split_index_is_understood() {
    let repo = Scratch::with(&[("a", "1\n"), ("b", "1\n")]);
    repo.git(&["update-index", "--split-index"]);
    repo.write("a", "2\n");
    repo.git(&["add", "a"]);
    repo.write("b", "2\n");
    assert_eq!(lines(&repo.changes(DiffDetail::Stat).files), ["M a (staged)", "M b"]);
}

#[test]
fn a_broken_repository_is_an_error_and_no_empty_list() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write(".git/index", "not an index");
    assert!(repo.read(&crate::scratch::params(DiffDetail::Stat)).is_err());
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write(".git/HEAD", "nonsense");
    assert!(repo.read(&crate::scratch::params(DiffDetail::Stat)).is_err());
}

#[test]
fn changes_made_between_two_calls_are_seen() {
    let repo = Scratch::with(&[("a", "1\n"), ("b", "1\n")]);
    let mut seen = Vec::new();
    for step in 0..6 {
        match step {
            1 => repo.write("a", "2\n"),
            2 => drop(repo.git(&["add", "a"])),
            3 => repo.commit("second"),
            4 => repo.write(".gitignore", "x\n"),
            5 => repo.write(".git/info/exclude", ".gitignore\n"),
            _ => {}
        }
        seen.push(lines(&repo.changes(DiffDetail::None).files).join(", "));
    }
    assert_eq!(seen, ["", "M a", "M a (staged)", "", "A .gitignore (untracked)", ""]);
}

//! Which files are listed, and how.

use webcodex_contracts::tools::read_workspace_changes::DiffDetail;

use crate::scratch::{Scratch, lines, params, paths, photograph, run_git, text};

#[test]
fn each_kind_of_change_is_listed_once() {
    let repo = Scratch::with(&[("a", "1\n"), ("b", "1\n"), ("c", "1\n"), ("d/e", "1\n"), ("f", "1\n")]);
    repo.write("a", "2\n");
    repo.remove("b");
    repo.write("c", "staged\n");
    repo.git(&["add", "c"]);
    repo.write("c", "and changed again\n");
    repo.git(&["rm", "-q", "--cached", "f"]);
    repo.write("new", "something of its own\n");
    repo.git(&["add", "new"]);
    repo.write("other/deep/x", "quite another thing\n");
    let changes = repo.changes(DiffDetail::None);
    assert_eq!(
        lines(&changes.files),
        [
            "M a",
            "D b",
            "M c (staged)",
            "D f (untracked) (staged) [still on disk]",
            "A new (staged)",
            "A other/deep/x (untracked)"
        ]
    );
    assert_eq!(changes.file_count, 6);
    assert_eq!(changes.at.branch.as_deref(), Some("main"));
    assert!(changes.at.head.is_some_and(|head| head.len() == 40));
}

#[test]
fn names_with_other_letters_and_blanks_are_listed_as_they_are_and_their_diffs_open() {
    let name = "ordner mit blank/файл 中文 é.txt";
    let repo = Scratch::with(&[(name, "eins\n")]);
    repo.write(name, "zwei\n");
    repo.write("neu \"zitat\".txt", "x\n");
    let files = repo.hunks();
    assert_eq!(lines(&files), ["A neu \"zitat\".txt (untracked)".to_owned(), format!("M {name}")]);
    assert_eq!(text(&files[1]), "-eins\n+zwei\n");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_stay_different() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Scratch::with(&[("a", "1\n")]);
    for name in [&b"caf\xe9"[..], b"caf\xe8"] {
        std::fs::write(repo.root().join(std::ffi::OsStr::from_bytes(name)), "x\n").unwrap();
    }
    assert_eq!(lines(&repo.hunks()), ["A caf\\xE8 (untracked)", "A caf\\xE9 (untracked)"]);
}

#[test]
fn new_files_are_listed_by_name_with_their_content_also_deep_inside_new_folders() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("new/folder/with/depth/x.txt", "hello\nworld");
    repo.write("new/y.txt", "");
    let files = repo.hunks();
    assert_eq!(lines(&files), ["A new/folder/with/depth/x.txt (untracked)", "A new/y.txt (untracked)"]);
    assert_eq!(text(&files[0]), "+hello\n+world\n\\ No newline at end of file\n");
    assert_eq!((files[0].added_lines, files[1].added_lines), (Some(2), Some(0)));
}

#[test]
fn thousands_of_new_files_are_listed_with_and_without_a_first_commit() {
    for repo in [Scratch::unborn(), Scratch::with(&[("a", "1\n")])] {
        for file in 0..3000 {
            repo.write(&format!("d{}/f{file:04}", file % 50), "x\n");
        }
        let mut changes = repo.changes(DiffDetail::Stat);
        assert_eq!((changes.file_count, changes.files.len()), (3000, 500));
        let mut all = changes.files.clone();
        while let Some(next) = changes.continuation {
            let params = serde_json::from_value(next.arguments.into()).unwrap();
            changes = repo.read(&params).unwrap();
            all.extend(changes.files.clone());
        }
        assert_eq!(all.len(), 3000);
        assert!(all.windows(2).all(|pair| pair[0].path < pair[1].path), "in order, without gaps or repeats");
        assert!(all.iter().all(|file| file.added_lines == Some(1)));
    }
}

#[test]
fn a_repository_without_a_commit_is_all_new_and_stays_without() {
    let repo = Scratch::unborn();
    repo.write("a", "1\n");
    repo.write("b", "1\n");
    repo.git(&["add", "b"]);
    let before = photograph(&repo.path(".git"));
    let changes = repo.changes(DiffDetail::Hunks);
    assert_eq!(lines(&changes.files), ["A a (untracked)", "A b (staged)"]);
    assert_eq!((changes.at.branch.as_deref(), changes.at.head), (Some("main"), None));
    assert_eq!(photograph(&repo.path(".git")), before, "no commit, no branch, no index entry");
}

#[test]
fn only_what_paths_name_is_listed_and_nothing_in_them_is_a_pattern() {
    let repo = Scratch::with(&[("src/a", "1\n"), ("src/b", "1\n"), ("srcx", "1\n"), ("*", "1\n")]);
    for path in ["src/a", "src/b", "srcx", "*"] {
        repo.write(path, "2\n");
    }
    repo.write("src/new/c", "1\n");
    let listed = |wanted: &[&str]| {
        let mut params = params(DiffDetail::None);
        params.paths = paths(wanted);
        lines(&repo.read(&params).unwrap().files)
    };
    assert_eq!(listed(&["src"]), ["M src/a", "M src/b", "A src/new/c (untracked)"]);
    assert_eq!(listed(&["*"]), ["M *"]);
    assert_eq!(listed(&["src/new", "srcx"]), ["A src/new/c (untracked)", "M srcx"]);
    assert_eq!(listed(&["--all", "-h", ":(top)src", "!src", "missing"]), Vec::<String>::new());
}

#[test]
fn a_project_in_a_subfolder_sees_only_what_is_inside_it() {
    let repo = Scratch::with(&[("app/a", "1\n"), ("app2/b", "1\n"), ("c", "1\n")]);
    for path in ["app/a", "app2/b", "c", "app/new"] {
        repo.write(path, "2\n");
    }
    repo.git(&["add", "app2/b"]);
    let project = webcodex_projects::Project::new(crate::scratch::id(), "app", &repo.path("app")).unwrap();
    let interrupt = webcodex_git::Interrupt::never();
    let changes =
        repo.git.read_changes(&project.read_access(), &params(DiffDetail::Stat), &interrupt).unwrap();
    assert_eq!(lines(&changes.files), ["M a", "A new (untracked)"]);
    assert!(changes.git && changes.file_count == 2);
}

#[test]
fn ignored_files_are_not_listed() {
    let repo =
        Scratch::with(&[(".gitignore", "target/\n*.log\n!keep.log\n"), ("sub/.gitignore", "/local\n")]);
    for path in ["target/x", "a.log", "keep.log", "sub/local", "sub/deep/local", "sub/target/y"] {
        repo.write(path, "x\n");
    }
    assert_eq!(
        lines(&repo.changes(DiffDetail::None).files),
        ["A keep.log (untracked)", "A sub/deep/local (untracked)"]
    );
}

#[test]
fn modes_links_and_types_are_told() {
    let repo = Scratch::with(&[("script", "#!/bin/sh\n"), ("file", "1\n"), ("turned", "1\n")]);
    if cfg!(windows) {
        return;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        std::fs::set_permissions(repo.path("script"), PermissionsExt::from_mode(0o755)).unwrap();
        repo.remove("turned");
        symlink("file", repo.path("turned")).unwrap();
        symlink("nowhere", repo.path("link")).unwrap();
    }
    let files = repo.hunks();
    assert_eq!(
        lines(&files),
        ["A link (untracked) [symlink]", "M script [mode 644 → 755]", "T turned [symlink]"]
    );
    assert_eq!(text(&files[0]), "+nowhere\n\\ No newline at end of file\n");
    assert_eq!(text(&files[1]), "");
    assert_eq!(text(&files[2]), "-1\n+file\n\\ No newline at end of file\n");
}

#[test]
fn an_announced_file_is_new_and_not_staged() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("b", "1\n2\n");
    repo.git(&["add", "-N", "b"]);
    let files = repo.hunks();
    assert_eq!(lines(&files), ["A b"]);
    assert_eq!(text(&files[0]), "+1\n+2\n");
}

#[test]
fn a_repository_inside_is_named_and_not_entered() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("inner/x", "1\n");
    run_git(&repo.path("inner"), &["init", "-q"]);
    let files = repo.changes(DiffDetail::Stat).files;
    assert_eq!(lines(&files), ["A inner (untracked) [nested repository]"]);
}

#[test]
fn a_folder_in_place_of_a_file_is_a_deletion_and_new_files() {
    let repo = Scratch::with(&[("a", "content that is not found elsewhere\n")]);
    repo.remove("a");
    repo.write("a/b", "1\n");
    assert_eq!(lines(&repo.changes(DiffDetail::None).files), ["D a", "A a/b (untracked)"]);
}

#[test]
fn a_file_that_was_only_touched_is_unchanged() {
    let repo = Scratch::with(&[("a", "1\n"), ("b", "1\n")]);
    for _ in 0..2 {
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
        std::fs::File::options().write(true).open(repo.path("a")).unwrap().set_modified(old).unwrap();
        assert_eq!(lines(&repo.changes(DiffDetail::None).files), Vec::<String>::new());
    }
    repo.write("a", "2\n");
    assert_eq!(lines(&repo.changes(DiffDetail::None).files), ["M a"], "the same size, another content");
}

#[test]
fn what_lies_beside_tracked_files_in_an_ignored_folder_is_ignored() {
    let repo = Scratch::with(&[(".gitignore", "out/\n")]);
    repo.write("out/kept", "1\n");
    repo.git(&["add", "-f", "out/kept"]);
    repo.commit("kept");
    repo.write("out/new", "1\n");
    repo.write("out/deep/new", "1\n");
    repo.write("out/kept", "2\n");
    assert_eq!(lines(&repo.changes(DiffDetail::None).files), ["M out/kept"]);
}

#[test]
fn a_path_inside_another_repository_is_not_ours() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("inner/deep/x", "1\n");
    run_git(&repo.path("inner"), &["init", "-q"]);
    let mut wanted = params(DiffDetail::None);
    wanted.paths = paths(&["inner/deep"]);
    assert_eq!(lines(&repo.read(&wanted).unwrap().files), Vec::<String>::new());
    wanted.paths = paths(&["inner"]);
    assert_eq!(lines(&repo.read(&wanted).unwrap().files), ["A inner (untracked) [nested repository]"]);
}

#[cfg(unix)]
#[test]
fn what_is_neither_file_nor_link_is_told_and_never_read() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.remove("a");
    for path in ["a", "new pipe"] {
        assert!(std::process::Command::new("mkfifo").arg(repo.path(path)).status().unwrap().success());
    }
    assert_eq!(lines(&repo.hunks()), ["T a [neither a file nor a link]"]);
}

#[cfg(unix)]
#[test]
fn a_repository_of_another_user_is_read_but_its_programs_are_not_run() {
    let repo = Scratch::with(&[(".gitattributes", "*.x filter=mine\n"), ("a.x", "1\n")]);
    let mark = repo.data.path().join("ran");
    repo.git(&["config", "filter.mine.clean", &format!("touch '{}'; cat", mark.display())]);
    let everything = photograph(repo.root()).into_keys();
    for path in everything {
        // Only an administrator can give files away; nobody else can test this.
        if std::os::unix::fs::chown(path, Some(54321), Some(54321)).is_err() {
            return;
        }
    }
    repo.write("a.x", "2\n");
    let changes = repo.changes(DiffDetail::Hunks);
    assert_eq!(text(&changes.files[0]), "-1\n+2\n");
    assert!(changes.notes[0].contains("belongs to another user"), "{:?}", changes.notes);
    assert!(!mark.exists(), "a program named by a foreign repository was run");
}

#[test]
fn work_that_nobody_waits_for_any_more_ends() {
    let repo = Scratch::with(&[("a", "1\n")]);
    let interrupt = webcodex_git::Interrupt::never();
    interrupt.raise();
    let ended = repo.git.read_changes(&repo.access(), &params(DiffDetail::Stat), &interrupt);
    assert!(matches!(ended, Err(webcodex_git::GitError::Interrupted)), "{ended:?}");
    assert_eq!(repo.git.changed_count(&repo.access(), std::time::Duration::ZERO).unwrap(), None);
}

#[test]
fn a_large_repository_is_looked_at_by_several_threads_with_the_same_outcome() {
    let repo = Scratch::unborn();
    for file in 0..2400 {
        repo.write(&format!("d{}/f{file:04}", file % 40), format!("{file}\n"));
    }
    repo.commit("many");
    for file in (0..2400).step_by(300) {
        repo.write(&format!("d{}/f{file:04}", file % 40), "changed\n");
    }
    repo.remove("d1/f0001");
    repo.write("d1/new", "something new\n");
    let told = repo.git(&["status", "--porcelain", "-uall", "--no-renames"]);
    let ours = repo.changes(DiffDetail::Stat);
    assert_eq!(ours.file_count as usize, told.lines().count(), "{told}");
    assert_eq!(lines(&ours.files).iter().filter(|line| line.starts_with('M')).count(), 8);
    assert_eq!(repo.changes(DiffDetail::Stat).files, ours.files, "asking again gives the same");
}

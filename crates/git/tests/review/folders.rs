//! Folders without git: compared with the first look at them.

use webcodex_contracts::tools::read_workspace_changes::DiffDetail;
use webcodex_git::{Git, Interrupt};

use crate::scratch::{Scratch, lines, params, photograph, run_git, text};

fn folder(files: &[(&str, &str)]) -> Scratch {
    let folder = Scratch::folder();
    files.iter().for_each(|(path, content)| folder.write(path, content));
    folder.git.ensure_baseline(&folder.access()).unwrap();
    folder
}

#[test]
fn a_folder_without_git_shows_what_changed_since_the_first_look() {
    let long: String = (0..30).map(|line| format!("line {line}\n")).collect();
    let folder = folder(&[("a", "1\n"), ("b", "1\n"), ("deep/er/c", "1\n2\n"), ("old", &long)]);
    let before = photograph(folder.root());
    assert_eq!(folder.changes(DiffDetail::Hunks).file_count, 0);
    assert!(photograph(folder.root()) == before, "nothing of ours lies in the folder");
    folder.write("a", "2\n");
    folder.remove("b");
    folder.write("deep/er/new", "3\n");
    folder.rename("old", "deep/new name");
    let changes = folder.changes(DiffDetail::Hunks);
    assert_eq!(lines(&changes.files), ["M a", "D b", "A deep/er/new", "R old → deep/new name"]);
    assert_eq!(text(&changes.files[0]), "-1\n+2\n");
    assert!(!changes.git && changes.at.branch.is_none());
    assert!(
        changes.notes[0].starts_with("the folder is not under git; compared with the first look"),
        "{:?}",
        changes.notes
    );
}

#[test]
fn the_first_look_outlives_the_runner_and_is_forgotten_with_the_project() {
    let folder = folder(&[("a", "1\n")]);
    folder.write("a", "2\n");
    let read = |git: &Git| {
        git.read_changes(&folder.access(), &params(DiffDetail::Hunks), &Interrupt::never()).unwrap()
    };
    let again = Git::open(folder.data.path()).unwrap();
    assert_eq!(text(&read(&again).files[0]), "-1\n+2\n");
    again.forget(folder.root());
    assert_eq!(std::fs::read_dir(folder.data.path().join("baselines")).unwrap().count(), 0);
    assert_eq!(read(&again).file_count, 0, "the next look is a first one");
}

#[test]
fn ignored_files_and_repositories_inside_are_left_out() {
    let folder = Scratch::folder();
    for path in [".gitignore", "a.log", "inner/x"] {
        folder.write(path, "*.log\n");
    }
    run_git(&folder.path("inner"), &["init", "-q"]);
    folder.git.ensure_baseline(&folder.access()).unwrap();
    for path in ["a.log", "b.log", "inner/x", "inner/y"] {
        folder.write(path, "2\n");
    }
    assert_eq!(lines(&folder.changes(DiffDetail::Stat).files), Vec::<String>::new());
}

#[test]
fn large_files_are_known_without_their_content() {
    let folder = Scratch::folder();
    folder.write("big", vec![b'x'; 9 * 1024 * 1024]);
    folder.write("small", "1\n");
    folder.git.ensure_baseline(&folder.access()).unwrap();
    let changes = folder.changes(DiffDetail::Hunks);
    assert_eq!(changes.file_count, 0);
    assert!(changes.notes[1].starts_with("1 files were too large"), "{:?}", changes.notes);
    folder.write("big", vec![b'y'; 9 * 1024 * 1024]);
    let changes = folder.changes(DiffDetail::Hunks);
    assert_eq!(lines(&changes.files), ["M big [too large: the earlier content was not kept]"]);
}

#[test]
fn bytes_are_compared_as_they_are() {
    let folder = folder(&[(".gitattributes", "* text=auto eol=lf\n"), ("a", "1\r\n2\r\n")]);
    folder.write("a", "1\n2\n");
    assert_eq!(lines(&folder.changes(DiffDetail::Stat).files), ["M a [line ends only]"]);
}

#[test]
fn a_damaged_state_is_taken_anew() {
    let folder = folder(&[("a", "1\n")]);
    let states = folder.data.path().join("baselines");
    let state = std::fs::read_dir(&states).unwrap().next().unwrap().unwrap().path();
    std::fs::write(state.join("index"), "rubbish").unwrap();
    std::fs::create_dir(states.join("new-half-written")).unwrap();
    let again = Git::open(folder.data.path()).unwrap();
    assert!(!states.join("new-half-written").exists(), "what a crash left is removed");
    let changes =
        again.read_changes(&folder.access(), &params(DiffDetail::Stat), &Interrupt::never()).unwrap();
    assert_eq!(changes.file_count, 0);
}

#[test]
fn a_folder_that_becomes_a_repository_is_read_as_one() {
    let folder = folder(&[("a", "1\n")]);
    run_git(folder.root(), &["init", "-q", "-b", "main"]);
    let changes = folder.changes(DiffDetail::Stat);
    assert!(changes.git);
    assert_eq!(lines(&changes.files), ["A a (untracked)"]);
    std::fs::remove_dir_all(folder.path(".git")).unwrap();
    assert_eq!(folder.changes(DiffDetail::Stat).file_count, 0, "and the other way round");
}

#[test]
fn a_folder_that_the_repository_around_it_ignores_stands_alone() {
    let repo = Scratch::with(&[(".gitignore", "/scratch/\n"), ("a", "1\n")]);
    repo.write("scratch/x", "1\n");
    let project =
        webcodex_projects::Project::new(crate::scratch::id(), "inner", &repo.path("scratch")).unwrap();
    let read = || {
        repo.git.read_changes(&project.read_access(), &params(DiffDetail::Stat), &Interrupt::never()).unwrap()
    };
    assert!(!read().git);
    repo.write("scratch/x", "2\n");
    assert_eq!(lines(&read().files), ["M x"]);
}

#[test]
fn commits_cannot_be_named_without_git() {
    let folder = folder(&[("a", "1\n")]);
    let mut wanted = params(DiffDetail::Stat);
    wanted.base = Some("HEAD".to_owned());
    assert!(matches!(folder.read(&wanted), Err(webcodex_git::GitError::NotARepository { .. })));
}

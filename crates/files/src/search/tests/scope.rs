use serde_json::json;

use super::Tree;
use crate::search::SearchError;

#[test]
fn hidden_and_ignored_files_are_left_out_by_choice() {
    let tree = Tree::new(&[
        (".gitignore", "*.log\n/target\n"),
        ("a.txt", "x"),
        (".env", "x"),
        (".github/ci.yml", "x"),
        ("b.log", "x"),
        ("target/c.txt", "x"),
        ("deep/target/d.txt", "x"),
        (".git/config", "x"),
    ]);
    assert_eq!(tree.files_with_x(json!({})), ["a.txt", "deep/target/d.txt"]);
    assert_eq!(
        tree.files_with_x(json!({"hidden": true})),
        [".env", ".github/ci.yml", "a.txt", "deep/target/d.txt"]
    );
    assert_eq!(
        tree.files_with_x(json!({"ignored": true})),
        ["a.txt", "b.log", "deep/target/d.txt", "target/c.txt"]
    );
    assert_eq!(
        tree.files_with_x(json!({"hidden": true, "ignored": true})).len(),
        6,
        "the git folder stays out"
    );
}

#[test]
fn what_was_left_out_is_said_where_it_could_matter() {
    let tree = Tree::new(&[(".gitignore", "*.log\n"), ("a.txt", "here"), ("b.log", "there")]);
    let found = tree.one(json!({"pattern": "there"}));
    assert!(found.completed && found.matches.is_empty());
    assert_eq!(found.skipped, ["hidden and ignored files (`hidden: true`, `ignored: true` include them)"]);
    assert_eq!(tree.one(json!({"pattern": "here"})).skipped, [""; 0], "something was found");
    let only_text = tree.one(json!({"pattern": "there", "include": ["*.txt"]}));
    assert_eq!(only_text.skipped, [""; 0], "nothing that was asked for was left out");
}

#[test]
fn named_paths_are_searched_even_if_hidden_or_ignored() {
    let tree = Tree::new(&[
        (".gitignore", "target\n*.log\n"),
        ("a.txt", "x"),
        (".config/app.toml", "x"),
        (".config/.deep/b", "x"),
        ("target/debug/out.txt", "x"),
        ("target/debug/out.log", "x"),
    ]);
    let named = |paths: &[&str]| tree.files_with_x(json!({ "paths": paths }));
    assert_eq!(named(&[".config"]), [".config/app.toml"], "hidden inside stays out");
    assert_eq!(named(&["target/debug"]), ["target/debug/out.txt"], "ignored inside stays out");
    assert_eq!(named(&["target/debug/out.log"]), ["target/debug/out.log"]);
    assert_eq!(named(&["a.txt", ".config/.deep/b"]), [".config/.deep/b", "a.txt"]);
    assert_eq!(named(&[".", "target"]), ["a.txt", "target/debug/out.txt"], "the project and more");
    assert_eq!(named(&["a.txt", "./a.txt"]), ["a.txt"], "each file once");
    assert_eq!(named(&["target", "target/debug/out.log"]), ["target/debug/out.log", "target/debug/out.txt"]);
}

#[test]
fn rules_hold_without_git_and_nearer_ones_win() {
    let tree = Tree::new(&[
        (".gitignore", "*.gen\n"),
        ("a.gen", "x"),
        ("keep/.gitignore", "!*.gen\n"),
        ("keep/b.gen", "x"),
        ("own/.ignore", "c.txt\n"),
        ("own/c.txt", "x"),
        ("own/d.txt", "x"),
        ("win/.ignore", "!e.gen\n"),
        ("win/e.gen", "x"),
    ]);
    assert_eq!(tree.files_with_x(json!({})), ["keep/b.gen", "own/d.txt", "win/e.gen"]);
}

#[test]
fn rules_of_the_repository_around_the_project_hold() {
    let outer = tempfile::tempdir().unwrap();
    let at = |path: &str| outer.path().join(path);
    for folder in [".git/info", "app/src"] {
        std::fs::create_dir_all(at(folder)).unwrap();
    }
    for (path, text) in [
        (".git/info/exclude", "secret.txt\n"),
        (".gitignore", "/app/src/made.txt\n*.tmp\n"),
        ("app/src/made.txt", "x"),
        ("app/src/a.tmp", "x"),
        ("app/src/secret.txt", "x"),
        ("app/src/a.txt", "x"),
    ] {
        std::fs::write(at(path), text).unwrap();
    }
    let mut tree = Tree::new(&[]);
    let id = webcodex_contracts::ProjectId::parse("agent:a:app").unwrap();
    tree.project = webcodex_projects::Project::new(id, "app", &at("app")).unwrap();
    assert_eq!(tree.files_with_x(json!({})), ["src/a.txt"]);
    assert_eq!(tree.files_with_x(json!({"ignored": true})).len(), 4);
}

#[test]
fn a_worktree_has_the_excludes_of_its_repository() {
    let tree = Tree::new(&[("main/a.txt", "x")]);
    let git = |folder: &str, arguments: &[&str]| {
        let run = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(tree.path().join(folder))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git("main", &["init", "-q"]);
    git("main", &["add", "."]);
    git("main", &["commit", "-qm", "first"]);
    git("main", &["worktree", "add", "-q", "../side"]);
    tree.write("main/.git/info/exclude", "b.txt\n");
    tree.write("side/b.txt", "x");
    let mut side = Tree::new(&[]);
    let id = webcodex_contracts::ProjectId::parse("agent:a:side").unwrap();
    side.project = webcodex_projects::Project::new(id, "side", &tree.path().join("side")).unwrap();
    assert_eq!(side.files_with_x(json!({"hidden": true})), ["a.txt"], "the file `.git` is no text either");
}

#[test]
fn globs_choose_files_and_folders() {
    let tree = Tree::new(&[
        ("a.rs", "x"),
        ("a.md", "x"),
        ("src/b.rs", "x"),
        ("vendor/c.rs", "x"),
        ("src/gen/d.rs", "x"),
    ]);
    assert_eq!(
        tree.files_with_x(json!({"include": ["*.rs"], "exclude": ["vendor", "src/gen/"]})),
        ["a.rs", "src/b.rs"]
    );
    assert_eq!(tree.files_with_x(json!({"paths": ["src"], "include": ["*.md"]})), [""; 0]);
}

#[test]
fn each_query_of_a_batch_has_its_own_scope() {
    let tree = Tree::new(&[
        (".gitignore", "*.log\n"),
        ("a.txt", "x"),
        (".b", "x"),
        ("c.log", "x"),
        ("d/e.txt", "x"),
    ]);
    let answers = tree.search(json!([
        {"pattern": "x", "output": "files"},
        {"pattern": "x", "output": "files", "hidden": true, "exclude": ["d", ".gitignore"]},
        {"pattern": "x", "output": "files", "ignored": true, "include": ["*.log"]},
        {"pattern": "x", "output": "files", "paths": ["d"]},
        {"pattern": "(", "syntax": "regex"},
        {"pattern": "x", "output": "files", "paths": ["nowhere"]},
    ]));
    let files = |number: usize| -> Vec<&str> {
        answers[number].as_ref().unwrap().files.iter().map(|file| file.path.as_str()).collect()
    };
    assert_eq!(files(0), ["a.txt", "d/e.txt"]);
    assert_eq!(files(1), [".b", "a.txt"]);
    assert_eq!(files(2), ["c.log"]);
    assert_eq!(files(3), ["d/e.txt"]);
    assert!(matches!(answers[4], Err(SearchError::PatternBroken(_))));
    assert!(matches!(answers[5], Err(SearchError::Missing { index: 0, .. })));
}

#[test]
fn results_are_in_the_order_of_their_paths() {
    let names = ["a-b/f", "a.rs", "a/z", "a/b/c", "a0", "B", "é", "a b", "a/b.c"];
    let tree = Tree::new(&names.map(|name| (name, "x")));
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(tree.files_with_x(json!({})), sorted);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_unless_they_are_named() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("o.txt"), "x").unwrap();
    let tree = Tree::new(&[("real/a.txt", "x")]);
    symlink("a.txt", tree.path().join("real/alias.txt")).unwrap();
    symlink("real", tree.path().join("linked")).unwrap();
    symlink(outside.path(), tree.path().join("out")).unwrap();
    symlink("..", tree.path().join("real/loop")).unwrap();
    assert_eq!(tree.files_with_x(json!({})), ["real/a.txt"]);
    assert_eq!(tree.files_with_x(json!({"paths": ["linked"]})), ["real/a.txt"]);
    assert_eq!(tree.files_with_x(json!({"paths": ["linked/alias.txt"]})), ["real/a.txt"]);
    let error = tree.error(json!({"pattern": "x", "paths": ["out"]}));
    assert!(matches!(error, SearchError::Confine(_)), "{error:?}");
}

#[test]
fn the_git_folder_is_refused_even_if_it_is_named() {
    let tree = Tree::new(&[(".git/config", "x"), ("sub/.git/config", "x"), ("a", "x")]);
    for path in [".git", ".git/config", "sub/.git"] {
        let error = tree.error(json!({"pattern": "x", "paths": ["a", path]}));
        assert!(matches!(error, SearchError::GitFolder { index: 1, .. }), "{path}: {error:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".git", tree.path().join("way")).unwrap();
        let error = tree.error(json!({"pattern": "x", "paths": ["way/config"]}));
        assert!(matches!(error, SearchError::GitFolder { .. }), "{error:?}");
    }
}

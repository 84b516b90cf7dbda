//! Worktrees made and removed without the git program, told by the git program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use webcodex_git::{GitError, WorktreeInfo};
use webcodex_projects::Project;

use crate::scratch::{Scratch, id, run_git};

fn create(repo: &Scratch, name: &str) -> Result<WorktreeInfo, GitError> {
    let destination = repo.data.path().canonicalize().unwrap().join("worktrees").join(name);
    repo.git.create_worktree(&repo.access(), &destination, &format!("webcodex/{name}"))
}

fn project(root: &Path) -> Arc<Project> {
    Project::new(id(), "worktree", root).unwrap()
}

#[test]
fn a_worktree_is_one_that_git_knows() {
    let repo = Scratch::with(&[("a", "1\n"), ("deep/b", "1\n"), ("script", "#!/bin/sh\n")]);
    #[cfg(unix)]
    {
        std::fs::set_permissions(repo.path("script"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        std::os::unix::fs::symlink("a", repo.path("link")).unwrap();
    }
    repo.commit("second");
    repo.write("a", "not committed\n");
    let made = create(&repo, "task").unwrap();
    assert_eq!(std::fs::read_to_string(made.root.join("a")).unwrap(), "1\n", "the commit, not the changes");
    assert_eq!(run_git(&made.root, &["status", "--porcelain"]), "");
    assert_eq!(run_git(&made.root, &["branch", "--show-current"]).trim(), "webcodex/task");
    assert_eq!(run_git(&made.root, &["rev-parse", "HEAD"]).trim(), made.head);
    run_git(&made.root, &["fsck", "--strict"]);
    let listed = repo.git(&["worktree", "list", "--porcelain"]);
    assert!(
        listed.contains(&format!("worktree {}", made.root.display())) && !listed.contains("locked"),
        "{listed}"
    );
    assert_eq!(repo.git(&["worktree", "prune", "-n"]), "");
    run_git(&made.root, &["commit", "-q", "--allow-empty", "-m", "in the worktree"]);
    assert_eq!(repo.git(&["status", "--porcelain", "-uno"]), " M a\n", "the source is as it was");
}

#[test]
fn a_worktree_of_a_subfolder_gives_that_subfolder() {
    let repo = Scratch::with(&[("app/a", "1\n"), ("b", "1\n")]);
    let app = project(&repo.path("app"));
    let destination = repo.data.path().join("tree");
    let made = repo.git.create_worktree(&app.read_access(), &destination, "webcodex/app").unwrap();
    assert_eq!(made.root, made.top.join("app"));
    assert!(made.root.join("a").is_file());
}

#[test]
fn a_failed_worktree_leaves_nothing_behind() {
    let repo = Scratch::with(&[("a", "1\n")]);
    let state = |repo: &Scratch| (repo.git(&["branch", "-a"]), repo.git(&["worktree", "list"]));
    let before = state(&repo);
    let taken = repo.data.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("mine"), "1").unwrap();
    let refused = repo.git.create_worktree(&repo.access(), &taken, "webcodex/x");
    assert!(matches!(refused, Err(GitError::DestinationExists { .. })), "{refused:?}");
    for name in ["-x", "a..b", "a b", ""] {
        let refused = repo.git.create_worktree(&repo.access(), &repo.data.path().join("new"), name);
        assert!(matches!(refused, Err(GitError::BranchInvalid { .. })), "{name}: {refused:?}");
    }
    repo.git(&["branch", "webcodex/y"]);
    assert!(matches!(create(&repo, "y"), Err(GitError::BranchExists { .. })));
    repo.git(&["branch", "-D", "webcodex/y"]);
    // The object that has to be checked out is missing.
    let blob = repo.git(&["rev-parse", "HEAD:a"]);
    let object = repo.path(".git/objects").join(&blob[..2]).join(blob[2..].trim());
    std::fs::rename(&object, repo.data.path().join("kept")).unwrap();
    assert!(create(&repo, "broken").is_err());
    std::fs::rename(repo.data.path().join("kept"), &object).unwrap();
    assert_eq!(state(&repo), before);
    assert!(!repo.data.path().join("worktrees/broken").exists());
    assert!(matches!(create(&Scratch::unborn(), "z"), Err(GitError::NoCommit)));
    assert!(matches!(create(&Scratch::folder(), "z"), Err(GitError::NotARepository { .. })));
}

#[test]
fn a_worktree_with_work_in_it_is_not_removed() {
    let repo = Scratch::with(&[("a", "1\n"), (".gitignore", "target/\n")]);
    let made = create(&repo, "task").unwrap();
    let worktree = project(&made.root);
    let remove = || repo.git.remove_worktree(&worktree.read_access());
    std::fs::write(made.root.join("new"), "1\n").unwrap();
    assert!(remove().unwrap_err().to_string().contains("a change in `new`"));
    std::fs::remove_file(made.root.join("new")).unwrap();
    std::fs::write(made.root.join("a"), "2\n").unwrap();
    assert!(remove().is_err());
    run_git(&made.root, &["commit", "-q", "-a", "-m", "kept on its branch"]);
    std::fs::create_dir(made.root.join("target")).unwrap();
    std::fs::write(made.root.join("target/out"), "1\n").unwrap();
    remove().unwrap();
    assert!(!made.root.exists());
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(repo.git(&["log", "-1", "--format=%s", "webcodex/task"]).trim(), "kept on its branch");
    assert!(matches!(repo.git.remove_worktree(&repo.access()), Err(GitError::NotAWorktree { .. })));
}

#[test]
fn the_branch_of_a_worktree_goes_if_nothing_on_it_is_lost() {
    let repo = Scratch::with(&[("a", "1\n")]);
    let made = create(&repo, "task").unwrap();
    repo.git.remove_worktree(&project(&made.root).read_access()).unwrap();
    assert_eq!(repo.git(&["branch", "--list", "webcodex/*"]), "");
}

#[cfg(unix)]
#[test]
fn filters_and_hooks_get_their_chance_without_being_trusted() {
    let repo =
        Scratch::with(&[(".gitattributes", "*.up filter=upper\n*.big filter=lfs\n"), ("a.up", "one\n")]);
    let oid = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    let pointer =
        |oid: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 6\n");
    repo.write("here.big", pointer(oid));
    repo.write("elsewhere.big", pointer(&oid.replace('5', "6")));
    repo.commit("second");
    repo.git(&["config", "filter.upper.smudge", "tr a-z A-Z"]);
    repo.git(&["config", "filter.upper.clean", "tr A-Z a-z"]);
    repo.git(&["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    repo.git(&["config", "filter.lfs.smudge", "git-lfs smudge -- %f"]);
    repo.write(&format!(".git/lfs/objects/58/91/{oid}"), "hello\n");
    let hook = repo.path(".git/hooks/post-checkout");
    let mark = repo.data.path().join("hook ran");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let made = create(&repo, "task").unwrap();
    let content = |path: &str| std::fs::read_to_string(made.root.join(path)).unwrap();
    assert_eq!((content("a.up").as_str(), content("here.big").as_str()), ("ONE\n", "hello\n"));
    assert!(made.notes[0].contains("`elsewhere.big` was left as it is stored"), "{:?}", made.notes);
    assert!(!mark.exists(), "no hook is run");
    let changes =
        repo.git.changed_count(&project(&made.root).read_access(), std::time::Duration::from_secs(60));
    assert_eq!(changes.unwrap(), Some(0));
}

#[test]
fn a_worktree_can_be_made_from_a_worktree() {
    let repo = Scratch::with(&[("a", "1\n")]);
    let first = create(&repo, "one").unwrap();
    let destination: PathBuf = repo.data.path().canonicalize().unwrap().join("two");
    let second =
        repo.git.create_worktree(&project(&first.root).read_access(), &destination, "webcodex/two").unwrap();
    assert_eq!(run_git(&second.root, &["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 3);
}

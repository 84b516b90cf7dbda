//! Which commits there are, and what each of them changed.

use webcodex_contracts::Limit;
use webcodex_contracts::tools::read_git_history::{
    CommitSummary, ReadGitHistoryOutput, ReadGitHistoryParams,
};
use webcodex_git::{GitError, Interrupt};

use crate::scratch::{Scratch, git_command, id, paths, run_git};

pub(crate) fn params(revision: Option<&str>) -> ReadGitHistoryParams {
    ReadGitHistoryParams {
        project: id(),
        revision: revision.map(str::to_owned),
        paths: Vec::new(),
        limit: None,
        files: false,
        cursor: None,
        session_id: None,
    }
}

fn read(repo: &Scratch, params: &ReadGitHistoryParams) -> Result<ReadGitHistoryOutput, GitError> {
    repo.git.read_history(&repo.access(), params, &Interrupt::never())
}

/// Follows the continuations to the end.
fn all(repo: &Scratch, mut params: ReadGitHistoryParams) -> Vec<CommitSummary> {
    let mut commits = Vec::new();
    loop {
        let page = read(repo, &params).unwrap();
        commits.extend(page.commits);
        let Some(next) = page.continuation else { return commits };
        let arguments = serde_json::Value::from(next.arguments.clone());
        let canonical = webcodex_contracts::table::get(next.tool).canonicalise(arguments.clone()).unwrap();
        assert_eq!(canonical, arguments, "the next call fits the published schema as it is");
        params = serde_json::from_value(next.arguments.into()).unwrap();
    }
}

fn commit_at(repo: &Scratch, second: u32, message: &str) {
    let date = format!("2024-05-{:02}T10:00:{:02}+02:00", 1 + second / 60, second % 60);
    repo.git(&["add", "-A"]);
    let mut command = git_command(repo.root(), &["commit", "-q", "--allow-empty", "-m", message]);
    assert!(
        command.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date).status().unwrap().success()
    );
}

#[test]
fn a_commit_is_told_with_author_time_and_message() {
    let repo = Scratch::unborn();
    repo.write("a", "1\n");
    commit_at(&repo, 5, "Subject of it\n\nThe body,\nin two lines.");
    let commit = &read(&repo, &params(None)).unwrap().commits[0];
    assert_eq!(commit.subject, "Subject of it");
    assert_eq!(commit.body.as_deref(), Some("The body,\nin two lines."));
    assert_eq!(commit.author, "Ada Lovelace <ada@example.org>");
    assert_eq!(commit.authored_at, "2024-05-01T10:00:05+02:00");
    assert_eq!((commit.id.as_str(), commit.parents.len()), (repo.git(&["rev-parse", "HEAD"]).trim(), 0));
}

#[test]
fn pages_join_to_the_history_that_git_tells() {
    let repo = Scratch::unborn();
    let mut second = 0;
    let mut step = |branch: &str| {
        second += 1;
        repo.write(&format!("{branch}/{}", second % 3), format!("{second}\n"));
        commit_at(&repo, second, &format!("{branch} {second}"));
    };
    (0..7).for_each(|_| step("main"));
    repo.git(&["checkout", "-q", "-b", "side"]);
    (0..5).for_each(|_| step("side"));
    repo.git(&["checkout", "-q", "main"]);
    (0..5).for_each(|_| step("main"));
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    step("main");
    let expected = repo.git(&["log", "--format=%H", "HEAD"]);
    for limit in [1, 4, 100] {
        let commits = all(&repo, ReadGitHistoryParams { limit: Some(Limit::clamped(limit)), ..params(None) });
        let ids: Vec<_> = commits.iter().map(|commit| commit.id.as_str()).collect();
        assert_eq!(ids, expected.lines().collect::<Vec<_>>(), "limit {limit}");
    }
    for path in ["side/1", "main", "missing"] {
        let expected = repo.git(&["log", "--full-history", "--no-merges", "--format=%H", "HEAD", "--", path]);
        let filtered =
            ReadGitHistoryParams { paths: paths(&[path]), limit: Some(Limit::clamped(2)), ..params(None) };
        let ids: Vec<_> = all(&repo, filtered).into_iter().map(|commit| commit.id).collect();
        assert_eq!(ids, expected.lines().collect::<Vec<_>>(), "{path}");
    }
}

#[test]
fn the_files_of_a_commit_are_told_with_renames() {
    let text: String = (0..20).map(|line| format!("line {line}\n")).collect();
    let repo = Scratch::with(&[("old", &text), ("gone", "something short\n"), ("kept", "1\n")]);
    repo.rename("old", "dir/new");
    repo.remove("gone");
    repo.write("kept", "2\n");
    repo.write("added", "3\n");
    repo.commit("second");
    let commits = read(&repo, &ReadGitHistoryParams { files: true, ..params(None) }).unwrap().commits;
    assert_eq!(commits[0].files, ["A added", "R old → dir/new", "D gone", "M kept"]);
    assert_eq!(commits[1].files, ["A gone", "A kept", "A old"]);
}

#[test]
fn a_repository_without_a_commit_has_an_empty_history() {
    let repo = Scratch::unborn();
    let output = read(&repo, &params(None)).unwrap();
    assert!(output.commits.is_empty() && output.continuation.is_none());
}

#[test]
fn a_shallow_clone_ends_where_it_ends() {
    let repo = Scratch::with(&[("a", "1\n")]);
    for step in 0..4 {
        repo.write("a", format!("{step}\n"));
        repo.commit("more");
    }
    let clone = Scratch::folder();
    run_git(
        clone.root(),
        &["clone", "-q", "--depth", "2", &format!("file://{}", repo.root().display()), "."],
    );
    let commits = read(&clone, &ReadGitHistoryParams { files: true, ..params(None) }).unwrap().commits;
    assert_eq!(commits.len(), 2);
    assert!(commits[1].parents.is_empty() && commits[1].files == ["A a"]);
}

#[test]
fn a_cursor_belongs_to_its_request() {
    let repo = Scratch::with(&[("a", "1\n")]);
    repo.write("a", "2\n");
    repo.commit("second");
    let page = read(&repo, &ReadGitHistoryParams { limit: Some(Limit::clamped(1)), ..params(None) }).unwrap();
    let next: ReadGitHistoryParams =
        serde_json::from_value(page.continuation.unwrap().arguments.into()).unwrap();
    let other = ReadGitHistoryParams { paths: paths(&["b"]), ..next.clone() };
    assert!(matches!(read(&repo, &other), Err(GitError::CursorInvalid { .. })));
    // New commits do not move what comes next.
    repo.write("a", "3\n");
    repo.commit("third");
    assert_eq!(read(&repo, &next).unwrap().commits[0].subject, "first");
}

#[test]
fn a_project_in_a_subfolder_has_the_history_of_that_folder() {
    let repo = Scratch::with(&[("app/a", "1\n")]);
    repo.write("other", "1\n");
    repo.commit("elsewhere");
    repo.write("app/a", "2\n");
    repo.write("other", "2\n");
    repo.commit("both");
    let project = webcodex_projects::Project::new(id(), "app", &repo.path("app")).unwrap();
    let with_files = ReadGitHistoryParams { files: true, ..params(None) };
    let output = repo.git.read_history(&project.read_access(), &with_files, &Interrupt::never()).unwrap();
    let told: Vec<_> =
        output.commits.iter().map(|commit| (commit.subject.as_str(), commit.files.as_slice())).collect();
    assert_eq!(told, [("both", &["M a".to_owned()][..]), ("first", &["A a".to_owned()][..])]);
}

#[test]
fn a_folder_without_git_has_no_history() {
    let folder = Scratch::folder();
    assert!(matches!(read(&folder, &params(None)), Err(GitError::NotARepository { .. })));
}

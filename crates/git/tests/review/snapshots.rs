//! Snapshots: what they show, what they leave alone, and what stays when everything around them changes.

use std::collections::BTreeMap;
use std::path::Path;

use webcodex_contracts::tools::changes_file_diff::ChangesFileParams;
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;
use webcodex_contracts::tools::review::{ChangedBy, NoPreview, ReviewFile};
use webcodex_contracts::tools::work_result_state::Review;
use webcodex_contracts::{SessionId, SnapshotId};
use webcodex_git::{Asked, Git, Interrupt, Reviewed, SnapshotError};

use crate::scratch::{Scratch, id};

/// A session that has begun.
pub(crate) fn begin(scratch: &Scratch, name: &str) -> SessionId {
    let session = SessionId::parse(name).unwrap();
    scratch.git.begin_session(&scratch.access(), &session, &Interrupt::never()).unwrap();
    session
}

pub(crate) fn reviewed(scratch: &Scratch, session: &SessionId) -> Reviewed {
    let asked = Asked { session: Some(session), ..Asked::default() };
    scratch.git.review(&scratch.access(), &asked, &Interrupt::never()).unwrap()
}

pub(crate) fn review(scratch: &Scratch, session: &SessionId) -> Review {
    let reviewed = reviewed(scratch, session);
    reviewed.review.unwrap_or_else(|| panic!("{:?}", reviewed.unavailable))
}

pub(crate) fn params(
    session: &SessionId,
    snapshot: &SnapshotId,
    path: &str,
    offset: u64,
) -> ChangesFileParams {
    let offset = (offset > 0).then_some(offset);
    let params = serde_json::json!({
        "project": id(), "session_id": session, "snapshot_id": snapshot, "path": path});
    let mut params: ChangesFileParams = serde_json::from_value(params).unwrap();
    params.offset = offset.and_then(webcodex_contracts::Whole::new);
    params
}

/// The whole diff of a file as unified text.
pub(crate) fn diff(scratch: &Scratch, session: &SessionId, snapshot: &SnapshotId, path: &str) -> String {
    let params = params(session, snapshot, path, 0);
    let diff = scratch.git.file_diff(&scratch.access(), &params, &Interrupt::never()).unwrap();
    assert!(!diff.loaded.partial, "{path}: {:?}", diff.loaded);
    diff.hunks.iter().map(|hunk| hunk.lines.text.as_str()).collect()
}

pub(crate) fn text(
    scratch: &Scratch,
    session: &SessionId,
    snapshot: &SnapshotId,
    path: &str,
) -> Result<String, SnapshotError> {
    let params = params(session, snapshot, path, 0);
    scratch.git.file_text(&scratch.access(), &params, &Interrupt::never()).map(|answer| answer.text)
}

fn shown(files: &[ReviewFile]) -> Vec<String> {
    files.iter().map(|file| format!("{:?} {}", file.status, file.path)).collect()
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().flatten() {
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_symlink() => {}
                _ => drop(
                    found.insert(entry.path().display().to_string(), std::fs::read(entry.path()).unwrap()),
                ),
            }
        }
    }
    found
}

#[test]
fn a_review_counts_from_the_beginning_of_the_session() {
    let scratch = Scratch::with(&[
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "b\n"),
        ("gone.txt", "x\n"),
        ("sub/deep.txt", "d\n"),
    ]);
    scratch.write("b.txt", "dirty before\n");
    scratch.write("new before.txt", "n\n");
    let session = begin(&scratch, "wcs_a");
    assert_eq!(review(&scratch, &session).file_count, 0, "what was there before is not this session's");

    scratch.write("a.txt", "one\nthree\n");
    scratch.write("sub/new.txt", "new\n");
    scratch.remove("gone.txt");
    scratch.rename("sub/deep.txt", "sub/deeper.txt");
    let first = review(&scratch, &session);
    assert_eq!(
        shown(&first.files),
        ["Modified a.txt", "Deleted gone.txt", "Renamed sub/deeper.txt", "Added sub/new.txt"]
    );
    assert_eq!((first.added_lines, first.removed_lines), (2, 2));
    assert_eq!(diff(&scratch, &session, &first.snapshot_id, "a.txt"), " one\n-two\n+three\n");
    assert_eq!(text(&scratch, &session, &first.snapshot_id, "a.txt").unwrap(), "one\nthree\n");
    assert!(first.files.iter().all(|file| file.by == Some(ChangedBy::Others)), "no edit was noted");

    // Committing changes nothing about what the session has changed.
    scratch.commit("second");
    let second = review(&scratch, &session);
    assert_eq!(shown(&second.files), [&shown(&first.files)[..], &[]].concat());
    scratch.write("a.txt", "one\ntwo\n");
    let third = review(&scratch, &session);
    assert_eq!(third.file_count, 3, "what is back as it was is no change");
    assert_eq!(
        diff(&scratch, &session, &first.snapshot_id, "a.txt"),
        " one\n-two\n+three\n",
        "a snapshot stays"
    );
}

#[test]
fn nothing_new_is_the_same_snapshot() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = begin(&scratch, "wcs_a");
    scratch.write("a.txt", "two\n");
    let first = review(&scratch, &session);
    assert_eq!(review(&scratch, &session).snapshot_id, first.snapshot_id);
    let known = Some(&first.snapshot_id);
    let asked = Asked { session: Some(&session), known, ..Asked::default() };
    let again = scratch.git.review(&scratch.access(), &asked, &Interrupt::never()).unwrap().review.unwrap();
    assert!(again.unchanged && again.files.is_empty() && again.file_count == 1);
    scratch.write("a.txt", "three\n");
    assert_ne!(review(&scratch, &session).snapshot_id, first.snapshot_id);
}

#[test]
fn nothing_is_ever_written_into_the_repository() {
    let scratch = Scratch::with(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    scratch.write("staged.txt", "s\n");
    scratch.git(&["add", "staged.txt"]);
    scratch.write("untracked.txt", "u\n");
    let before = contents(scratch.root());
    let session = begin(&scratch, "wcs_a");
    let snapshot = review(&scratch, &session).snapshot_id;
    let project = scratch.git.review(&scratch.access(), &Asked::default(), &Interrupt::never()).unwrap();
    assert_eq!(project.review.unwrap().file_count, 2, "against the last commit");
    scratch.git.seal(&scratch.access(), &session, None, &Interrupt::never()).unwrap();
    assert!(text(&scratch, &session, &snapshot, "nothing").is_err());
    assert_eq!(contents(scratch.root()), before);
}

#[test]
fn a_folder_without_git_is_reviewed_all_the_same() {
    let scratch = Scratch::folder();
    scratch.write("a.txt", "one\n");
    scratch.write(".gitignore", "ignored/\n");
    scratch.write("ignored/x", "x\n");
    let session = begin(&scratch, "wcs_a");
    scratch.write("a.txt", "two\n");
    scratch.write("sub/new.txt", "n\n");
    scratch.write("ignored/x", "y\n");
    let review = review(&scratch, &session);
    assert_eq!(shown(&review.files), ["Modified a.txt", "Added sub/new.txt"]);
    assert_eq!(diff(&scratch, &session, &review.snapshot_id, "a.txt"), "-one\n+two\n");
    assert_eq!(contents(scratch.root()).len(), 4, "nothing of ours lies beside the files");
}

#[test]
fn a_project_below_the_top_shows_its_own_files_only() {
    let scratch = Scratch::with(&[("app/a.txt", "one\n"), ("other/b.txt", "two\n")]);
    let root = scratch.path("app");
    let project = webcodex_projects::Project::new(id(), "app", &root).unwrap();
    let session = SessionId::parse("wcs_a").unwrap();
    let access = project.read_access();
    scratch.git.begin_session(&access, &session, &Interrupt::never()).unwrap();
    scratch.write("app/a.txt", "changed\n");
    scratch.write("other/b.txt", "changed\n");
    let asked = Asked { session: Some(&session), ..Asked::default() };
    let review = scratch.git.review(&access, &asked, &Interrupt::never()).unwrap().review.unwrap();
    assert_eq!(shown(&review.files), ["Modified a.txt"]);
}

#[test]
fn hostile_names_are_names() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = begin(&scratch, "wcs_a");
    let mut names =
        vec!["<img src=x onerror=alert(1)>.txt", "\u{202e}txt.exe", "中文 名.md", "a;b&c'd.txt", "--help"];
    if cfg!(unix) {
        names.extend(["quote\"quote.txt", "new\nline.txt", "tab\t.txt", "back\\slash.txt"]);
    }
    for name in &names {
        scratch.write(name, format!("in {name:?}\n"));
    }
    let review = review(&scratch, &session);
    let mut listed: Vec<_> = review.files.iter().map(|file| file.path.as_str()).collect();
    listed.sort();
    names.sort();
    assert_eq!(listed, names);
    for name in names {
        assert_eq!(text(&scratch, &session, &review.snapshot_id, name).unwrap(), format!("in {name:?}\n"));
    }
    for outside in ["../a.txt", "/etc/passwd", "a.txt", ".git/config", ""] {
        let error = text(&scratch, &session, &review.snapshot_id, outside).unwrap_err();
        assert!(matches!(error, SnapshotError::NotListed { .. }), "{outside}: {error}");
    }
}

#[test]
fn what_is_no_text_is_said_and_not_shown() {
    let scratch = Scratch::with(&[("gone.txt", "x\n"), ("latin.txt", "plain\n")]);
    let session = begin(&scratch, "wcs_a");
    scratch.write("binary.bin", b"\0\x01\x02");
    scratch.write("latin.txt", b"caf\xe9\n");
    scratch.remove("gone.txt");
    let large = vec![b'x'; 26 * 1024 * 1024];
    scratch.write("large.txt", &large);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", scratch.path("link")).unwrap();
    let inner = scratch.path("inner");
    std::fs::create_dir(&inner).unwrap();
    let review = review(&scratch, &session);
    let reason = |path: &str| match text(&scratch, &session, &review.snapshot_id, path) {
        Err(SnapshotError::NoPreview { reason, .. }) => reason,
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(reason("binary.bin"), NoPreview::Binary);
    assert_eq!(reason("latin.txt"), NoPreview::NotUtf8);
    assert_eq!(reason("gone.txt"), NoPreview::Deleted);
    assert_eq!(reason("large.txt"), NoPreview::TooLarge);
    #[cfg(unix)]
    assert_eq!(reason("link"), NoPreview::Symlink);
    assert!(review.partial && review.left_out[0].what == "large.txt", "{:?}", review.left_out);
    let file = |path: &str| review.files.iter().find(|file| file.path == path).unwrap();
    assert_eq!(
        (file("large.txt").no_diff, file("large.txt").size_bytes),
        (Some(NoPreview::TooLarge), Some(large.len() as u64))
    );
    assert_eq!(file("binary.bin").no_diff, Some(NoPreview::Binary));
    assert!(
        diff(&scratch, &session, &review.snapshot_id, "latin.txt").contains("+caf"),
        "lines are shown as they read"
    );
    // A change of a large file is seen although it is not kept.
    scratch.write("large.txt", &large[1..]);
    assert_ne!(self::review(&scratch, &session).snapshot_id, review.snapshot_id);
}

#[test]
fn a_submodule_is_its_commit() {
    let inner = Scratch::with(&[("x.txt", "x\n")]);
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let url = inner.root().display().to_string();
    scratch.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    scratch.commit("with submodule");
    let session = begin(&scratch, "wcs_a");
    std::fs::write(scratch.path("sub/x.txt"), "changed\n").unwrap();
    let sub = |arguments: &[&str]| scratch.git(&[&["-C", "sub"], arguments].concat());
    sub(&["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qam", "inner"]);
    let review = review(&scratch, &session);
    assert_eq!(shown(&review.files), ["Modified sub"]);
    assert_eq!(review.files[0].no_text, Some(NoPreview::Submodule));
    assert!(diff(&scratch, &session, &review.snapshot_id, "sub").contains("+Subproject commit "));
}

#[test]
fn a_diff_of_fifty_thousand_lines_is_loaded_in_parts_up_to_its_limit() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = begin(&scratch, "wcs_a");
    let long: String = (0..50_000).map(|line| format!("line {line} of a long file\n")).collect();
    scratch.write("long.txt", &long);
    let review = review(&scratch, &session);
    assert_eq!(review.files[0].added_lines, Some(50_000));
    let (mut offset, mut loaded) = (0, 0);
    let last = loop {
        let params = params(&session, &review.snapshot_id, "long.txt", offset);
        let diff = scratch.git.file_diff(&scratch.access(), &params, &Interrupt::never()).unwrap();
        loaded += diff.hunks.iter().map(|hunk| hunk.lines.text.len()).sum::<usize>();
        match diff.loaded.next_offset {
            Some(next) => offset = next,
            None => break diff.loaded,
        }
    };
    assert!(last.partial && last.limit_reached && loaded <= 256 * 1024 && loaded > 200 * 1024, "{last:?}");
    let (mut offset, mut read) = (0, String::new());
    let last = loop {
        let params = params(&session, &review.snapshot_id, "long.txt", offset);
        let part = scratch.git.file_text(&scratch.access(), &params, &Interrupt::never()).unwrap();
        assert!(part.text.len() <= 32 * 1024);
        read += &part.text;
        match part.loaded.next_offset {
            Some(next) => offset = next,
            None => break part.loaded,
        }
    };
    assert!(last.limit_reached && long.starts_with(&read) && read.len() == 256 * 1024, "{}", read.len());
}

#[test]
fn many_new_files_are_kept_and_read_again() {
    let scratch = Scratch::unborn();
    let session = begin(&scratch, "wcs_a");
    for number in 0..700 {
        scratch.write(&format!("folder {}/file {number}.txt", number % 7), format!("number {number}\n"));
    }
    let first = review(&scratch, &session);
    assert_eq!((first.file_count, first.files.len(), first.next_offset), (700, 500, Some(500)));
    let asked =
        Asked { session: Some(&session), snapshot: Some(&first.snapshot_id), offset: 500, known: None };
    let rest = scratch.git.review(&scratch.access(), &asked, &Interrupt::never()).unwrap().review.unwrap();
    assert_eq!((rest.files.len(), rest.next_offset), (200, None));
    for file in first.files.iter().chain(&rest.files).step_by(50) {
        assert!(text(&scratch, &session, &first.snapshot_id, &file.path).unwrap().starts_with("number "));
    }
}

#[test]
fn sealed_changes_stay_whatever_happens_around_them() {
    let scratch = Scratch::with(&[("a.txt", "one\n"), ("b.txt", "b\n")]);
    let session = begin(&scratch, "wcs_a");
    scratch.write("a.txt", "two\n");
    scratch.write("new.txt", "new\n");
    let seal = scratch.git.seal(&scratch.access(), &session, Some("did it"), &Interrupt::never()).unwrap();
    assert_eq!(
        (seal.attempt, shown(&seal.files)),
        (1, vec!["Modified a.txt".to_owned(), "Added new.txt".to_owned()])
    );

    scratch.write("a.txt", "three\n");
    scratch.remove("new.txt");
    scratch.commit("later");
    // The commit the session began from goes, with everything that only it held.
    scratch.git(&["checkout", "-q", "--orphan", "fresh"]);
    scratch.git(&["commit", "-qam", "fresh"]);
    scratch.git(&["branch", "-D", "main"]);
    scratch.git(&["reflog", "expire", "--expire=now", "--all"]);
    scratch.git(&["gc", "-q", "--prune=now"]);

    // A Runner that starts anew finds it again.
    let scratch = scratch.reopened();
    let again = reviewed(&scratch, &session).final_changes.unwrap();
    assert_eq!(again, seal);
    assert_eq!(diff(&scratch, &session, &seal.snapshot_id, "a.txt"), "-one\n+two\n");
    assert_eq!(text(&scratch, &session, &seal.snapshot_id, "new.txt").unwrap(), "new\n");
    let reviewed = reviewed(&scratch, &session);
    assert!(reviewed.attempt == 2 && reviewed.review.is_none(), "the state it began from is gone");
    assert!(reviewed.unavailable.unwrap().contains("not kept any more"));
}

#[test]
fn a_snapshot_that_is_gone_is_never_replaced_by_the_files_on_disk() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = begin(&scratch, "wcs_a");
    scratch.write("a.txt", "two\n");
    let review = review(&scratch, &session);
    let other = SessionId::parse("wcs_other").unwrap();
    let unknown = SnapshotId::parse("wcx_ffffffffffffffffffffffff").unwrap();
    for (session, snapshot) in [(&other, &review.snapshot_id), (&session, &unknown)] {
        let error = text(&scratch, session, snapshot, "a.txt").unwrap_err();
        assert!(matches!(error, SnapshotError::Expired { .. }), "{error}");
    }
    for entry in std::fs::read_dir(scratch.data.path().join("snapshots")).unwrap().flatten() {
        std::fs::remove_dir_all(entry.path()).unwrap();
    }
    let error = text(&scratch, &session, &review.snapshot_id, "a.txt").unwrap_err();
    assert!(matches!(error, SnapshotError::Expired { .. }), "{error}");
}

#[test]
fn what_was_not_used_for_two_weeks_goes() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let (old, young) = (begin(&scratch, "wcs_old"), begin(&scratch, "wcs_young"));
    let snapshots = scratch.data.path().join("snapshots");
    let folders =
        || std::fs::read_dir(&snapshots).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    assert_eq!(folders().len(), 2);
    scratch.write("a.txt", "two\n");
    let expires = review(&scratch, &old).expires_ms;
    review(&scratch, &young);
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    let now = std::time::SystemTime::now();
    let in_ms = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    assert!(expires > in_ms + 13 * day.as_millis() as u64);
    // Fifteen days pass for one of them.
    let place = &folders()[0];
    for file in ["session.json", "git"] {
        std::fs::File::open(place.join(file)).unwrap().set_modified(now - 15 * day).unwrap();
    }
    Git::open(scratch.data.path()).unwrap();
    assert_eq!(folders().len(), 1);
}

#[test]
fn conflicts_are_named() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    scratch.git(&["checkout", "-q", "-b", "side"]);
    scratch.write("a.txt", "side\n");
    scratch.commit("side");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.write("a.txt", "main\n");
    scratch.commit("main");
    let session = begin(&scratch, "wcs_a");
    assert!(!scratch.try_git(&["merge", "side"]));
    let review = review(&scratch, &session);
    assert_eq!(review.conflicted, ["a.txt"]);
    assert_eq!(review.files[0].status, ChangeStatus::Modified);
    assert!(diff(&scratch, &session, &review.snapshot_id, "a.txt").contains("+<<<<<<< "));
}

#[test]
fn a_repository_with_longer_ids_is_kept_too() {
    let scratch = Scratch::unborn_with(&["--object-format=sha256"]);
    scratch.write("a.txt", "one\n");
    scratch.commit("first");
    let session = begin(&scratch, "wcs_a");
    scratch.write("a.txt", "two\n");
    for number in 0..80 {
        scratch.write(&format!("new {number}.txt"), format!("{number}\n"));
    }
    let seal = scratch.git.seal(&scratch.access(), &session, None, &Interrupt::never()).unwrap();
    assert_eq!(seal.file_count, 81);
    assert_eq!(diff(&scratch, &session, &seal.snapshot_id, "a.txt"), "-one\n+two\n");
}

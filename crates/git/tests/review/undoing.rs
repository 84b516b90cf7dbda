//! Whose changes are whose, and undoing exactly those.

use std::path::Path;

use sha2::{Digest, Sha256};
use webcodex_contracts::SessionId;
use webcodex_contracts::tools::restore_changes::RefusedBecause;
use webcodex_contracts::tools::review::{ChangedBy, Decision};
use webcodex_contracts::tools::review_decision::{ReviewAction, ReviewDecisionOutput};
use webcodex_git::{Decided, DecisionAsked, Edited, Interrupt, PutBack, RestoreAsked, SnapshotError};

use crate::scratch::Scratch;
use crate::snapshots::{begin, params, review, reviewed};

/// An edit as the product makes it: noted, made, confirmed.
pub(crate) fn edit(scratch: &Scratch, session: &SessionId, path: &str, content: Option<&str>) {
    let before = std::fs::read(scratch.path(path)).ok();
    let edited =
        Edited { path, before: before.as_deref(), after: content.map(str::as_bytes), executable: false };
    let number = scratch.git.note_edit(&scratch.access(), session, &[edited], &Interrupt::never()).unwrap();
    match content {
        Some(content) => scratch.write(path, content),
        None => scratch.remove(path),
    }
    scratch.git.settle_edit(&scratch.access(), session, number, true).unwrap();
}

/// A command as the product runs it.
pub(crate) fn command(scratch: &Scratch, session: &SessionId, work: impl FnOnce()) {
    let watched = scratch.git.watch_command(&scratch.access(), session, &Interrupt::never());
    work();
    scratch.git.command_ended(&scratch.access(), session, &watched, &Interrupt::never()).unwrap();
}

fn carry_out(root: &Path, files: &[PutBack]) {
    for file in files {
        let place = root.join(file.path.as_str());
        let now = std::fs::read(&place).ok().map(|bytes| <[u8; 32]>::from(Sha256::digest(bytes)));
        assert_eq!(now, file.expect, "{}", file.path);
        match &file.content {
            Some(content) => {
                std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                std::fs::write(place, content).unwrap();
            }
            None => std::fs::remove_file(place).unwrap(),
        }
    }
}

/// Undoes a session's work; returns what was refused.
fn restore(scratch: &Scratch, session: &SessionId, paths: Option<&[&str]>) -> Vec<(String, RefusedBecause)> {
    restore_as(scratch, session, paths, false)
}

/// Undoes a session's work, beside the lines of others where `merge` is set; returns what was refused.
pub(crate) fn restore_as(
    scratch: &Scratch,
    session: &SessionId,
    paths: Option<&[&str]>,
    merge: bool,
) -> Vec<(String, RefusedBecause)> {
    let paths: Option<Vec<String>> = paths.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect());
    let asked = RestoreAsked { session, paths: paths.as_deref(), merge, dry_run: false };
    let (plan, refused) = scratch.git.plan_restore(&scratch.access(), &asked, &Interrupt::never()).unwrap();
    carry_out(scratch.root(), &plan.files);
    if !plan.files.is_empty() {
        scratch.git.settle_edit(&scratch.access(), session, plan.number, true).unwrap();
    }
    refused.into_iter().map(|file| (file.path, file.reason)).collect()
}

fn by(scratch: &Scratch, session: &SessionId) -> Vec<(String, ChangedBy)> {
    review(scratch, session).files.into_iter().map(|file| (file.path, file.by.unwrap())).collect()
}

pub(crate) fn read(scratch: &Scratch, path: &str) -> String {
    std::fs::read_to_string(scratch.path(path)).unwrap()
}

#[test]
fn undoing_one_session_leaves_the_others_and_the_users_bytes() {
    let scratch = Scratch::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d.txt", "d\n")]);
    let (one, two) = (begin(&scratch, "wcs_1"), begin(&scratch, "wcs_2"));
    edit(&scratch, &one, "a.txt", Some("a by one\n"));
    edit(&scratch, &two, "b.txt", Some("b by two\n"));
    scratch.write("c.txt", "c by the user\n");
    edit(&scratch, &one, "new/one.txt", Some("new by one\n"));
    edit(&scratch, &one, "d.txt", None);
    edit(&scratch, &one, "a.txt", Some("a by one again\n"));
    // Two edits a file of one's.
    edit(&scratch, &one, "shared.txt", Some("1\n"));
    edit(&scratch, &two, "shared.txt", Some("1\n2\n"));
    let own = |path: &str, who| (path.to_owned(), who);
    assert_eq!(
        by(&scratch, &one),
        [
            own("a.txt", ChangedBy::Session),
            own("b.txt", ChangedBy::Others),
            own("c.txt", ChangedBy::Others),
            own("d.txt", ChangedBy::Session),
            own("new/one.txt", ChangedBy::Session),
            own("shared.txt", ChangedBy::Mixed),
        ]
    );
    let refused = restore(&scratch, &one, None);
    assert_eq!(refused, [("shared.txt".to_owned(), RefusedBecause::ChangedSince)]);
    for (path, content) in [
        ("a.txt", "a\n"),
        ("b.txt", "b by two\n"),
        ("c.txt", "c by the user\n"),
        ("d.txt", "d\n"),
        ("shared.txt", "1\n2\n"),
    ] {
        assert_eq!(read(&scratch, path), content, "{path}");
    }
    assert!(!scratch.path("new/one.txt").exists());
    assert_eq!(restore(&scratch, &one, None).len(), 1, "nothing is left to undo");
    assert_eq!(restore(&scratch, &two, None), []);
    assert_eq!(read(&scratch, "b.txt"), "b\n");
    assert_eq!(read(&scratch, "shared.txt"), "1\n");
}

#[test]
fn what_somebody_changed_in_between_is_refused() {
    let scratch = Scratch::with(&[("a.txt", "a\n")]);
    let session = begin(&scratch, "wcs_1");
    edit(&scratch, &session, "a.txt", Some("one\n"));
    scratch.write("a.txt", "the user's\n");
    edit(&scratch, &session, "a.txt", Some("the user's\nand mine\n"));
    assert_eq!(restore(&scratch, &session, None), [("a.txt".to_owned(), RefusedBecause::ChangedBetween)]);
    assert_eq!(read(&scratch, "a.txt"), "the user's\nand mine\n");
}

#[test]
fn what_commands_changed_is_undone_only_where_it_is_named() {
    let scratch = Scratch::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("run.sh", "echo\n")]);
    scratch.write("dirty.txt", "not committed\n");
    let session = begin(&scratch, "wcs_1");
    command(&scratch, &session, || {
        scratch.write("a.txt", "formatted\n");
        scratch.write("dirty.txt", "formatted\n");
        scratch.write("made.txt", "made\n");
        scratch.remove("b.txt");
    });
    scratch.write("by hand.txt", "mine\n");
    assert!(by(&scratch, &session).contains(&("made.txt".to_owned(), ChangedBy::Command)));
    let refused = restore(&scratch, &session, None);
    assert!(refused.len() == 4 && refused.iter().all(|(_, why)| *why == RefusedBecause::ChangedByCommand));
    assert_eq!(read(&scratch, "a.txt"), "formatted\n");
    let named = ["a.txt", "b.txt", "dirty.txt", "made.txt", "by hand.txt"];
    let refused = restore(&scratch, &session, Some(&named));
    assert_eq!(refused, [("by hand.txt".to_owned(), RefusedBecause::NotThisSession)]);
    assert_eq!(
        (read(&scratch, "a.txt"), read(&scratch, "dirty.txt")),
        ("a\n".to_owned(), "not committed\n".to_owned())
    );
    assert!(read(&scratch, "b.txt") == "b\n" && !scratch.path("made.txt").exists());
    assert_eq!(read(&scratch, "by hand.txt"), "mine\n");
}

#[test]
fn an_edit_while_anothers_command_runs_stays_the_editors() {
    let scratch = Scratch::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let (one, two) = (begin(&scratch, "wcs_1"), begin(&scratch, "wcs_2"));
    command(&scratch, &one, || {
        edit(&scratch, &two, "a.txt", Some("by two\n"));
        scratch.write("b.txt", "by the command\n");
    });
    assert!(restore(&scratch, &one, Some(&["a.txt"]))[0].1 == RefusedBecause::NotThisSession);
    assert_eq!(restore(&scratch, &one, Some(&["b.txt"])), []);
    assert_eq!((read(&scratch, "a.txt"), read(&scratch, "b.txt")), ("by two\n".to_owned(), "b\n".to_owned()));
    assert_eq!(restore(&scratch, &two, None), []);
    assert_eq!(read(&scratch, "a.txt"), "a\n");
}

#[test]
fn commands_of_two_sessions_at_once_are_nobodys() {
    let scratch = Scratch::with(&[("a.txt", "a\n")]);
    let (one, two) = (begin(&scratch, "wcs_1"), begin(&scratch, "wcs_2"));
    command(&scratch, &one, || {
        command(&scratch, &two, || scratch.write("a.txt", "by one of them\n"));
    });
    for session in [&one, &two] {
        let refused = restore(&scratch, session, Some(&["a.txt"]));
        assert_eq!(refused, [("a.txt".to_owned(), RefusedBecause::ChangedBetween)]);
    }
    assert_eq!(read(&scratch, "a.txt"), "by one of them\n");
}

#[test]
fn an_edit_cut_off_by_a_kill_is_known_by_what_is_on_disk() {
    for made in [true, false] {
        let scratch = Scratch::with(&[("a.txt", "a\n")]);
        let session = begin(&scratch, "wcs_1");
        let edited = Edited { path: "a.txt", before: Some(b"a\n"), after: Some(b"b\n"), executable: false };
        scratch.git.note_edit(&scratch.access(), &session, &[edited], &Interrupt::never()).unwrap();
        if made {
            scratch.write("a.txt", "b\n");
        }
        let scratch = scratch.reopened();
        assert_eq!(restore(&scratch, &session, None), []);
        assert_eq!(read(&scratch, "a.txt"), "a\n", "made: {made}");
    }
}

fn decide(
    scratch: &Scratch,
    session: &SessionId,
    asked: DecisionAsked<'_>,
) -> Result<ReviewDecisionOutput, SnapshotError> {
    match scratch.git.decide(&scratch.access(), &asked, &Interrupt::never())? {
        Decided::Noted(output) => Ok(output),
        Decided::PutBack(undo) => {
            carry_out(scratch.root(), &undo.plan.files);
            scratch.git.settle_decision(&scratch.access(), session, *undo, true)
        }
    }
}

fn asked<'a>(session: &'a SessionId, action: ReviewAction) -> DecisionAsked<'a> {
    DecisionAsked { session, action, snapshot: None, path: None, hunk: None, rejection: None, note: None }
}

#[test]
fn rejecting_undoes_exactly_the_file_or_the_hunk_and_can_be_taken_back() {
    let old: String = (1..=60).map(|line| format!("{line}\n")).collect();
    let scratch = Scratch::with(&[
        ("a.txt", &old),
        ("b.txt", "b\n"),
        ("gone.txt", "gone\n"),
        ("from.txt", "moved\nfile\n"),
    ]);
    let session = begin(&scratch, "wcs_1");
    let new = old.replace("\n10\n", "\nten\n").replace("\n50\n", "\nfifty\n");
    scratch.write("a.txt", &new);
    scratch.write("b.txt", "changed\n");
    scratch.write("new.txt", "new\n");
    scratch.remove("gone.txt");
    scratch.rename("from.txt", "to.txt");
    let snapshot = review(&scratch, &session).snapshot_id;
    let diff = scratch
        .git
        .file_diff(&scratch.access(), &params(&session, &snapshot, "a.txt", 0), &Interrupt::never())
        .unwrap();
    let reject = |path, hunk| DecisionAsked {
        snapshot: Some(&snapshot),
        path: Some(path),
        hunk,
        note: Some("not like this"),
        ..asked(&session, ReviewAction::Reject)
    };
    let first = decide(&scratch, &session, reject("a.txt", Some(&diff.hunks[0].hunk_id))).unwrap();
    assert_eq!(read(&scratch, "a.txt"), old.replace("\n50\n", "\nfifty\n"), "the other hunk stays");
    let rejection = first.rejection.unwrap();
    assert!(rejection.hunk.unwrap().contains("+ten") && rejection.note.as_deref() == Some("not like this"));
    // The snapshot shows another file than there is now.
    let again = decide(&scratch, &session, reject("a.txt", Some(&diff.hunks[1].hunk_id))).unwrap_err();
    assert!(matches!(again, SnapshotError::Changed { .. }), "{again}");
    let back =
        DecisionAsked { rejection: Some(&rejection.rejection_id), ..asked(&session, ReviewAction::TakeBack) };
    assert!(decide(&scratch, &session, back).unwrap().changed);
    assert_eq!(read(&scratch, "a.txt"), new);
    assert!(matches!(decide(&scratch, &session, back).unwrap_err(), SnapshotError::Unknown { .. }));

    for path in ["b.txt", "new.txt", "gone.txt", "to.txt"] {
        assert!(decide(&scratch, &session, reject(path, None)).unwrap().changed, "{path}");
    }
    assert_eq!(
        (read(&scratch, "b.txt"), read(&scratch, "gone.txt")),
        ("b\n".to_owned(), "gone\n".to_owned())
    );
    assert!(read(&scratch, "from.txt") == "moved\nfile\n" && !scratch.path("to.txt").exists());
    assert!(!scratch.path("new.txt").exists());
    let now = review(&scratch, &session);
    assert_eq!((now.file_count, now.rejections.len()), (1, 4));
    let moved = now.rejections.iter().find(|known| known.path == "to.txt").unwrap();
    let back =
        DecisionAsked { rejection: Some(&moved.rejection_id), ..asked(&session, ReviewAction::TakeBack) };
    decide(&scratch, &session, back).unwrap();
    assert!(read(&scratch, "to.txt") == "moved\nfile\n" && !scratch.path("from.txt").exists());
}

#[test]
fn what_changed_after_the_person_looked_is_not_undone() {
    let scratch = Scratch::with(&[("a.txt", "one\n"), ("b.txt", "b\n")]);
    let session = begin(&scratch, "wcs_1");
    scratch.write("a.txt", "two\n");
    scratch.remove("b.txt");
    let snapshot = review(&scratch, &session).snapshot_id;
    scratch.write("a.txt", "two and more\n");
    scratch.write("b.txt", "there again\n");
    for path in ["a.txt", "b.txt"] {
        let reject = DecisionAsked {
            snapshot: Some(&snapshot),
            path: Some(path),
            ..asked(&session, ReviewAction::Reject)
        };
        let error = decide(&scratch, &session, reject).unwrap_err();
        assert!(matches!(error, SnapshotError::Changed { .. }), "{error}");
    }
    assert_eq!(read(&scratch, "a.txt"), "two and more\n");
}

#[test]
fn acceptance_belongs_to_the_state_and_a_hunk_keeps_it() {
    let old: String = (1..=60).map(|line| format!("{line}\n")).collect();
    let scratch = Scratch::with(&[("a.txt", &old)]);
    let session = begin(&scratch, "wcs_1");
    let new = old.replace("\n10\n", "\nten\n").replace("\n50\n", "\nfifty\n");
    scratch.write("a.txt", &new);
    let snapshot = review(&scratch, &session).snapshot_id;
    let hunks = |snapshot| {
        let params = params(&session, snapshot, "a.txt", 0);
        scratch.git.file_diff(&scratch.access(), &params, &Interrupt::never()).unwrap().hunks
    };
    let second = hunks(&snapshot)[1].hunk_id.clone();
    let accept = |snapshot, hunk| DecisionAsked {
        snapshot: Some(snapshot),
        path: Some("a.txt"),
        hunk,
        ..asked(&session, ReviewAction::Accept)
    };
    decide(&scratch, &session, accept(&snapshot, Some(&second))).unwrap();
    assert_eq!(hunks(&snapshot).iter().map(|hunk| hunk.accepted).collect::<Vec<_>>(), [false, true]);
    assert_eq!(review(&scratch, &session).files[0].accepted_hunks, 1);
    decide(&scratch, &session, accept(&snapshot, None)).unwrap();
    assert_eq!(review(&scratch, &session).files[0].decision, Some(Decision::Accept));

    scratch.write("a.txt", format!("0\n{new}"));
    let later = review(&scratch, &session);
    assert_eq!(later.files[0].decision, None, "another state is another question");
    assert!(hunks(&later.snapshot_id).last().unwrap().accepted, "the same lines are the same lines");
    let back = DecisionAsked { action: ReviewAction::TakeBack, ..accept(&later.snapshot_id, Some(&second)) };
    decide(&scratch, &session, back).unwrap();
    assert!(!hunks(&later.snapshot_id).last().unwrap().accepted);
}

#[test]
fn line_ends_that_git_converts_come_back_as_they_were() {
    let scratch = Scratch::with(&[(".gitattributes", "*.txt eol=crlf\n")]);
    scratch.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    scratch.write("b.txt", "b\r\n");
    scratch.commit("with line ends");
    let session = begin(&scratch, "wcs_1");
    scratch.write("a.txt", "one\r\nTWO\r\nthree\r\n");
    let snapshot = review(&scratch, &session).snapshot_id;
    let diff = scratch
        .git
        .file_diff(&scratch.access(), &params(&session, &snapshot, "a.txt", 0), &Interrupt::never())
        .unwrap();
    assert_eq!(diff.hunks[0].lines.text, " one\n-two\n+TWO\n three\n", "shown as git stores it");
    let reject = DecisionAsked {
        snapshot: Some(&snapshot),
        path: Some("a.txt"),
        hunk: Some(&diff.hunks[0].hunk_id),
        ..asked(&session, ReviewAction::Reject)
    };
    decide(&scratch, &session, reject).unwrap();
    assert_eq!(read(&scratch, "a.txt"), "one\r\ntwo\r\nthree\r\n");
    command(&scratch, &session, || scratch.write("b.txt", "by a command\r\n"));
    assert_eq!(restore(&scratch, &session, Some(&["b.txt"])), []);
    assert_eq!(read(&scratch, "b.txt"), "b\r\n");
}

#[test]
fn a_closed_task_knows_whether_work_went_on() {
    let scratch = Scratch::with(&[("a.txt", "a\n")]);
    let session = begin(&scratch, "wcs_1");
    edit(&scratch, &session, "a.txt", Some("b\n"));
    scratch.git.seal(&scratch.access(), &session, None, &Interrupt::never()).unwrap();
    scratch.write("a.txt", "the user's\n");
    assert!(!reviewed(&scratch, &session).final_changes.unwrap().work_went_on, "that was not the session");
    edit(&scratch, &session, "a.txt", Some("c\n"));
    assert!(reviewed(&scratch, &session).final_changes.unwrap().work_went_on);
    let second = scratch.git.seal(&scratch.access(), &session, None, &Interrupt::never()).unwrap();
    assert_eq!((second.attempt, second.work_went_on), (2, false));
}

//! Undoing a session's lines while lines of others stay.

use webcodex_contracts::tools::restore_changes::RefusedBecause;

use crate::scratch::Scratch;
use crate::snapshots::begin;
use crate::undoing::{command, edit, read, restore_as};

fn numbered(changes: &[(usize, &str)]) -> String {
    let line = |number: usize| {
        let changed = changes.iter().find(|(at, _)| *at == number).map(|(_, text)| (*text).to_owned());
        changed.unwrap_or_else(|| format!("{number}\n"))
    };
    (1..=20).map(line).collect()
}

fn refused(path: &str, reason: RefusedBecause) -> [(String, RefusedBecause); 1] {
    [(path.to_owned(), reason)]
}

#[test]
fn lines_of_the_user_and_of_another_session_stay_where_they_do_not_touch() {
    let scratch = Scratch::with(&[("a.txt", numbered(&[]).as_str())]);
    let (one, two) = (begin(&scratch, "wcs_1"), begin(&scratch, "wcs_2"));
    edit(&scratch, &one, "a.txt", Some(&numbered(&[(3, "one\n")])));
    edit(&scratch, &two, "a.txt", Some(&numbered(&[(3, "one\n"), (8, "two\n")])));
    edit(&scratch, &one, "a.txt", Some(&numbered(&[(3, "one\n"), (8, "two\n"), (12, "")])));
    scratch.write("a.txt", numbered(&[(3, "one\n"), (8, "two\n"), (12, ""), (20, "20\nuser\n")]));
    let before = read(&scratch, "a.txt");
    assert_eq!(restore_as(&scratch, &one, None, false), refused("a.txt", RefusedBecause::ChangedBetween));
    assert_eq!(read(&scratch, "a.txt"), before, "nothing happens unless it is wanted");
    assert_eq!(restore_as(&scratch, &one, None, true), []);
    assert_eq!(read(&scratch, "a.txt"), numbered(&[(8, "two\n"), (20, "20\nuser\n")]));
    assert_eq!(restore_as(&scratch, &one, None, true), [], "it is undone already");
    assert_eq!(read(&scratch, "a.txt"), numbered(&[(8, "two\n"), (20, "20\nuser\n")]));
    assert_eq!(restore_as(&scratch, &two, None, true), []);
    assert_eq!(read(&scratch, "a.txt"), numbered(&[(20, "20\nuser\n")]));
}

#[test]
fn lines_that_touch_are_left_as_they_are() {
    for users in [numbered(&[(5, "user\n")]), numbered(&[(5, "one\n"), (6, "user\n")])] {
        let scratch = Scratch::with(&[("a.txt", numbered(&[]).as_str())]);
        let session = begin(&scratch, "wcs_1");
        edit(&scratch, &session, "a.txt", Some(&numbered(&[(5, "one\n")])));
        scratch.write("a.txt", &users);
        assert_eq!(
            restore_as(&scratch, &session, None, true),
            refused("a.txt", RefusedBecause::ChangedSince)
        );
        assert_eq!(read(&scratch, "a.txt"), users);
    }
}

#[test]
fn whole_files_of_others_and_what_is_no_text_are_never_merged() {
    let scratch =
        Scratch::with(&[("gone.txt", "1\n"), ("binary", "\0\n1\n2\n3\n"), ("run.txt", "1\n2\n3\n")]);
    let session = begin(&scratch, "wcs_1");
    edit(&scratch, &session, "made.txt", Some("made\n"));
    edit(&scratch, &session, "gone.txt", None);
    edit(&scratch, &session, "binary", Some("\0\none\n2\n3\n"));
    command(&scratch, &session, || scratch.write("run.txt", "one\n2\n3\n"));
    let others = [
        ("made.txt", "made\nby the user too\n"),
        ("gone.txt", "the user's\n"),
        ("binary", "\0\none\n2\nuser\n"),
        ("run.txt", "one\n2\nuser\n"),
    ];
    for (path, content) in others {
        scratch.write(path, content);
    }
    assert_eq!(restore_as(&scratch, &session, None, true).len(), 4);
    for (path, content) in others {
        assert_eq!(read(&scratch, path), content, "{path}");
    }
}

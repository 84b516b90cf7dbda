//! Kills between any two acts, and what the next start makes of them.

use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};
use webcodex_contracts::ProjectPath;

use super::{House, How, Stop, is_ours, relative, several_files};
use crate::commit::disk::{Act, Observer, Unobserved};
use crate::{ContentHash, EditProblem, Put};

/// Kills an edit before each of its acts in turn and checks that the next start leaves all old or all new.
fn check_kills(files: &[(&str, &str)], changes: &Value) {
    let whole = House::new(files);
    let before = relative(&whole);
    whole.edit(changes, &Unobserved).unwrap();
    let after = relative(&whole);
    assert_ne!(before, after);
    for act in 0.. {
        let house = House::new(files);
        let observer = Stop::before(act, How::Kill);
        let killed = catch_unwind(AssertUnwindSafe(|| house.edit(changes, &observer)));
        if let Ok(done) = killed {
            done.unwrap();
            assert!(act > 3, "the edit consists of acts");
            return;
        }
        house.start();
        let found = relative(&house);
        assert!(found == before || found == after, "killed before act {act}: {found:#?}");
        house.start();
        assert_eq!(relative(&house), found, "settled once and for all");
    }
}

#[test]
fn a_kill_between_any_two_acts_leaves_all_old_or_all_new() {
    let (files, changes) = several_files();
    check_kills(files, &changes);
}

#[test]
fn a_kill_during_a_single_change_leaves_old_or_new() {
    check_kills(
        &[("a.txt", "one\n")],
        &json!([{"kind": "replace_exact", "path": "a.txt", "old_text": "one", "new_text": "two"}]),
    );
    check_kills(&[("a.txt", "one\n")], &json!([{"kind": "create", "path": "x/y/b.txt", "new_text": "b"}]));
    check_kills(&[("a.txt", "one\n")], &json!([{"kind": "rename", "path": "a.txt", "to_path": "x/b.txt"}]));
    check_kills(&[("a.txt", "one\n"), ("b", "")], &json!([{"kind": "delete", "path": "a.txt"}]));
}

/// Lets one act fail and kills the process a few acts later, while it takes things back.
struct FailThenKill {
    fail: Stop,
    kill: Stop,
}

impl Observer for FailThenKill {
    fn before(&self, act: Act, path: &Path) -> io::Result<()> {
        let failed = self.fail.after.get() == 0;
        self.fail.before(act, path)?;
        if failed { self.kill.before(act, path) } else { Ok(()) }
    }
}

#[test]
fn a_kill_while_a_failure_is_taken_back_leaves_all_old_or_all_new() {
    let files = &[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "three\n")];
    let changes = json!([
        {"kind": "write", "path": "a.txt", "new_text": "ONE\n"},
        {"kind": "delete", "path": "b.txt"},
        {"kind": "rename", "path": "c.txt", "to_path": "new/c.txt"},
    ]);
    let whole = House::new(files);
    let before = relative(&whole);
    whole.edit(&changes, &Unobserved).unwrap();
    let after = relative(&whole);
    for fail in 0.. {
        let mut last_of_all = false;
        for kill in 0.. {
            let house = House::new(files);
            let observer = FailThenKill {
                fail: Stop::before(fail, How::Fail(io::ErrorKind::PermissionDenied)),
                kill: Stop::before(kill, How::Kill),
            };
            let killed = catch_unwind(AssertUnwindSafe(|| house.edit(&changes, &observer))).is_err();
            house.start();
            let found = relative(&house);
            assert!(found == before || found == after, "act {fail} failed, killed {kill} later: {found:#?}");
            if !killed {
                last_of_all = observer.fail.after.get() > 0;
                break;
            }
        }
        if last_of_all {
            return;
        }
    }
}

/// Keeps what a record was right before it is crossed out.
struct KeepRecord(RefCell<Option<(PathBuf, Vec<u8>)>>);

impl Observer for KeepRecord {
    fn before(&self, act: Act, path: &Path) -> io::Result<()> {
        if act == Act::ClearRecord {
            *self.0.borrow_mut() = Some((path.to_path_buf(), std::fs::read(path)?));
        }
        Ok(())
    }
}

/// Brings the record of a finished edit back, with what the user has done to the files since.
fn check_revived(changes: &Value, since: impl Fn(&Path)) {
    let (files, _) = several_files();
    let house = House::new(files);
    let observer = KeepRecord(Default::default());
    house.edit(changes, &observer).unwrap();
    let (slot, record) = observer.0.take().unwrap();
    since(house.root());
    let before = relative(&house);
    std::fs::write(&slot, &record).unwrap();
    house.start();
    assert_eq!(relative(&house), before);
}

#[test]
fn a_record_that_comes_back_after_a_power_failure_does_nothing() {
    let (_, changes) = several_files();
    check_revived(&changes, |_| {});
    check_revived(&changes, |root| {
        std::fs::write(root.join("d.txt"), "four\n").unwrap();
        std::fs::write(root.join("a.txt"), "one\n").unwrap();
    });
    check_revived(&changes, |root| {
        std::fs::rename(root.join("new/deep/c.txt"), root.join("old/c.txt")).unwrap();
        std::fs::remove_file(root.join("new/f.txt")).unwrap();
        std::fs::write(root.join("new/deep/more.txt"), "").unwrap();
    });
    let changes = json!([
        {"kind": "delete", "path": "d.txt"},
        {"kind": "create", "path": "f.txt", "new_text": "six\n"},
        {"kind": "rename", "path": "e.txt", "to_path": "g.txt"},
    ]);
    check_revived(&changes, |root| std::fs::write(root.join("d.txt"), "four\n").unwrap());
    check_revived(&changes, |root| std::fs::rename(root.join("g.txt"), root.join("e.txt")).unwrap());
    check_revived(&changes, |root| std::fs::remove_file(root.join("f.txt")).unwrap());
}

#[test]
fn what_somebody_changed_after_the_kill_stays() {
    let (files, changes) = several_files();
    for act in 0..60 {
        let house = House::new(files);
        let observer = Stop::before(act, How::Kill);
        if catch_unwind(AssertUnwindSafe(|| house.edit(&changes, &observer))).is_ok() {
            return;
        }
        // The user goes on working before the next start.
        std::fs::write(house.root().join("b.txt"), "mine\n").unwrap();
        house.start();
        let found = relative(&house);
        assert_eq!(found[Path::new("b.txt")].as_deref(), Some(b"mine\n".as_slice()), "act {act}");
        assert!(found.keys().all(|path| !is_ours(path)), "act {act}: {found:#?}");
    }
}

#[test]
fn a_vanished_project_is_settled_when_it_is_back() {
    let (files, changes) = several_files();
    let house = House::new(files);
    let before = relative(&house);
    let observer = Stop::before(12, How::Kill);
    assert!(catch_unwind(AssertUnwindSafe(|| house.edit(&changes, &observer))).is_err());
    let elsewhere = house.folder.path().join("elsewhere");
    std::fs::rename(house.root(), &elsewhere).unwrap();
    house.start();
    std::fs::rename(&elsewhere, house.root()).unwrap();
    assert!(relative(&house).keys().any(|path| is_ours(path)), "nothing could be settled yet");
    house.start();
    assert_eq!(relative(&house), before);
}

/// Changes over a small set of files, sensible enough to be planned.
fn changes() -> impl Strategy<Value = (Vec<(String, String)>, Value)> {
    let file = |name: &'static str| {
        let text = "[a-c]{0,3}(\r\n|\n)[a-c]{0,3}\n?";
        (text, 0..6_usize, "[x-z\n]{0,6}").prop_map(move |(text, kind, new)| {
            let change = match kind {
                0 => json!({"kind": "write", "path": name, "new_text": new}),
                1 => json!({"kind": "delete", "path": name}),
                2 => json!({"kind": "rename", "path": name, "to_path": format!("moved/{name}")}),
                3 => json!({"kind": "insert", "path": name, "line": 1, "new_text": new}),
                4 => json!({"kind": "create", "path": format!("made/{name}"), "new_text": new}),
                _ => json!({"kind": "insert", "path": name, "line": 2, "new_text": new}),
            };
            ((name.to_owned(), text), change)
        })
    };
    prop::collection::vec(any::<bool>(), 4).prop_flat_map(move |chosen| {
        let all = [file("a.txt"), file("b.txt"), file("sub/c.txt"), file("d.txt")];
        let chosen: Vec<_> =
            all.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(file, _)| file).collect();
        chosen.prop_map(|files| {
            let (files, changes): (Vec<_>, Vec<_>) = files.into_iter().unzip();
            (files, Value::Array(changes))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any edit, killed before any act: after the next start all files are old or all are new, and nothing is left.
    #[test]
    fn any_edit_survives_a_kill_at_any_moment((files, changes) in changes(), act in 0..60_usize) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let house = House::new(&files);
        let before = relative(&house);
        let whole = House::new(&files);
        whole.edit(&changes, &Unobserved).unwrap();
        let after = relative(&whole);
        let observer = Stop::before(act, How::Kill);
        let killed = catch_unwind(AssertUnwindSafe(|| house.edit(&changes, &observer))).is_err();
        house.start();
        let found = relative(&house);
        if killed {
            prop_assert!(found == before || found == after, "{:#?}", found);
        } else {
            prop_assert_eq!(found, after);
        }
    }
}

/// Puts one content back, makes one file go and another come back.
fn put_back(house: &House, observer: &dyn Observer) {
    let files = house.start();
    let path = |path: &str| ProjectPath::parse(path).unwrap();
    let put = |name, expect: Option<&str>, content: Option<&str>| Put {
        path: path(name),
        expect: expect.map(|text| ContentHash::of(text.as_bytes())),
        content: content.map(|text| text.as_bytes().to_vec()),
        executable: name == "x/run.sh",
    };
    let puts = vec![
        put("a.txt", Some("one\n"), Some("\u{0}binary\r\n")),
        put("b.txt", Some("two\n"), None),
        put("x/run.sh", None, Some("#!/bin/sh\n")),
    ];
    let mut access = house.project.write_access_blocking().unwrap();
    let plan = files.plan_contents(&access, puts).unwrap();
    files.commit_observed(plan, &mut access, observer).unwrap();
}

#[test]
fn a_kill_while_contents_are_put_back_leaves_all_old_or_all_new() {
    let files = &[("a.txt", "one\n"), ("b.txt", "two\n")];
    let whole = House::new(files);
    let before = relative(&whole);
    put_back(&whole, &Unobserved);
    let after = relative(&whole);
    assert_eq!(std::fs::read(whole.root().join("a.txt")).unwrap(), b"\0binary\r\n");
    assert!(!whole.root().join("b.txt").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| whole.root().join(name).metadata().unwrap().permissions().mode();
        assert!(mode("x/run.sh") & 0o100 != 0 && mode("a.txt") & 0o111 == 0);
    }
    for act in 0.. {
        let house = House::new(files);
        let observer = Stop::before(act, How::Kill);
        if catch_unwind(AssertUnwindSafe(|| put_back(&house, &observer))).is_ok() {
            assert!(act > 5, "it consists of acts");
            return;
        }
        house.start();
        let found = relative(&house);
        assert!(found == before || found == after, "killed before act {act}: {found:#?}");
    }
}

#[test]
fn contents_are_put_back_only_over_what_was_expected() {
    let house = House::new(&[("a.txt", "one\n"), ("there.txt", "x\n")]);
    let files = house.start();
    let access = house.project.write_access_blocking().unwrap();
    let plan = |name: &str, expect: Option<&str>| {
        let put = Put {
            path: ProjectPath::parse(name).unwrap(),
            expect: expect.map(|text| ContentHash::of(text.as_bytes())),
            content: Some(b"new\n".to_vec()),
            executable: false,
        };
        files.plan_contents(&access, vec![put]).unwrap_err().problem
    };
    assert!(matches!(plan("a.txt", Some("two\n")), EditProblem::Stale { .. }));
    assert!(matches!(plan("gone.txt", Some("two\n")), EditProblem::Stale { .. }));
    assert!(matches!(plan("there.txt", None), EditProblem::Exists { .. }));
    assert!(matches!(plan(".git/config", None), EditProblem::Path { .. }));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.txt", house.root().join("link.txt")).unwrap();
        assert!(matches!(plan("link.txt", Some("one\n")), EditProblem::Link { .. }));
    }
}

mod kills;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use webcodex_contracts::tools::edit_project_files::Change;
use webcodex_contracts::{ProjectId, ProjectPath};
use webcodex_projects::Project;

use super::disk::Act;
use super::*;
use crate::Seen;

/// A project with its engine, as one Runner process has them.
struct House {
    folder: tempfile::TempDir,
    project: Arc<Project>,
}

/// Every file and folder of a project with its content.
type State = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl House {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir(&root).unwrap();
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let project = Project::new(ProjectId::parse("agent:test:demo").unwrap(), "demo", &root).unwrap();
        Self { folder, project }
    }

    /// Starts the engine: what an earlier one was killed in is settled.
    fn start(&self) -> Files {
        Files::open(&self.folder.path().join("data")).unwrap()
    }

    fn root(&self) -> &Path {
        &self.project.root
    }

    fn state(&self) -> State {
        let mut state = State::new();
        collect(self.root(), &mut state);
        state
    }

    /// Changes with the guards that they need.
    fn changes(&self, files: &Files, changes: &Value) -> Vec<Change> {
        let mut changes: Vec<Change> = serde_json::from_value(changes.clone()).unwrap();
        for change in &mut changes {
            if let Ok(bytes) = std::fs::read(self.root().join(change.path.as_str())) {
                let hash = ContentHash::of(&bytes);
                let revision =
                    files.revision(&self.project.read_access(), &change.path, &hash, Seen::Complete);
                change.expected_read_revision = Some(revision);
            }
        }
        changes
    }

    fn edit(&self, changes: &Value, observer: &dyn Observer) -> Result<Vec<FileChange>, CommitError> {
        let files = self.start();
        let changes = self.changes(&files, changes);
        let mut access = self.project.write_access_blocking().unwrap();
        let plan = files.plan_edits(&access, &changes).unwrap();
        files.commit_observed(plan, &mut access, observer)
    }
}

fn collect(folder: &Path, state: &mut State) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, state);
            state.insert(path, None);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            state.insert(path, Some(bytes));
        }
    }
}

/// Stops the commit before one act.
struct Stop {
    after: Cell<usize>,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    /// As if the process had been killed: nothing of ours runs any more.
    Kill,
    /// As if this one act had failed.
    Fail(io::ErrorKind),
}

struct Killed;

impl Stop {
    fn before(act: usize, how: How) -> Self {
        Self { after: Cell::new(act + 1), how }
    }
}

impl Observer for Stop {
    fn before(&self, _act: Act, _path: &Path) -> io::Result<()> {
        let left = self.after.get().saturating_sub(1);
        let now = self.after.get() == 1;
        self.after.set(left);
        match self.how {
            How::Kill if now => resume_unwind(Box::new(Killed)),
            How::Fail(kind) if now => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

fn several_files() -> (&'static [(&'static str, &'static str)], Value) {
    (
        &[
            ("a.txt", "one\n"),
            ("b.txt", "two\n"),
            ("old/c.txt", "three\n"),
            ("d.txt", "four\n"),
            ("e.txt", "five\n"),
        ],
        json!([
            {"kind": "write", "path": "a.txt", "new_text": "ONE\n"},
            {"kind": "replace_exact", "path": "b.txt", "old_text": "two", "new_text": "TWO"},
            {"kind": "rename", "path": "old/c.txt", "to_path": "new/deep/c.txt"},
            {"kind": "delete", "path": "d.txt"},
            {"kind": "create", "path": "new/f.txt", "new_text": "six\n"},
            {"kind": "rename", "path": "e.txt", "to_path": "g.txt"},
            {"kind": "insert", "path": "e.txt", "line": 1, "new_text": "FOUR AND A HALF"},
        ]),
    )
}

/// The state with paths inside the project, so that two projects can be compared.
fn relative(house: &House) -> State {
    let inside = |path: PathBuf| path.strip_prefix(house.root()).unwrap().to_path_buf();
    house.state().into_iter().map(|(path, bytes)| (inside(path), bytes)).collect()
}

#[test]
fn a_failure_at_any_act_restores_everything_and_says_so() {
    let (files, changes) = several_files();
    for act in 0.. {
        let house = House::new(files);
        let before = relative(&house);
        let observer = Stop::before(act, How::Fail(io::ErrorKind::StorageFull));
        let result = house.edit(&changes, &observer);
        if observer.after.get() > 0 {
            result.unwrap();
            return;
        }
        match result {
            // The act that failed came after everything was in place.
            Ok(_) => assert_ne!(relative_without_ours(&house), before, "act {act}"),
            Err(error) => {
                assert!(!error.left_changes(), "act {act}: {error}");
                assert_eq!(relative(&house), before, "act {act}: {error}");
            }
        }
        house.start();
        let found = relative(&house);
        assert!(found.keys().all(|path| !is_ours(path)), "act {act}: {found:#?}");
    }
}

fn is_ours(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(".webcodex")
}

fn relative_without_ours(house: &House) -> State {
    relative(house).into_iter().filter(|(path, _)| !is_ours(path)).collect()
}

/// Lets another program write right before the files are looked at for the last time.
struct Meanwhile<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Observer for Meanwhile<'_> {
    fn before(&self, act: Act, _path: &Path) -> io::Result<()> {
        if act == Act::Recheck {
            std::fs::write(self.path, self.text)?;
        }
        Ok(())
    }
}

#[test]
fn a_change_by_another_program_during_the_edit_is_refused_as_stale() {
    let (files, changes) = several_files();
    let house = House::new(files);
    let before = relative(&house);
    let theirs = house.root().join("b.txt");
    let error = house.edit(&changes, &Meanwhile { path: &theirs, text: "theirs\n" }).unwrap_err();
    let CommitError::Changed { change, current } = error else { panic!("{error}") };
    assert_eq!((change, current.path.as_str()), (1, "b.txt"));
    assert_eq!(current.file.unwrap().size_bytes, 7);
    let mut expected = before;
    expected.insert("b.txt".into(), Some(b"theirs\n".to_vec()));
    assert_eq!(relative(&house), expected);
}

#[test]
fn the_same_bytes_written_again_do_not_stop_an_edit() {
    let (files, changes) = several_files();
    let house = House::new(files);
    let theirs = house.root().join("b.txt");
    house.edit(&changes, &Meanwhile { path: &theirs, text: "two\n" }).unwrap();
    assert_eq!(std::fs::read_to_string(theirs).unwrap(), "TWO\n");
}

#[test]
fn a_file_that_appears_at_a_new_path_is_not_overwritten() {
    let (files, changes) = several_files();
    let house = House::new(files);
    let before = relative(&house);
    let theirs = house.root().join("g.txt");
    let error = house.edit(&changes, &Meanwhile { path: &theirs, text: "theirs\n" }).unwrap_err();
    assert!(matches!(error, CommitError::Appeared { .. }), "{error}");
    let mut expected = before;
    expected.insert("g.txt".into(), Some(b"theirs\n".to_vec()));
    assert_eq!(relative(&house), expected);
}

#[test]
fn a_damaged_record_keeps_nothing_from_working() {
    let house = House::new(&[("a.txt", "one\n")]);
    house.start();
    let journal = house.folder.path().join("data/files/journal");
    std::fs::write(journal.join("damaged.slot"), [b'9', b' ', 0xFF, b'\n']).unwrap();
    std::fs::create_dir(journal.join("folder.slot")).unwrap();
    std::fs::write(journal.join("unrelated"), "x").unwrap();
    house.edit(&json!([{"kind": "write", "path": "a.txt", "new_text": "two\n"}]), &Unobserved).unwrap();
    assert_eq!(std::fs::read_to_string(house.root().join("a.txt")).unwrap(), "two\n");
}

#[test]
fn a_live_process_keeps_its_records() {
    let house = House::new(&[("a.txt", "one\n")]);
    let files = house.start();
    let mut slot = files.journal().slot().unwrap();
    let record = step::Record { root: house.root().to_path_buf(), folders: Vec::new(), steps: Vec::new() };
    slot.write(&Disk::new(&Unobserved), &record).unwrap();
    let other = house.start();
    assert!(other.journal().slot().is_ok(), "another process gets a slot of its own");
    slot.cross_out(&Disk::new(&Unobserved)).unwrap();
}

#[test]
fn paths_in_reports_are_those_after_the_edit() {
    let (files, changes) = several_files();
    let house = House::new(files);
    let changes = house.edit(&changes, &Unobserved).unwrap();
    let told: Vec<(&str, FileAction)> =
        changes.iter().map(|change| (change.path.as_str(), change.action)).collect();
    assert_eq!(
        told,
        [
            ("a.txt", FileAction::Modified),
            ("b.txt", FileAction::Modified),
            ("new/deep/c.txt", FileAction::Renamed),
            ("d.txt", FileAction::Deleted),
            ("new/f.txt", FileAction::Created),
            ("g.txt", FileAction::Renamed),
        ]
    );
    let renamed = changes.iter().find(|change| change.path.as_str() == "g.txt").unwrap();
    assert_eq!(renamed.old_path, Some(ProjectPath::parse("e.txt").unwrap()));
    let bytes = std::fs::read(house.root().join("g.txt")).unwrap();
    assert_eq!(renamed.hash, Some(ContentHash::of(&bytes)));
    assert_eq!(bytes, b"FOUR AND A HALF\nfive\n");
}

//! Real kills: a process that edits all the time is killed again and again.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::json;
use webcodex_contracts::ProjectId;
use webcodex_contracts::tools::edit_project_files::Change;
use webcodex_contracts::tools::read_files::ReadItem;
use webcodex_files::Files;
use webcodex_projects::Project;

const FOLDER: &str = "WEBCODEX_TEST_KILL_FOLDER";
const FILES: usize = 5;

fn open(folder: &Path) -> (Arc<Project>, Files) {
    let root = folder.join("project");
    let project = Project::new(ProjectId::parse("agent:test:kill").unwrap(), "kill", &root).unwrap();
    (project, Files::open(&folder.join("data")).unwrap())
}

fn name(number: usize) -> String {
    format!("{number}.txt")
}

/// Writes the next number into every file, for ever; in odd rounds one file moves away and comes back.
fn edit_for_ever(folder: &Path) {
    let (project, files) = open(folder);
    for round in 0_u64.. {
        let read = project.read_access();
        let changes: Vec<Change> = (0..FILES)
            .map(|number| {
                let item: ReadItem = serde_json::from_value(json!({"path": name(number)})).unwrap();
                let part = files.read(&read, &[item]).remove(0).unwrap();
                let next = part.text.trim().parse::<u64>().unwrap() + 1;
                let change = json!({
                    "kind": "write", "path": name(number), "new_text": format!("{next}\n"),
                    "expected_read_revision": part.revision,
                });
                serde_json::from_value(change).unwrap()
            })
            .collect();
        // Single edits too, which are not sealed.
        let changes = if round % 3 == 2 { &changes[..1] } else { &changes[..] };
        let mut access = project.write_access_blocking().unwrap();
        let plan = files.plan_edits(&access, changes).unwrap();
        files.commit(plan, &mut access).unwrap();
        if changes.len() == 1 {
            // Bring the others to the same number.
            let first = std::fs::read(project.root.join(name(0))).unwrap();
            drop(access);
            for number in 1..FILES {
                let item: ReadItem = serde_json::from_value(json!({"path": name(number)})).unwrap();
                let revision = files.read(&read, &[item]).remove(0).unwrap().revision;
                let text = String::from_utf8(first.clone()).unwrap();
                let change = json!({"kind": "write", "path": name(number), "new_text": text, "expected_read_revision": revision});
                let mut access = project.write_access_blocking().unwrap();
                let plan = files.plan_edits(&access, &[serde_json::from_value(change).unwrap()]).unwrap();
                files.commit(plan, &mut access).unwrap();
            }
        }
    }
}

/// Not a test of its own: the process that [`a_killed_process_leaves_old_or_new_and_no_litter`] starts and kills.
#[test]
fn a_process_that_edits_until_it_is_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        edit_for_ever(Path::new(&folder));
    }
}

#[test]
fn a_killed_process_leaves_old_or_new_and_no_litter() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    std::fs::create_dir(&root).unwrap();
    for number in 0..FILES {
        std::fs::write(root.join(name(number)), "0\n").unwrap();
    }
    let mut last = 0;
    for round in 0..20 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::a_process_that_edits_until_it_is_killed"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed once it has got further; where in its work that is differs from round to round.
        let first = root.join(name(0));
        let further = |number: u64| number > last + round % 4;
        while !std::fs::read_to_string(&first).unwrap_or_default().trim().parse().is_ok_and(further) {
            assert!(child.try_wait().unwrap().is_none(), "it edits until it is killed");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        open(folder.path());
        last = check(&root);
    }
}

/// No litter, every file whole, and the numbers as one of the edits left them: equal, or with one step between two.
fn check(root: &Path) -> u64 {
    let mut names: Vec<String> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, (0..FILES).map(name).collect::<Vec<_>>());
    let numbers: Vec<u64> = (0..FILES)
        .map(|number| std::fs::read_to_string(root.join(name(number))).unwrap())
        .map(|text| text.strip_suffix('\n').unwrap().parse().unwrap())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a >= b) && numbers[0] - numbers[FILES - 1] <= 1, "{numbers:?}");
    // The next process begins from equal numbers.
    for number in 0..FILES {
        std::fs::write(root.join(name(number)), format!("{}\n", numbers[0])).unwrap();
    }
    numbers[0]
}

//! Random histories and mutations, told by this crate and by the git program.

use std::collections::BTreeMap;

use webcodex_contracts::tools::read_workspace_changes::{ChangeStatus, DiffDetail, FileChange};

use crate::scratch::{Scratch, params};

/// Small numbers from a seed, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn name(&mut self) -> String {
        const NAMES: [&str; 16] = [
            "a",
            "a.b",
            "a/b",
            "a/b.c",
            "ab",
            "d/e/f",
            "d/e/g",
            "d-e",
            "d/x y",
            "ü/ß.txt",
            "z",
            "z0",
            "d/e.f",
            "q/r/s/t",
            "-n",
            "k",
        ];
        NAMES[self.roll(NAMES.len() as u64) as usize].to_owned()
    }

    fn content(&mut self) -> String {
        let lines = self.roll(12);
        (0..lines).map(|_| format!("line {}\n", self.roll(9))).collect()
    }
}

/// Clears the way for a file at `path`: a file in place of its folder, or a folder in its place.
fn clear(repo: &Scratch, path: &str) {
    let target = repo.path(path);
    if target.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
        std::fs::remove_dir_all(&target).unwrap();
    }
    for folder in target.ancestors().skip(1).take_while(|folder| *folder != repo.root()) {
        if folder.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            std::fs::remove_file(folder).unwrap();
        }
    }
}

fn mutate(repo: &Scratch, dice: &mut Dice) {
    let path = dice.name();
    match dice.roll(12) {
        0..=3 => {
            clear(repo, &path);
            let _ = std::fs::remove_file(repo.path(&path));
            repo.write(&path, dice.content());
        }
        4 => {
            let _ = std::fs::remove_file(repo.path(&path));
        }
        5 => {
            let _ = std::fs::remove_dir_all(repo.path(&path));
        }
        6 => drop(repo.try_git(&["add", "-A", "--", &path])),
        7 => drop(repo.try_git(&["rm", "-q", "--cached", "-r", "--", &path])),
        8 => drop(repo.try_git(&["add", "-N", "--", &path])),
        9 => {
            let to = dice.name();
            if repo.path(&path).is_file() && to != path {
                clear(repo, &to);
                if repo.path(&path).is_file() {
                    repo.rename(&path, &to);
                }
            }
        }
        10 => make_link_or_script(repo, &path, dice),
        _ => drop(repo.try_git(&["reset", "-q", "--", &path])),
    }
}

#[cfg(unix)]
fn make_link_or_script(repo: &Scratch, path: &str, dice: &mut Dice) {
    use std::os::unix::fs::{PermissionsExt, symlink};
    if dice.roll(2) == 0 && repo.path(path).is_file() {
        let mode = if dice.roll(2) == 0 { 0o755 } else { 0o644 };
        std::fs::set_permissions(repo.path(path), PermissionsExt::from_mode(mode)).unwrap();
    } else {
        clear(repo, path);
        let _ = std::fs::remove_file(repo.path(path));
        std::fs::create_dir_all(repo.path(path).parent().unwrap()).unwrap();
        symlink("no where", repo.path(path)).unwrap();
    }
}

#[cfg(windows)]
fn make_link_or_script(_: &Scratch, _: &str, _: &mut Dice) {}

type Told = BTreeMap<String, (ChangeStatus, bool)>;

/// What `git status` says, merged to one entry for each path; paths that differ only in what is staged are marked.
fn told_by_git(repo: &Scratch) -> (Told, BTreeMap<String, bool>) {
    let status = repo.git(&["status", "--porcelain=v2", "-z", "-uall", "--no-renames"]);
    let (mut told, mut staged) = (Told::new(), BTreeMap::new());
    for record in status.split('\0').filter(|record| !record.is_empty()) {
        let parts: Vec<&str> = record.splitn(9, ' ').collect();
        match parts[0] {
            "?" => {
                let path = record[2..].to_owned();
                let gone = told.contains_key(&path);
                told.insert(path, (if gone { ChangeStatus::Deleted } else { ChangeStatus::Added }, true));
            }
            "1" => {
                let (path, modes) = (parts[8].to_owned(), (parts[3], parts[5]));
                let mut xy = parts[1].chars();
                let (x, y) = (xy.next().unwrap(), xy.next().unwrap());
                let status = match (x, y) {
                    (_, 'D') => ChangeStatus::Deleted,
                    // Taken out of the index and announced again: on the whole it is still there.
                    ('D', 'A') if modes.0[..3] == modes.1[..3] => ChangeStatus::Modified,
                    ('D', 'A') => ChangeStatus::TypeChanged,
                    ('D', _) => ChangeStatus::Deleted,
                    ('A', _) | (_, 'A') => ChangeStatus::Added,
                    _ if modes.0[..3] != modes.1[..3] => ChangeStatus::TypeChanged,
                    _ => ChangeStatus::Modified,
                };
                staged.insert(path.clone(), x != '.');
                told.insert(path, (status, false));
            }
            other => panic!("{other}: {record}"),
        }
    }
    (told, staged)
}

/// What we say, with each rename taken apart again.
fn told_by_us(files: &[FileChange]) -> Told {
    let mut told = Told::new();
    for file in files.iter().filter(|file| !is_announced_and_gone(file)) {
        match &file.old_path {
            Some(old) => {
                told.insert(old.clone(), (ChangeStatus::Deleted, false));
                told.insert(file.path.clone(), (ChangeStatus::Added, file.untracked));
            }
            None => drop(told.insert(file.path.clone(), (file.status, file.untracked))),
        }
    }
    told
}

/// Announced and gone again: git tells it or not, depending on what lies around it.
fn is_announced_and_gone(file: &FileChange) -> bool {
    !file.staged && file.note.as_ref().is_some_and(|note| note.contains("only in the index"))
}

fn check(repo: &Scratch, seed: u64, step: u64) {
    let files = repo.changes(DiffDetail::Stat).files;
    let (mut expected, staged) = told_by_git(repo);
    expected.retain(|path, _| !files.iter().any(|file| file.path == *path && is_announced_and_gone(file)));
    let place = || {
        format!(
            "seed {seed}, step {step}:\n{}",
            repo.git(&["status", "--porcelain=v2", "-uall", "--no-renames"])
        )
    };
    assert_eq!(told_by_us(&files), expected, "{}", place());
    for file in files
        .iter()
        .filter(|file| file.old_path.is_none() && !file.untracked && staged.contains_key(&file.path))
    {
        assert_eq!(file.staged, staged[&file.path], "{}: {}", file.path, place());
    }
}

#[test]
fn random_changes_are_told_as_git_tells_them() {
    for seed in 0..12 {
        let mut dice = Dice(seed * 7919 + 1);
        let repo = Scratch::unborn();
        for step in 0..24 {
            for _ in 0..dice.roll(4) {
                mutate(&repo, &mut dice);
            }
            if dice.roll(8) == 0 {
                repo.git(&["add", "-A"]);
                repo.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
            }
            check(&repo, seed, step);
        }
    }
}

#[test]
fn folders_that_rest_are_known_and_those_that_change_are_seen() {
    let repo = Scratch::unborn();
    for folder in 0..12 {
        repo.write(&format!("f{folder}/tracked"), "1\n");
        repo.write(&format!("f{folder}/sub/tracked"), "1\n");
    }
    repo.commit("first");
    let rests = |path: &str| {
        let metadata = std::fs::metadata(repo.path(path)).unwrap();
        metadata.modified().unwrap().elapsed().is_ok_and(|age| age > std::time::Duration::from_secs(2))
    };
    while !rests("f11/sub") || !rests("") {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    check(&repo, 0, 0);
    let mut dice = Dice(5);
    for step in 1..60 {
        let folder = format!("f{}", dice.roll(12));
        match dice.roll(9) {
            0 => repo.write(&format!("{folder}/sub/new{}", dice.roll(3)), "content of its own\n"),
            1 => repo.write(&format!("{folder}/brand/new/{}", dice.roll(3)), "another content\n"),
            2 => drop(std::fs::remove_dir_all(repo.path(&format!("{folder}/brand")))),
            3 => {
                repo.write(&format!("{folder}/.gitignore"), ["new*\n", "brand/\n", ""][dice.roll(3) as usize])
            }
            4 => drop(std::fs::remove_file(repo.path(&format!("{folder}/.gitignore")))),
            5 => repo.write(".git/info/exclude", ["new1\n", "", "new\n"][dice.roll(3) as usize]),
            6 => repo.write(&format!("{folder}/tracked"), dice.content()),
            7 => drop(repo.git(&["add", "--", &folder])),
            _ => drop(std::fs::remove_file(repo.path(&format!("{folder}/sub/new1")))),
        }
        check(&repo, 0, step);
    }
}

#[test]
fn counts_of_lines_are_those_of_git() {
    for seed in 100..116 {
        let mut dice = Dice(seed);
        let repo = Scratch::unborn();
        for _ in 0..12 {
            let (path, content) = (dice.name(), dice.content());
            clear(&repo, &path);
            repo.write(&path, content);
        }
        repo.commit("first");
        for _ in 0..10 {
            mutate(&repo, &mut dice);
        }
        repo.git(&["add", "-A"]);
        let told = repo.git(&[
            "diff",
            "--cached",
            "--numstat",
            "-z",
            "--no-renames",
            "--diff-algorithm=histogram",
            "HEAD",
        ]);
        let expected: BTreeMap<&str, (u64, u64)> = told
            .split('\0')
            .filter(|line| !line.is_empty())
            .map(|line| {
                let mut parts = line.splitn(3, '\t');
                let mut number = || parts.next().unwrap().parse().unwrap();
                let (added, removed) = (number(), number());
                (parts.next().unwrap(), (added, removed))
            })
            .collect();
        for file in repo.changes(DiffDetail::Stat).files.iter().filter(|file| file.old_path.is_none()) {
            let counted = (file.added_lines.unwrap(), file.removed_lines.unwrap());
            assert_eq!(Some(&counted), expected.get(file.path.as_str()), "seed {seed}: {}", file.path);
        }
    }
}

#[test]
fn hunks_applied_to_the_old_files_give_the_new_ones() {
    for seed in 200..216 {
        let mut dice = Dice(seed);
        let lines = |dice: &mut Dice| -> String {
            (0..40 + dice.roll(40)).map(|_| format!("line {}\n", dice.roll(30))).collect()
        };
        let old = lines(&mut dice);
        let repo = Scratch::with(&[("file", &old)]);
        let mut new: Vec<&str> = old.split_inclusive('\n').collect();
        for _ in 0..dice.roll(6) + 1 {
            let at = dice.roll(new.len() as u64) as usize;
            match dice.roll(3) {
                0 => drop(new.remove(at)),
                1 => new.insert(at, "inserted\n"),
                _ => new[at] = "replaced\n",
            }
        }
        repo.write("file", new.concat());
        let page = repo.read(&params(DiffDetail::Hunks)).unwrap();
        let Some(file) = page.files.first() else { continue };
        let mut patch = "--- a/file\n+++ b/file\n".to_owned();
        for hunk in &file.hunks {
            let (old, new) = ((hunk.old_start, hunk.old_lines), (hunk.new_start, hunk.new_lines));
            patch += &format!("@@ -{},{} +{},{} @@\n{}", old.0, old.1, new.0, new.1, hunk.text);
        }
        repo.write("file", &old);
        std::fs::write(repo.data.path().join("patch"), patch).unwrap();
        repo.git(&["apply", repo.data.path().join("patch").to_str().unwrap()]);
        assert_eq!(std::fs::read_to_string(repo.path("file")).unwrap(), new.concat(), "seed {seed}");
    }
}

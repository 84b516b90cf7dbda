//! The steps of a commit: what gets which name, in an order that can be gone forward and back.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::edit::{Effect, Plan};

/// A change of names on disk. Everything in a step is known before the first one is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// The file `temp` takes the place of `target`; until the end the old one is also called `aside`.
    Replace { target: PathBuf, temp: PathBuf, aside: PathBuf, old: String, new: String },
    /// The file `temp` becomes `target`, which does not exist.
    Create { target: PathBuf, temp: PathBuf, new: String },
    /// `from` becomes `to`, which does not exist or is another spelling of it; until the end it is also called `aside`.
    Move { from: PathBuf, to: PathBuf, aside: PathBuf, respelled: bool },
    /// `target` goes; until the end it is also called `aside`.
    Delete { target: PathBuf, aside: PathBuf, old: String },
}

/// What is written down before anything happens, so that whoever comes after a kill can finish or take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The project's folder. While it is not there, nothing can be decided.
    pub(super) root: PathBuf,
    /// Folders that are made, outer ones first.
    pub(super) folders: Vec<PathBuf>,
    pub(super) steps: Vec<Step>,
}

impl Step {
    /// The temporary file that holds the new content.
    pub(super) fn temp(&self) -> Option<&Path> {
        match self {
            Step::Replace { temp, .. } | Step::Create { temp, .. } => Some(temp),
            Step::Move { .. } | Step::Delete { .. } => None,
        }
    }

    /// The old file and the second name that it has until the end.
    pub(super) fn aside(&self) -> Option<(&Path, &Path)> {
        match self {
            Step::Replace { target, aside, .. }
            | Step::Delete { target, aside, .. }
            | Step::Move { from: target, aside, .. } => Some((target, aside)),
            Step::Create { .. } => None,
        }
    }

    /// Our own names beside the files.
    pub(super) fn ours(&self) -> impl Iterator<Item = &Path> {
        self.temp().into_iter().chain(self.aside().map(|(_, aside)| aside))
    }

    /// The folders whose names change.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let (one, two) = match self {
            Step::Replace { target, .. } | Step::Create { target, .. } | Step::Delete { target, .. } => {
                (target.parent(), None)
            }
            Step::Move { from, to, .. } => (from.parent(), to.parent()),
        };
        one.into_iter().chain(two)
    }
}

/// The steps of a plan. The numbers say which planned file each step belongs to.
pub(super) fn record(root: &Path, plan: &Plan) -> (Record, Vec<usize>) {
    let mut steps = Vec::new();
    let mut owners = Vec::new();
    for (number, file) in plan.files.iter().enumerate() {
        let made = steps_of(&file.effect);
        owners.extend(std::iter::repeat_n(number, made.len()));
        steps.extend(made);
    }
    let folders = missing_folders(&steps);
    (Record { root: root.to_path_buf(), folders, steps }, owners)
}

fn steps_of(effect: &Effect) -> Vec<Step> {
    match effect {
        Effect::Keep => Vec::new(),
        Effect::Create { at, new, .. } => vec![create(&at.absolute, new.to_string())],
        Effect::Modify { before, new, to: None, .. } => vec![Step::Replace {
            target: before.absolute.clone(),
            temp: beside(&before.absolute, "tmp"),
            aside: beside(&before.absolute, "old"),
            old: before.hash.to_string(),
            new: new.to_string(),
        }],
        Effect::Modify { before, new, to: Some(to), .. } => {
            vec![create(&to.absolute, new.to_string()), delete(&before.absolute, before.hash.to_string())]
        }
        Effect::Move { before, to, respelled } => {
            vec![Step::Move {
                from: before.absolute.clone(),
                to: to.absolute.clone(),
                aside: beside(&before.absolute, "old"),
                respelled: *respelled,
            }]
        }
        Effect::Delete { before } => vec![delete(&before.absolute, before.hash.to_string())],
    }
}

fn create(target: &Path, new: String) -> Step {
    Step::Create { target: target.to_path_buf(), temp: beside(target, "tmp"), new }
}

fn delete(target: &Path, old: String) -> Step {
    Step::Delete { target: target.to_path_buf(), aside: beside(target, "old"), old }
}

/// A name of ours in the same folder, so on the same file system.
fn beside(target: &Path, extension: &str) -> PathBuf {
    target.with_file_name(format!(".webcodex-{:016x}.{extension}", rand::random::<u64>()))
}

/// Whether a name is one that [`beside`] makes.
pub(super) fn is_ours(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(".webcodex-"))
}

fn missing_folders(steps: &[Step]) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = Vec::new();
    let targets = steps.iter().filter_map(|step| match step {
        Step::Create { target, .. } => target.parent(),
        Step::Move { to, .. } => to.parent(),
        Step::Replace { .. } | Step::Delete { .. } => None,
    });
    for target in targets {
        let folders = target.ancestors().take_while(|folder| !folder.exists());
        let mut new: Vec<PathBuf> = folders
            .filter(|folder| !missing.iter().any(|known| known == folder))
            .map(Path::to_path_buf)
            .collect();
        new.reverse();
        missing.extend(new);
    }
    missing
}

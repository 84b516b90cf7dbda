//! After a kill: finishing what had been begun, or taking it back.
//!
//! An edit that had not been sealed is taken back: its new content is thrown away. A sealed edit is finished, because
//! all its content is ready, and one that had failed is taken back. Files that somebody has changed since are left as
//! they are; if that makes finishing impossible, what had been done is taken back instead, and only where that is
//! impossible too, nothing is touched.
//!
//! A file is only touched while our own name for it still lies beside it. Those names exist before the seal and go
//! when all is done, so a record that was crossed out but comes back after a power failure does nothing.

use std::path::Path;

use crate::ContentHash;
use crate::load::load;

use super::disk::{Disk, Unobserved};
use super::journal::Phase;
use super::step::{Record, Step, is_ours};

/// Whether a record is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recovered {
    /// Its files are as before or as asked for, and nothing of ours is left beside them.
    Done,
    /// The project's folder is not there or does not let us work; another start may find it.
    NotYet,
}

/// How far one step has come, as the disk shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// It has not been made and still can be.
    Pending,
    /// It has been made and can be taken back.
    Made,
    /// It has been made, and what was there before is there again.
    Undone,
    /// It has been made, and the file has been changed since.
    Overtaken,
    /// It has not been made, and the file is not what it was any more.
    Blocked,
}

/// What is done about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Back,
    /// Only our own names go.
    Stay,
}

/// Brings the files of a record to one end.
pub(super) fn recover(record: &Record, phase: Phase) -> Recovered {
    if !record.root.is_dir() {
        return Recovered::NotYet;
    }
    let progress: Vec<Progress> = record.steps.iter().map(progress).collect();
    let direction = direction(record, phase, &progress);
    tracing::warn!(root = %record.root.display(), ?phase, ?direction, ?progress, "settling an edit that was cut off");
    let disk = Disk::new(&Unobserved);
    let moved = record.steps.iter().zip(progress).all(|(step, progress)| match (direction, progress) {
        (Direction::Forward, Progress::Pending) => go_forward(&disk, step).is_ok(),
        (Direction::Back, Progress::Made) => take_back(&disk, step).is_ok(),
        _ => true,
    });
    if !moved {
        return Recovered::NotYet;
    }
    clean_up(&disk, record, phase)
}

fn direction(record: &Record, phase: Phase, progress: &[Progress]) -> Direction {
    match phase {
        // No name had changed, or one step alone had been made and the edit is complete.
        Phase::Preparing => Direction::Stay,
        Phase::Abandoned => Direction::Back,
        Phase::Sealed if was_finished(record) => Direction::Stay,
        Phase::Sealed
            if !progress.iter().any(|step| matches!(step, Progress::Blocked | Progress::Undone)) =>
        {
            Direction::Forward
        }
        Phase::Sealed if !progress.contains(&Progress::Overtaken) => Direction::Back,
        Phase::Sealed => Direction::Stay,
    }
}

/// Whether all steps of a sealed record had been made: our names only go after that.
fn was_finished(record: &Record) -> bool {
    let an_aside_is_gone = record.steps.iter().filter_map(Step::aside).any(|(_, aside)| !exists(aside));
    an_aside_is_gone || !record.steps.iter().flat_map(Step::ours).any(exists)
}

fn clean_up(disk: &Disk<'_>, record: &Record, phase: Phase) -> Recovered {
    let ours = record.steps.iter().flat_map(Step::ours).filter(|name| is_ours(name));
    let left = ours.filter(|name| !disk.remove_quietly(name)).count();
    // Folders that were made are empty only if nothing came into them in the end.
    disk.remove_empty_folders(&record.folders);
    if phase != Phase::Preparing {
        for folder in record.steps.iter().flat_map(Step::folders) {
            let _ = disk.sync_folder(folder);
        }
    }
    if left == 0 { Recovered::Done } else { Recovered::NotYet }
}

fn progress(step: &Step) -> Progress {
    match step {
        Step::Replace { target, temp, aside, old, new } => match (hash(target), exists(temp)) {
            (Some(found), true) if found == *old => Progress::Pending,
            (_, true) => Progress::Blocked,
            (Some(found), false) if found == *old => Progress::Undone,
            (Some(found), false) if found == *new && exists(aside) => Progress::Made,
            (_, false) => Progress::Overtaken,
        },
        Step::Create { target, temp, new } => match (exists(target), exists(temp)) {
            (false, true) => Progress::Pending,
            (false, false) => Progress::Undone,
            // Both names: where files cannot be renamed without replacing, the new name comes before the old one goes.
            (true, _) if hash(target).as_ref() == Some(new) => Progress::Made,
            (true, true) => Progress::Blocked,
            (true, false) => Progress::Overtaken,
        },
        Step::Move { from, to, respelled, .. } => match (*respelled, exists(from), exists(to)) {
            (true, ..) if spelled_as(to) => Progress::Made,
            (true, true, _) | (false, true, false) => Progress::Pending,
            (false, false, true) => Progress::Made,
            (true, false, _) | (false, true, true) => Progress::Blocked,
            (false, false, false) => Progress::Overtaken,
        },
        Step::Delete { target, aside, old } => match (exists(target), exists(aside)) {
            (true, _) if hash(target).as_ref() == Some(old) => Progress::Pending,
            (true, _) => Progress::Blocked,
            (false, true) => Progress::Made,
            (false, false) => Progress::Overtaken,
        },
    }
}

/// Makes a step.
fn go_forward(disk: &Disk<'_>, step: &Step) -> std::io::Result<()> {
    match step {
        Step::Replace { target, temp, .. } => disk.rename_over(temp, target),
        Step::Create { target, temp, .. } => disk.rename_new(temp, target),
        Step::Move { from, to, respelled: true, .. } => disk.rename_over(from, to),
        Step::Move { from, to, respelled: false, .. } => disk.rename_new(from, to),
        Step::Delete { target, .. } => disk.remove(target),
    }
}

/// Takes back a step that has been made.
pub(super) fn take_back(disk: &Disk<'_>, step: &Step) -> std::io::Result<()> {
    match step {
        Step::Replace { target, aside, .. } => disk.rename_over(aside, target),
        Step::Create { target, .. } => disk.remove(target),
        Step::Move { from, to, respelled: true, .. } => disk.rename_over(to, from),
        Step::Move { from, to, respelled: false, .. } => disk.rename_new(to, from),
        Step::Delete { target, aside, .. } => disk.rename_new(aside, target),
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Whether the folder lists the file in exactly this spelling.
fn spelled_as(path: &Path) -> bool {
    let names = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    names.into_iter().flatten().flatten().any(|entry| Some(entry.file_name().as_os_str()) == path.file_name())
}

fn hash(path: &Path) -> Option<String> {
    load(path).ok().map(|loaded| ContentHash::of(&loaded.bytes).to_string())
}

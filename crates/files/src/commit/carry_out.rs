//! Carrying a plan out: all of it or nothing.
//!
//! First the record says what will be. New content is written beside the old and made durable. If there are several
//! steps, the old files get second names and the record is sealed. With the names locked, every file is looked at once
//! more, then names change. Last the folders are made durable, the second names go and the record is crossed out.
//!
//! A failure before the last part takes everything back. A kill is settled at the next start, see [`super::recover`]. A single step
//! is one change of name and so all or nothing by itself: it needs neither seal nor second names.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use webcodex_contracts::ProjectPath;

use crate::edit::{Before, Effect, Plan};
use crate::load::{LoadError, load};
use crate::sys::{self, Attributes};

use super::disk::{Act, Disk};
use super::error::{CommitError, Restored};
use super::journal::{Journal, Slot};
use super::recover::take_back;
use super::step::{Record, Step, record};

/// Carries out a plan in the project at `root`.
pub(super) fn carry_out(
    journal: &Journal,
    disk: Disk<'_>,
    root: &Path,
    plan: &Plan,
) -> Result<(), CommitError> {
    let (record, owners) = record(root, plan);
    if record.steps.is_empty() {
        return Ok(());
    }
    let mut slot = journal.slot().map_err(CommitError::Journal)?;
    let commit = Commit { journal, disk, plan, record: &record, owners: &owners };
    let result = commit.run(&mut slot);
    // Where something is left beside the files, the record stays for the next start, and its slot with it.
    if commit.is_clean(&result) && slot.cross_out(&disk).is_ok() {
        journal.give_back(slot);
    }
    result
}

struct Commit<'a> {
    journal: &'a Journal,
    disk: Disk<'a>,
    plan: &'a Plan,
    record: &'a Record,
    /// The planned file of each step.
    owners: &'a [usize],
}

impl Commit<'_> {
    fn run(&self, slot: &mut Slot) -> Result<(), CommitError> {
        slot.write(&self.disk, self.record).map_err(CommitError::Journal)?;
        self.prepare()?;
        if !self.is_single() {
            self.keep_asides()?;
            slot.seal(&self.disk).map_err(CommitError::Journal)?;
        }
        let made = {
            let _names = self.journal.lock_names();
            self.recheck().and_then(|()| self.change_names(slot))
        };
        if made.is_ok() {
            self.sync_folders();
        } else if !self.is_single() {
            // Said before anything is thrown away, so that a kill from here on does not finish what has failed.
            let _ = slot.abandon(&self.disk);
        }
        made
    }

    /// Removes what lies beside the files and says whether nothing is left. What is needed to take back stays.
    fn is_clean(&self, result: &Result<(), CommitError>) -> bool {
        if matches!(result, Err(CommitError::Io { restored: Restored::Partly(_), .. })) {
            return false;
        }
        // One new file has taken the place of the old one, and no second name was needed.
        if result.is_ok() && matches!(self.record.steps[..], [Step::Replace { .. }]) {
            return true;
        }
        let left = self
            .record
            .steps
            .iter()
            .flat_map(Step::ours)
            .filter(|name| !self.disk.remove_quietly(name))
            .count();
        if result.is_err() {
            self.disk.remove_empty_folders(&self.record.folders);
        }
        left == 0
    }

    /// Writes all new content beside its place.
    fn prepare(&self) -> Result<(), CommitError> {
        for folder in &self.record.folders {
            self.disk
                .make_folder(folder)
                .map_err(|source| CommitError::io("create a folder", self.path(0), source))?;
        }
        for (number, step) in self.record.steps.iter().enumerate() {
            let (Some(temp), Some((bytes, like))) = (step.temp(), self.content(number)) else { continue };
            self.disk
                .write_new(temp, bytes, like)
                .map_err(|source| CommitError::io("write", self.path(number), source))?;
            if self.is_new_executable(number) {
                sys::make_executable(temp)
                    .map_err(|source| CommitError::io("make runnable", self.path(number), source))?;
            }
        }
        Ok(())
    }

    /// Gives every old file its second name, durably: a sealed record relies on them.
    fn keep_asides(&self) -> Result<(), CommitError> {
        for (number, step) in self.record.steps.iter().enumerate() {
            let (Some((target, aside)), Some(before)) = (step.aside(), self.before(number)) else { continue };
            self.disk
                .keep_aside(target, aside, &before.bytes, &before.attributes)
                .map_err(|source| CommitError::io("keep a copy of", self.path(number), source))?;
        }
        for folder in self.folders() {
            self.disk
                .sync_folder(folder)
                .map_err(|source| CommitError::io("sync the folder of", self.path(0), source))?;
        }
        Ok(())
    }

    /// Whether every file still is what the plan was made from. Its content counts, nothing else.
    fn recheck(&self) -> Result<(), CommitError> {
        for file in &self.plan.files {
            let before = match &file.effect {
                Effect::Create { .. } | Effect::Keep => continue,
                Effect::Modify { before, .. } | Effect::Move { before, .. } | Effect::Delete { before } => {
                    before
                }
            };
            let found = self.disk.before(Act::Recheck, &before.absolute).map_err(LoadError::Io);
            match found.and_then(|()| load(&before.absolute)) {
                Ok(now) if now.bytes == before.bytes => {}
                Ok(now) => {
                    let current = Before::current_of(&before.path, Some(&now.bytes));
                    return Err(CommitError::Changed { change: file.change, current });
                }
                Err(LoadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                    let current = Before::current_of(&before.path, None);
                    return Err(CommitError::Changed { change: file.change, current });
                }
                Err(LoadError::Io(source)) => {
                    return Err(CommitError::io("read again", before.path.clone(), source));
                }
                Err(LoadError::NotRegular | LoadError::TooLarge { .. }) => {
                    let current = Before::current_of(&before.path, None);
                    return Err(CommitError::Changed { change: file.change, current });
                }
            }
        }
        Ok(())
    }

    /// Makes the steps, or none of them.
    fn change_names(&self, slot: &mut Slot) -> Result<(), CommitError> {
        for (number, step) in self.record.steps.iter().enumerate() {
            if let Err(source) = self.make(step) {
                let restored = self.take_back(number, slot);
                let path = self.path(number);
                return Err(match source.kind() {
                    io::ErrorKind::AlreadyExists if restored == Restored::Everything => {
                        CommitError::Appeared { change: self.plan.files[self.owners[number]].change, path }
                    }
                    _ => CommitError::Io { doing: "put in place", path, source, restored },
                });
            }
        }
        Ok(())
    }

    fn make(&self, step: &Step) -> io::Result<()> {
        match step {
            Step::Replace { target, temp, .. } => self.disk.rename_over(temp, target),
            Step::Create { target, temp, .. } => self.disk.rename_new(temp, target),
            Step::Move { from, to, respelled: true, .. } => self.disk.rename_over(from, to),
            Step::Move { from, to, respelled: false, .. } => self.disk.rename_new(from, to),
            Step::Delete { target, .. } => self.disk.remove(target),
        }
    }

    /// Takes back the steps before `failed`, the last one first.
    fn take_back(&self, failed: usize, slot: &mut Slot) -> Restored {
        if failed == 0 {
            return Restored::Everything;
        }
        let all = || (0..failed).map(|number| self.path(number)).collect();
        // From here on a kill must lead back, not forward.
        if slot.abandon(&self.disk).is_err() {
            return Restored::Partly(all());
        }
        let mut left = Vec::new();
        for (number, step) in self.record.steps[..failed].iter().enumerate().rev() {
            if take_back(&self.disk, step).is_err() {
                left.push(self.path(number));
            }
        }
        self.sync_folders();
        if left.is_empty() { Restored::Everything } else { Restored::Partly(left) }
    }

    /// The folders in which names change.
    fn folders(&self) -> BTreeSet<&Path> {
        let of_steps = self.record.steps.iter().flat_map(Step::folders);
        of_steps.chain(self.record.folders.iter().filter_map(|folder| folder.parent())).collect()
    }

    /// Makes the names durable, each folder once. The files are in place, so a failure here is only told to the log.
    fn sync_folders(&self) {
        for folder in self.folders() {
            if let Err(error) = self.disk.sync_folder(folder) {
                tracing::warn!(folder = %folder.display(), %error, "a folder could not be synced");
            }
        }
    }

    fn is_single(&self) -> bool {
        self.record.steps.len() == 1
    }

    fn before(&self, step: usize) -> Option<&Before> {
        match &self.plan.files[self.owners[step]].effect {
            Effect::Modify { before, .. } | Effect::Move { before, .. } | Effect::Delete { before } => {
                Some(before)
            }
            Effect::Create { .. } | Effect::Keep => None,
        }
    }

    /// The new content of a step and the file whose attributes it takes over.
    fn content(&self, step: usize) -> Option<(&[u8], Option<&Attributes>)> {
        match &self.plan.files[self.owners[step]].effect {
            Effect::Create { bytes, .. } => Some((bytes, None)),
            Effect::Modify { before, bytes, .. } => Some((bytes, Some(&before.attributes))),
            Effect::Move { .. } | Effect::Delete { .. } | Effect::Keep => None,
        }
    }

    fn is_new_executable(&self, step: usize) -> bool {
        matches!(self.plan.files[self.owners[step]].effect, Effect::Create { executable: true, .. })
    }

    fn path(&self, step: usize) -> ProjectPath {
        self.plan.files[self.owners[step]].report.path.clone()
    }
}

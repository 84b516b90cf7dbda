//! What a session changed, in order, as far as it is known exactly.
//!
//! An edit is written down before it is made and confirmed afterwards, so that a kill in between leaves a question
//! that the files on disk answer, and never a change that nobody remembers.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use webcodex_contracts::tools::review::ChangedBy;

use super::record::{Side, Step, now_ms};

/// The file, in the folder of the session.
const FILE: &str = "changes.jsonl";
/// Steps of one entry that are remembered; a command that changes more is known to have changed much.
pub(super) const MAX_STEPS: usize = 20_000;

/// What changed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum By {
    /// An edit: its contents are known exactly, as they lay on the disk.
    Edit,
    /// A command: contents are known from looks before and after it, in git's form.
    Command,
    /// A person's rejection, or its taking back.
    Review,
    /// The undoing of the session's work.
    Undo,
}

/// One thing the session did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) at_ms: u64,
    pub(super) by: By,
    pub(super) steps: Vec<Step>,
    /// Others may have changed the same files at the same time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) shared: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// About to happen.
    Will(Entry),
    /// Happened.
    Did(Entry),
    /// What was about to happen did.
    Done(u64),
    /// It did not.
    Void(u64),
}

/// The list, with its file.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    /// The file, once something was written to it without a fault.
    file: Option<File>,
    entries: Vec<Entry>,
    /// Written down and not confirmed.
    open: Vec<Entry>,
    next: u64,
}

/// What one session did to one file, oldest first.
pub(super) struct History<'a> {
    pub(super) steps: Vec<(&'a Step, &'a Entry)>,
}

impl Ledger {
    /// Reads the list in the folder of a session. What was left open is settled by `happened`.
    pub(super) fn open(folder: &Path, happened: impl Fn(&Step) -> bool) -> io::Result<Self> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut ledger = Self { path, file: None, entries: Vec::new(), open: Vec::new(), next: 1 };
        // The last line may have been cut off by a kill; it was not begun then.
        for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            ledger.take(line);
        }
        for entry in std::mem::take(&mut ledger.open) {
            let did = entry.steps.iter().all(&happened);
            ledger.open.push(entry.clone());
            ledger.settle(entry.number, did)?;
        }
        Ok(ledger)
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Will(entry) => {
                self.next = self.next.max(entry.number + 1);
                self.open.push(entry);
            }
            Line::Did(entry) => {
                self.next = self.next.max(entry.number + 1);
                self.entries.push(entry);
            }
            Line::Done(number) => {
                if let Some(at) = self.open.iter().position(|entry| entry.number == number) {
                    let entry = self.open.remove(at);
                    self.entries.push(entry);
                }
            }
            Line::Void(number) => self.open.retain(|entry| entry.number != number),
        }
    }

    fn append(&mut self, line: Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        let mut file = match self.file.take() {
            Some(file) => file,
            None => open_to_append(&self.path)?,
        };
        file.write_all(&text)?;
        self.file = Some(file);
        self.take(line);
        Ok(())
    }

    /// Writes down what is about to happen; returns its number.
    pub(super) fn will(&mut self, by: By, steps: Vec<Step>) -> io::Result<u64> {
        let number = self.next;
        self.append(Line::Will(Entry { number, at_ms: now_ms(), by, steps, shared: false }))?;
        Ok(number)
    }

    /// Confirms it, or says that it did not happen.
    pub(super) fn settle(&mut self, number: u64, did: bool) -> io::Result<()> {
        self.append(if did { Line::Done(number) } else { Line::Void(number) })
    }

    /// Writes down what has happened.
    pub(super) fn did(&mut self, by: By, mut steps: Vec<Step>, shared: bool) -> io::Result<()> {
        steps.truncate(MAX_STEPS);
        let number = self.next;
        self.append(Line::Did(Entry { number, at_ms: now_ms(), by, steps, shared }))
    }

    /// When files were changed last.
    pub(super) fn last_change_ms(&self) -> Option<u64> {
        self.entries.iter().filter(|entry| !entry.steps.is_empty()).map(|entry| entry.at_ms).max()
    }

    /// What was done to each file.
    pub(super) fn histories(&self) -> BTreeMap<&str, History<'_>> {
        let mut histories: BTreeMap<&str, History<'_>> = BTreeMap::new();
        for entry in &self.entries {
            for step in &entry.steps {
                let history = histories.entry(&step.path).or_insert_with(|| History { steps: Vec::new() });
                history.steps.push((step, entry));
            }
        }
        histories
    }
}

impl History<'_> {
    /// The content before the session's first change.
    pub(super) fn first(&self) -> Option<&Side> {
        self.steps.first().and_then(|(step, _)| step.before.as_ref())
    }

    /// The content after its last change.
    pub(super) fn last(&self) -> Option<&Side> {
        self.steps.last().and_then(|(step, _)| step.after.as_ref())
    }

    /// Whether nobody else changed the file between two changes of the session.
    pub(super) fn is_unbroken(&self) -> bool {
        self.steps.windows(2).all(|pair| pair[0].0.after == pair[1].0.before)
            && !self.steps.iter().any(|(_, entry)| entry.shared)
    }

    /// What was there before and after each run of changes that nobody else's came between, oldest first.
    pub(super) fn runs(&self) -> Vec<(Option<&Side>, Option<&Side>)> {
        let mut runs: Vec<(Option<&Side>, Option<&Side>)> = Vec::new();
        for (step, _) in &self.steps {
            let (before, after) = (step.before.as_ref(), step.after.as_ref());
            match runs.last_mut().filter(|(_, last)| *last == before) {
                Some((_, last)) => *last = after,
                None => runs.push((before, after)),
            }
        }
        runs
    }

    /// Whether commands had a part in it.
    pub(super) fn has_commands(&self) -> bool {
        self.steps.iter().any(|(_, entry)| entry.by == By::Command)
    }

    /// Whose change the file shows, given its present content.
    pub(super) fn by(&self, now: Option<&Side>) -> ChangedBy {
        if !self.is_unbroken() || self.last() != now {
            ChangedBy::Mixed
        } else if self.has_commands() {
            ChangedBy::Command
        } else {
            ChangedBy::Session
        }
    }
}

/// Opens the list so that a line cut off by a kill does not swallow the next one.
fn open_to_append(file: &Path) -> io::Result<File> {
    use std::io::{Read, Seek, SeekFrom};
    let mut opened = OpenOptions::new().read(true).append(true).create(true).open(file)?;
    if opened.metadata()?.len() > 0 {
        opened.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        opened.read_exact(&mut last)?;
        if last != *b"\n" {
            opened.write_all(b"\n")?;
        }
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(id: &str) -> Option<Side> {
        Some(Side { id: id.to_owned(), mode: 0o100_644 })
    }

    fn step(before: &str, after: &str) -> Vec<Step> {
        vec![Step { path: "a".to_owned(), before: side(before), after: side(after) }]
    }

    #[test]
    fn what_a_kill_left_open_is_settled_by_what_is_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        for on_disk in ["1", "2"] {
            let _ = std::fs::remove_file(folder.path().join(FILE));
            let mut ledger = Ledger::open(folder.path(), |_| false).unwrap();
            ledger.will(By::Edit, step("1", "2")).unwrap();
            drop(ledger);
            let happened = |step: &Step| step.after == side(on_disk);
            let ledger = Ledger::open(folder.path(), happened).unwrap();
            let known = ledger.histories().get("a").map(|history| history.last().cloned());
            assert_eq!(known, (on_disk == "2").then(|| side("2")), "{on_disk}");
            let again = Ledger::open(folder.path(), |_| panic!("settled for good")).unwrap();
            assert_eq!(again.histories().len(), ledger.histories().len());
        }
    }

    #[test]
    fn a_line_that_was_cut_off_costs_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path(), |_| true).unwrap();
        ledger.did(By::Edit, step("1", "2"), false).unwrap();
        let text = std::fs::read(folder.path().join(FILE)).unwrap();
        let cut = [&text[..], &text[..text.len() / 2]].concat();
        std::fs::write(folder.path().join(FILE), cut).unwrap();
        let mut ledger = Ledger::open(folder.path(), |_| true).unwrap();
        ledger.did(By::Edit, step("2", "3"), false).unwrap();
        let ledger = Ledger::open(folder.path(), |_| true).unwrap();
        let histories = ledger.histories();
        assert_eq!((histories["a"].first().cloned(), histories["a"].last().cloned()), (side("1"), side("3")));
        assert!(histories["a"].is_unbroken());
    }

    #[test]
    fn somebody_elses_change_in_between_breaks_the_history() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path(), |_| true).unwrap();
        ledger.did(By::Edit, step("1", "2"), false).unwrap();
        ledger.did(By::Edit, step("9", "3"), false).unwrap();
        let histories = ledger.histories();
        assert!(!histories["a"].is_unbroken());
        assert_eq!(histories["a"].by(side("3").as_ref()), ChangedBy::Mixed);
    }
}

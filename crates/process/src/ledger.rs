//! The latest executions of a Runner in one file of fixed size.
//!
//! Each execution has a slot: one line, written in place before the command starts, when its number is known and when
//! it ends. That costs microseconds and no new file, so that even the shortest command is known after a crash. The
//! line begins with what the guard and the next Runner need to end what was left behind.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::record::Record;
use crate::sys;

/// Executions that are remembered.
pub(crate) const SLOTS: usize = 512;
/// Bytes of a slot, its line end included.
const SLOT_BYTES: usize = 2048;

/// Where an execution stands, as the first letter of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It runs, and must not outlive its Runner.
    Running,
    /// It has ended, and something it started lives on.
    Leftover,
    /// It runs, and outlives its Runner.
    Detached,
    /// It has ended.
    Finished,
}

impl Mark {
    fn letter(self) -> &'static str {
        match self {
            Mark::Running => "R",
            Mark::Leftover => "L",
            Mark::Detached => "D",
            Mark::Finished => "F",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Mark::Running, Mark::Leftover, Mark::Detached, Mark::Finished]
            .into_iter()
            .find(|mark| mark.letter() == text)
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) mark: Mark,
    /// Number of the process and of its group; 0 until it is known.
    pub(crate) pid: u32,
    /// The Runner process that wrote the line.
    pub(crate) owner: String,
    pub(crate) record: Record,
}

/// The file.
#[derive(Debug)]
pub(crate) struct Ledger {
    file: File,
}

impl Ledger {
    /// Opens the file and reads what it knows; damaged lines are left out.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Vec<(usize, Line)>)> {
        let mut file = sys::private_file().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.len() < SLOTS * SLOT_BYTES {
            // All of it at once, so that a full disk is noticed here and not in the middle of the work.
            let empty = empty_slot().repeat(SLOTS - bytes.len() / SLOT_BYTES);
            sys::write_all_at(&file, &empty, (bytes.len() / SLOT_BYTES * SLOT_BYTES) as u64)?;
        }
        let lines = bytes.chunks_exact(SLOT_BYTES).take(SLOTS).enumerate();
        let known = lines.filter_map(|(slot, bytes)| Some((slot, parse(bytes)?))).collect();
        Ok((Self { file }, known))
    }

    /// Writes a slot.
    pub(crate) fn write(&self, slot: usize, line: &Line) -> io::Result<()> {
        sys::write_all_at(&self.file, &to_bytes(line)?, (slot * SLOT_BYTES) as u64)
    }

    /// Changes the number in a slot that was written before.
    pub(crate) fn write_pid(&self, slot: usize, pid: u32) -> io::Result<()> {
        sys::write_all_at(&self.file, format!("{pid:>10}").as_bytes(), (slot * SLOT_BYTES + 2) as u64)
    }

    /// Empties a slot.
    pub(crate) fn clear(&self, slot: usize) -> io::Result<()> {
        sys::write_all_at(&self.file, &empty_slot(), (slot * SLOT_BYTES) as u64)
    }
}

fn empty_slot() -> Vec<u8> {
    let mut bytes = vec![b' '; SLOT_BYTES - 1];
    bytes.push(b'\n');
    bytes
}

fn to_bytes(line: &Line) -> io::Result<Vec<u8>> {
    let record = serde_json::to_string(&line.record)?;
    let text = format!("{} {:>10} {} {record}", line.mark.letter(), line.pid, line.owner);
    let mut bytes = empty_slot();
    let room = bytes.get_mut(..text.len()).filter(|_| text.len() < SLOT_BYTES);
    room.ok_or_else(|| io::Error::other("the record is too long"))?.copy_from_slice(text.as_bytes());
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Option<Line> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end();
    let (mark, rest) = text.split_once(' ')?;
    let (pid, rest) = rest.trim_start().split_once(' ')?;
    let (owner, record) = rest.split_once(' ')?;
    Some(Line {
        mark: Mark::parse(mark)?,
        pid: pid.parse().ok()?,
        owner: owner.to_owned(),
        record: serde_json::from_str(record).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use webcodex_contracts::{JobId, ProjectId};

    use super::*;

    fn line(mark: Mark, sequence: u64, command: &str) -> Line {
        let record = Record {
            id: JobId::new("tag", &format!("r{sequence}")).unwrap(),
            project: ProjectId::parse("agent:a:b").unwrap(),
            session_id: None,
            command: command.to_owned(),
            sequence,
            started_at_ms: 5,
            detached: false,
            stamp: None,
            ending: None,
            written: [1, 2],
        };
        Line { mark, pid: 77, owner: "o1".to_owned(), record }
    }

    #[test]
    fn lines_are_found_again_and_damaged_ones_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let (ledger, known) = Ledger::open(&path).unwrap();
        assert!(known.is_empty());
        let mut lines = [line(Mark::Running, 1, "cargo test"), line(Mark::Finished, 2, "é\"\\")];
        ledger.write(3, &lines[0]).unwrap();
        ledger.write(9, &lines[1]).unwrap();
        ledger.write_pid(9, u32::MAX).unwrap();
        ledger.write(10, &lines[1]).unwrap();
        ledger.clear(10).unwrap();
        sys::write_all_at(&ledger.file, b"R 5 o1 {\"id\":", 20 * SLOT_BYTES as u64).unwrap();
        let (_, known) = Ledger::open(&path).unwrap();
        lines[1].pid = u32::MAX;
        assert_eq!(known, [(3, lines[0].clone()), (9, lines[1].clone())]);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), (SLOTS * SLOT_BYTES) as u64);
    }

    #[test]
    fn the_longest_record_fits() {
        let mut line = line(Mark::Running, u64::MAX, &"\\".repeat(303));
        line.record.project = ProjectId::parse(&"p".repeat(200)).unwrap();
        line.record.id = JobId::parse(&format!("wcj_{}", "x".repeat(196))).unwrap();
        line.record.session_id = Some("s".repeat(200).parse().unwrap());
        assert_eq!(parse(&to_bytes(&line).unwrap()), Some(line));
    }
}

//! Records of edits under way, in our own folder.
//!
//! A slot is a small file that lives on and is locked by its process. A record is written into it before anything
//! happens in the project and crossed out at the end. The page cache outlives a killed process, so a record need not
//! be synced to be found again. Only the seal, after which names change in several steps, must be durable before them:
//! it is what makes several files change together even across a power failure. After one, an edit of a single file is
//! still old or new as a whole, but the temporary file of one cut off may be left beside it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest, Sha256};

use super::disk::{Act, Disk, Unobserved};
use super::recover::{Recovered, recover};
use super::step::Record;

/// The records of one data folder.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    idle: Mutex<Vec<Slot>>,
    changing_names: Mutex<()>,
}

/// One place for a record, locked while this process lives.
#[derive(Debug)]
pub(super) struct Slot {
    file: File,
    path: PathBuf,
    /// Where the seal goes.
    end: u64,
    checksum: String,
}

/// How far an edit had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// New content was being written beside the old; at most one name had changed.
    Preparing,
    /// Everything was ready and names were being changed.
    Sealed,
    /// It had failed and was being taken back.
    Abandoned,
}

/// Records that could not be settled for so long speak of a project that will not come back.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Stands where the seal would be in a record of an edit that failed.
const ABANDONED: &[u8] = b"abandoned";

impl Journal {
    /// Opens the records, finishing or taking back what an earlier process was killed in.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut idle = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            match Slot::settled(&path) {
                Ok(slot) => idle.extend(slot),
                // One record that cannot be read must not keep everything else from working.
                Err(error) => {
                    tracing::warn!(record = %path.display(), %error, "a record of an edit is left as it is")
                }
            }
        }
        Ok(Self { folder: folder.to_path_buf(), idle: Mutex::new(idle), changing_names: Mutex::default() })
    }

    /// A free slot. It must be given back when its record is crossed out.
    pub(super) fn slot(&self) -> io::Result<Slot> {
        match self.idle.lock().pop() {
            Some(slot) => Ok(slot),
            None => Slot::make(&self.folder),
        }
    }

    pub(super) fn give_back(&self, slot: Slot) {
        self.idle.lock().push(slot);
    }

    /// Held from the last look at the files until their names have changed, so that two projects which share a folder
    /// cannot come between each other.
    pub(super) fn lock_names(&self) -> MutexGuard<'_, ()> {
        self.changing_names.lock()
    }
}

impl Slot {
    fn make(folder: &Path) -> io::Result<Self> {
        let path = folder.join(format!("{:016x}.slot", rand::random::<u64>()));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        file.lock()?;
        Ok(Self { file, path, end: 0, checksum: String::new() })
    }

    /// Takes a slot over from a process that has ended; `None` where that is still alive.
    fn take_over(path: &Path) -> io::Result<Option<Self>> {
        if path.extension().is_none_or(|extension| extension != "slot") {
            return Ok(None);
        }
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file, path: path.to_path_buf(), end: 0, checksum: String::new() })),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(error),
        }
    }

    /// Takes a slot over and brings what its record speaks of to an end; `None` if that is not for now.
    fn settled(path: &Path) -> io::Result<Option<Self>> {
        let Some(mut slot) = Self::take_over(path)? else { return Ok(None) };
        let Some((record, phase)) = slot.read()? else { return Ok(Some(slot)) };
        if recover(&record, phase) == Recovered::NotYet && !slot.is_old() {
            return Ok(None);
        }
        slot.cross_out(&Disk::new(&Unobserved))?;
        Ok(Some(slot))
    }

    /// Whether nothing is to be hoped for any more.
    fn is_old(&self) -> bool {
        let written = self.file.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > MAX_AGE))
    }

    /// Writes a record down.
    pub(super) fn write(&mut self, disk: &Disk<'_>, record: &Record) -> io::Result<()> {
        disk.before(Act::WriteRecord, &self.path)?;
        let body = serde_json::to_string(record)?;
        self.checksum = checksum(&body);
        let text = format!("{} {}\n{body}\n{}\n", body.len(), self.checksum, "-".repeat(self.checksum.len()));
        self.end = (text.len() - self.checksum.len() - 1) as u64;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(text.as_bytes())
    }

    /// Says durably that everything is ready and names will change now.
    pub(super) fn seal(&mut self, disk: &Disk<'_>) -> io::Result<()> {
        disk.before(Act::SealRecord, &self.path)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(self.checksum.as_bytes())?;
        self.file.sync_data()
    }

    /// Says that the edit has failed and is to be taken back, whatever the record says.
    pub(super) fn abandon(&mut self, disk: &Disk<'_>) -> io::Result<()> {
        disk.before(Act::SealRecord, &self.path)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(ABANDONED)?;
        self.file.sync_data()
    }

    /// Crosses the record out. Should that get lost, the record is found to be done already.
    pub(super) fn cross_out(&mut self, disk: &Disk<'_>) -> io::Result<()> {
        disk.before(Act::ClearRecord, &self.path)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(b"-")
    }

    /// The record, if there is a whole one.
    fn read(&mut self) -> io::Result<Option<(Record, Phase)>> {
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut text)?;
        Ok(parse(&String::from_utf8_lossy(&text)))
    }
}

fn parse(text: &str) -> Option<(Record, Phase)> {
    let (head, rest) = text.split_once('\n')?;
    let (length, sum) = head.split_once(' ')?;
    let body = rest.get(..length.parse().ok()?)?;
    if checksum(body) != sum {
        return None;
    }
    let seal = rest[body.len()..].trim_start_matches('\n');
    let phase = match seal.as_bytes() {
        seal if seal.starts_with(sum.as_bytes()) => Phase::Sealed,
        seal if seal.starts_with(ABANDONED) => Phase::Abandoned,
        _ => Phase::Preparing,
    };
    Some((serde_json::from_str(body).ok()?, phase))
}

fn checksum(body: &str) -> String {
    Sha256::digest(body).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

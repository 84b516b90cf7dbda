//! Files that hold output: one that is only opened when needed, and one of bounded size for a stream of any length.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use webcodex_contracts::limits::MAX_JOB_LOG_BYTES;

use crate::sys;
use crate::text::Available;

/// Bytes kept of the start of a stream in its file; the rest of the file is a ring with the end of the stream.
pub(super) const HEAD_BYTES: u64 = MAX_JOB_LOG_BYTES / 2;
pub(super) const RING_BYTES: u64 = MAX_JOB_LOG_BYTES - HEAD_BYTES;

/// A file that is kept open while it is written to, and opened for each look afterwards: there may be hundreds.
#[derive(Debug)]
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    pub(super) open: Option<File>,
}

impl LogFile {
    pub(super) fn closed(path: &Path) -> Self {
        Self { path: path.to_owned(), open: None }
    }

    /// Bytes of a range; shorter if the file is damaged or gone.
    pub(super) fn read(&self, range: Range<u64>) -> Vec<u8> {
        let read = |file: &File| {
            let mut bytes = vec![0; usize::try_from(range.end - range.start).unwrap_or(0)];
            let read = sys::read_at(file, &mut bytes, range.start).unwrap_or(0);
            bytes.truncate(read);
            bytes
        };
        match &self.open {
            Some(file) => read(file),
            None => File::open(&self.path).map(|file| read(&file)).unwrap_or_default(),
        }
    }

    pub(super) fn length(&self) -> u64 {
        let metadata = match &self.open {
            Some(file) => file.metadata(),
            None => std::fs::metadata(&self.path),
        };
        metadata.map_or(0, |metadata| metadata.len())
    }
}

/// A file of bounded size that holds the start and the end of a stream of any length.
#[derive(Debug)]
pub(super) struct RingFile {
    pub(super) file: LogFile,
    pub(super) total: u64,
    /// From here on nothing could be written.
    failed_at: Option<u64>,
}

impl RingFile {
    pub(super) fn create(path: &Path, start: &[u8]) -> io::Result<Self> {
        let file = sys::private_file().read(true).write(true).create(true).truncate(true).open(path)?;
        let file = LogFile { path: path.to_owned(), open: Some(file) };
        let mut ring = Self { file, total: 0, failed_at: None };
        ring.append(start)?;
        Ok(ring)
    }

    /// Takes up an earlier file. `total` is zero where the Runner ended before it could be noted: then a file that
    /// never became a ring tells it by its length.
    pub(super) fn restore(path: &Path, total: u64, length: u64) -> Self {
        let file = LogFile::closed(path);
        let total = if total == 0 { length.min(MAX_JOB_LOG_BYTES) } else { total };
        Self { file, total, failed_at: None }
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (start, end) = (self.total, self.total + bytes.len() as u64);
        self.total = end;
        let Some(file) = self.file.open.as_ref().filter(|_| self.failed_at.is_none()) else { return Ok(()) };
        for (range, place) in pieces(start..end) {
            let part = &bytes[(range.start - start) as usize..(range.end - start) as usize];
            if let Err(error) = sys::write_all_at(file, part, place) {
                self.failed_at = Some(start);
                return Err(error);
            }
        }
        Ok(())
    }

    pub(super) fn available(&self) -> Available {
        let end = self.failed_at.unwrap_or(self.total);
        let head = end.min(HEAD_BYTES);
        Available { head: 0..head, tail: self.total.saturating_sub(RING_BYTES).clamp(head, end)..end }
    }

    pub(super) fn read(&self, range: Range<u64>) -> Vec<u8> {
        pieces(range)
            .into_iter()
            .flat_map(|(range, place)| self.file.read(place..place + (range.end - range.start)))
            .collect()
    }
}

/// Where the bytes `range` of a stream lie in its file: consecutive parts and the place of each.
fn pieces(range: Range<u64>) -> Vec<(Range<u64>, u64)> {
    let mut pieces = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let (place, until) = if at < HEAD_BYTES {
            (at, HEAD_BYTES)
        } else {
            let turn = (at - HEAD_BYTES) % RING_BYTES;
            (HEAD_BYTES + turn, at - turn + RING_BYTES)
        };
        let end = until.min(range.end);
        pieces.push((at..end, place));
        at = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pieces_cover_a_range_once_and_stay_in_the_file(start in 0u64..40_000_000, length in 0u64..20_000_000) {
            let mut at = start;
            for (range, place) in pieces(start..start + length) {
                prop_assert_eq!(range.start, at);
                prop_assert!(place + (range.end - range.start) <= MAX_JOB_LOG_BYTES);
                at = range.end;
            }
            prop_assert_eq!(at, start + length);
        }
    }
}

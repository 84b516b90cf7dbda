//! What a command writes: in memory while it is little, in a bounded file when it is more or when it must last.

mod log;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use webcodex_contracts::execution::StreamText;
use webcodex_contracts::limits::MAX_JOB_LOG_BYTES;
use webcodex_contracts::tools::observe_jobs::StreamName;

use self::log::{HEAD_BYTES, LogFile, RING_BYTES, RingFile};
use crate::sys;
use crate::text::{Available, Locale, render, unfinished};

/// Bytes of one stream kept in memory before a file takes over.
const MEMORY_BYTES: usize = 64 * 1024;
/// Bytes written to standard output and standard error.
pub(crate) type Totals = [u64; 2];

/// Both streams, in the order of [`index`].
pub(crate) const STREAMS: [StreamName; 2] = [StreamName::Stdout, StreamName::Stderr];

/// The place of a stream in [`Totals`].
pub(crate) fn index(stream: StreamName) -> usize {
    match stream {
        StreamName::Stdout => 0,
        StreamName::Stderr => 1,
    }
}

/// Both streams of one execution.
#[derive(Debug)]
pub(crate) struct Output {
    files: [PathBuf; 2],
    streams: [Mutex<Kept>; 2],
}

/// How a stream is kept.
#[derive(Debug)]
enum Kept {
    /// All of it, in memory.
    Memory(Vec<u8>),
    /// Start and end, in a file of ours.
    Ring(RingFile),
    /// A file that the command itself appends to; a hole may have been punched into it, up to `hole_end`.
    Plain { file: LogFile, hole_end: u64 },
    /// Not any more.
    Gone { total: u64 },
}

impl Output {
    /// Nothing written yet; files, if they are needed, are `<stem>.out` and `<stem>.err` in `folder`.
    pub(crate) fn new(folder: &Path, stem: &str) -> Self {
        let memory = || Mutex::new(Kept::Memory(Vec::new()));
        Self { files: file_names(folder, stem), streams: [memory(), memory()] }
    }

    /// Files that the command writes to by itself; also gives them, opened for appending.
    pub(crate) fn plain(folder: &Path, stem: &str) -> io::Result<(Self, [File; 2])> {
        let output = Self::new(folder, stem);
        let mut writers = Vec::new();
        for (path, stream) in output.files.iter().zip(&output.streams) {
            writers.push(sys::private_file().append(true).create(true).open(path)?);
            let open = Some(File::options().read(true).write(true).open(path)?);
            *stream.lock() = Kept::Plain { file: LogFile { path: path.clone(), open }, hole_end: 0 };
        }
        let [out, err] = <[File; 2]>::try_from(writers).map_err(|_| io::Error::other("two streams"))?;
        Ok((output, [out, err]))
    }

    /// What an earlier Runner kept: `totals` bytes in ring files, or files that the command itself still writes to.
    pub(crate) fn restore(folder: &Path, stem: &str, totals: Totals, plain: bool) -> Self {
        let output = Self::new(folder, stem);
        for (which, path) in output.files.iter().enumerate() {
            let kept = match std::fs::metadata(path) {
                Ok(_) if plain => Kept::Plain { file: LogFile::closed(path), hole_end: HEAD_BYTES },
                Ok(metadata) => Kept::Ring(RingFile::restore(path, totals[which], metadata.len())),
                Err(_) => Kept::Gone { total: totals[which] },
            };
            *output.streams[which].lock() = kept;
        }
        output
    }

    /// Whether `append` would touch the disk, so that the caller chooses a thread that may wait.
    pub(crate) fn needs_disk(&self, stream: StreamName, more: usize) -> bool {
        match &*self.streams[index(stream)].lock() {
            Kept::Memory(bytes) => bytes.len() + more > MEMORY_BYTES,
            _ => true,
        }
    }

    /// Adds what was read from the command and gives the total.
    ///
    /// # Errors
    /// If the disk takes no more; the bytes still count, and what was kept before stays.
    pub(crate) fn append(&self, stream: StreamName, bytes: &[u8]) -> (u64, io::Result<()>) {
        let which = index(stream);
        let mut kept = self.streams[which].lock();
        let result = match &mut *kept {
            Kept::Memory(memory) if memory.len() + bytes.len() > MEMORY_BYTES => {
                RingFile::create(&self.files[which], memory).map(|ring| *kept = Kept::Ring(ring))
            }
            _ => Ok(()),
        };
        if result.is_err() {
            *kept = Kept::Gone { total: kept.total() };
        }
        let appended = match &mut *kept {
            Kept::Memory(memory) => {
                memory.extend_from_slice(bytes);
                Ok(())
            }
            Kept::Ring(ring) => ring.append(bytes),
            Kept::Gone { total } => {
                *total += bytes.len() as u64;
                Ok(())
            }
            Kept::Plain { .. } => Ok(()),
        };
        (kept.total(), result.and(appended))
    }

    /// Moves what is in memory to files, so that it outlives this process. Touches the disk.
    pub(crate) fn keep(&self) -> io::Result<()> {
        for (stream, path) in self.streams.iter().zip(&self.files) {
            let mut kept = stream.lock();
            if let Kept::Memory(memory) = &*kept {
                let ring = RingFile::create(path, memory)?;
                *kept = Kept::Ring(ring);
            }
        }
        Ok(())
    }

    /// Nothing more will be written: files are closed.
    pub(crate) fn close(&self) {
        for stream in &self.streams {
            match &mut *stream.lock() {
                Kept::Ring(ring) => ring.file.open = None,
                Kept::Plain { file, .. } => file.open = None,
                Kept::Memory(_) | Kept::Gone { .. } => {}
            }
        }
    }

    /// Lets go of what is kept, files included; the totals stay.
    pub(crate) fn forget(&self) {
        for (stream, path) in self.streams.iter().zip(&self.files) {
            let mut kept = stream.lock();
            let on_disk = !matches!(*kept, Kept::Memory(_));
            *kept = Kept::Gone { total: kept.total() };
            if on_disk {
                // It may never have been made.
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// Bytes that this output takes: in memory and on disk.
    pub(crate) fn size(&self) -> (u64, u64) {
        self.streams.iter().fold((0, 0), |(memory, disk), stream| match &*stream.lock() {
            Kept::Memory(bytes) => (memory + bytes.len() as u64, disk),
            Kept::Ring(ring) => (memory, disk + ring.total.min(MAX_JOB_LOG_BYTES)),
            kept @ Kept::Plain { .. } => (memory, disk + kept.total().min(MAX_JOB_LOG_BYTES)),
            Kept::Gone { .. } => (memory, disk),
        })
    }

    /// Bytes written so far.
    pub(crate) fn totals(&self) -> Totals {
        [self.streams[0].lock().total(), self.streams[1].lock().total()]
    }

    /// Keeps files that a command appends to within bounds: their middle becomes a hole.
    pub(crate) fn trim(&self) {
        for stream in &self.streams {
            if let Kept::Plain { file, hole_end } = &mut *stream.lock() {
                let end = file.length().saturating_sub(RING_BYTES);
                // Not for every small step: each is a call that changes the file's layout.
                if end > (*hole_end).max(HEAD_BYTES) + RING_BYTES / 4
                    && let Ok(open) = File::options().write(true).open(&file.path)
                    && sys::punch_hole(&open, HEAD_BYTES..end).is_ok()
                {
                    *hole_end = end;
                }
            }
        }
    }

    /// What is new since `seen`, as text, and up to where it goes. While the command runs, what only begins a
    /// character is left for the next time.
    pub(crate) fn since(
        &self,
        stream: StreamName,
        seen: u64,
        running: bool,
        locale: &Locale,
    ) -> (StreamText, u64) {
        let kept = self.streams[index(stream)].lock();
        let total = kept.total();
        let mut end = total;
        if running && total > seen {
            end -= unfinished(&kept.read(total.saturating_sub(64).max(seen)..total)) as u64;
        }
        let text = render(seen.min(end)..end, total, &kept.available(), locale, |range| kept.read(range));
        (text, end)
    }

    /// Up to `limit` exact bytes from the first kept one at or after `offset`; also that one's offset and the total.
    pub(crate) fn raw(&self, stream: StreamName, offset: u64, limit: u64) -> (u64, Vec<u8>, u64) {
        let kept = self.streams[index(stream)].lock();
        let total = kept.total();
        let parts = kept.available().within(&(offset.min(total)..total));
        match parts.first() {
            Some(part) => {
                let bytes = kept.read(part.start..part.end.min(part.start + limit));
                (part.start, bytes, total)
            }
            None => (total, Vec::new(), total),
        }
    }
}

fn file_names(folder: &Path, stem: &str) -> [PathBuf; 2] {
    [folder.join(format!("{stem}.out")), folder.join(format!("{stem}.err"))]
}

impl Kept {
    fn total(&self) -> u64 {
        match self {
            Kept::Memory(bytes) => bytes.len() as u64,
            Kept::Ring(ring) => ring.total,
            Kept::Plain { file, .. } => file.length(),
            Kept::Gone { total } => *total,
        }
    }

    fn available(&self) -> Available {
        let total = self.total();
        match self {
            Kept::Memory(_) => Available::all(total),
            Kept::Ring(ring) => ring.available(),
            Kept::Plain { hole_end: 0, .. } => Available::all(total),
            Kept::Plain { hole_end, .. } => {
                let head = total.min(HEAD_BYTES);
                Available { head: 0..head, tail: (*hole_end).clamp(head, total)..total }
            }
            Kept::Gone { .. } => Available { head: 0..0, tail: total..total },
        }
    }

    /// The bytes of a range that is available; shorter if the file is damaged.
    fn read(&self, range: Range<u64>) -> Vec<u8> {
        match self {
            Kept::Memory(bytes) => {
                bytes.get(range.start as usize..range.end as usize).unwrap_or_default().to_vec()
            }
            Kept::Ring(ring) => ring.read(range),
            Kept::Plain { file, .. } => file.read(range),
            Kept::Gone { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OUT: StreamName = StreamName::Stdout;

    fn filled(chunks: &[usize]) -> (tempfile::TempDir, Output, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::new(folder.path(), "job");
        let mut all = Vec::new();
        for (number, length) in chunks.iter().enumerate() {
            let chunk: Vec<u8> =
                (0..*length).map(|at| ((all.len() + at) % 251) as u8 ^ number as u8).collect();
            all.extend_from_slice(&chunk);
            let (total, result) = output.append(OUT, &chunk);
            result.unwrap();
            assert_eq!(total, all.len() as u64);
        }
        (folder, output, all)
    }

    #[test]
    fn little_output_touches_no_disk() {
        let (folder, output, all) = filled(&[10, 20, 30]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(output.raw(OUT, 5, 1000), (5, all[5..].to_vec(), 60));
        assert_eq!(output.size(), (60, 0));
    }

    #[test]
    fn much_output_keeps_both_ends_within_the_bound() {
        let (folder, output, all) = filled(&[1 << 20; 21]);
        let file = std::fs::metadata(folder.path().join("job.out")).unwrap();
        assert!(file.len() <= MAX_JOB_LOG_BYTES, "{}", file.len());
        assert_eq!(output.raw(OUT, 0, 100).1, all[..100]);
        let (offset, bytes, total) = output.raw(OUT, total_of(&all) - 100, 1000);
        assert_eq!((offset, bytes.as_slice(), total), (total - 100, &all[all.len() - 100..], total_of(&all)));
        let (offset, bytes, _) = output.raw(OUT, HEAD_BYTES, 100);
        assert_eq!(offset, total - RING_BYTES, "the dropped middle is skipped");
        assert_eq!(bytes, all[offset as usize..offset as usize + 100]);
    }

    fn total_of(bytes: &[u8]) -> u64 {
        bytes.len() as u64
    }

    #[test]
    fn kept_output_is_found_again() {
        let (folder, output, all) = filled(&[100]);
        output.keep().unwrap();
        output.close();
        assert_eq!(output.raw(OUT, 0, 1000).1, all, "a closed file is opened for a look");
        let again = Output::restore(folder.path(), "job", [100, 0], false);
        assert_eq!(again.raw(OUT, 0, 1000).1, all);
        let unknown_total = Output::restore(folder.path(), "job", [0, 0], false);
        assert_eq!(unknown_total.totals(), [100, 0]);
        again.forget();
        assert_eq!(again.raw(OUT, 0, 1000), (100, Vec::new(), 100));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_the_command_writes_itself_stays_bounded() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let (output, [mut out, _err]) = Output::plain(folder.path(), "job").unwrap();
        let block = vec![b'x'; 1 << 20];
        (0..24).for_each(|_| out.write_all(&block).unwrap());
        out.write_all(b"the end").unwrap();
        output.trim();
        let total = 24 * (1 << 20) + 7;
        assert_eq!(output.totals(), [total, 0]);
        assert_eq!(output.raw(OUT, total - 7, 100).1, b"the end");
        let (first_after_head, ..) = output.raw(OUT, HEAD_BYTES, 1);
        assert_eq!(first_after_head, total - RING_BYTES, "the middle is gone");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn every_available_byte_is_the_one_written(
            chunks in proptest::collection::vec(1usize..3_000_000, 1..8),
            looks in proptest::collection::vec((0u64..30_000_000, 1u64..70_000), 4),
        ) {
            let (_folder, output, all) = filled(&chunks);
            for (offset, limit) in looks {
                let (at, bytes, total) = output.raw(OUT, offset, limit);
                prop_assert_eq!(total, all.len() as u64);
                prop_assert!(at >= offset.min(total));
                let at = at as usize;
                prop_assert!(bytes == all[at..at + bytes.len()]);
                prop_assert!(!bytes.is_empty() || offset >= total);
            }
        }

    }
}

//! Reads whole files, step by step, into memory that is used again.

use std::fs::File;
use std::io::{self, Read};

use webcodex_contracts::limits::MAX_TEXT_FILE_BYTES;

/// Bytes of one step: small enough to stay in the processor's cache until they have been looked at.
const STEP_BYTES: usize = 64 * 1024;
/// Memory that is kept between files.
const KEPT_BYTES: usize = 4 * 1024 * 1024;

/// A file's bytes.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

/// Where a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// There may be more.
    More,
    /// That was all.
    End,
    /// The file is larger than what is read as text.
    TooLarge,
}

impl Buffer {
    /// Forgets what was read.
    pub(super) fn clear(&mut self) {
        self.filled = 0;
        if self.bytes.len() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
    }

    /// Reads on, without asking for the file's size first.
    pub(super) fn read_step(&mut self, mut file: &File) -> io::Result<Step> {
        // One byte more than the limit tells a file of that size from a larger one.
        let max = usize::try_from(MAX_TEXT_FILE_BYTES).unwrap_or(usize::MAX - 1) + 1;
        let end = (self.filled + STEP_BYTES).min(max);
        if end > self.bytes.len() {
            self.bytes.resize(end.max((2 * self.bytes.len()).min(max)), 0);
        }
        while self.filled < end {
            match file.read(&mut self.bytes[self.filled..end]) {
                Ok(0) => return Ok(Step::End),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(if self.filled == max { Step::TooLarge } else { Step::More })
    }

    /// What was read.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// What was read, to be changed in place.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.filled]
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    fn load(content: &[u8]) -> (Step, Buffer) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.rewind().unwrap();
        let mut buffer = Buffer::default();
        loop {
            match buffer.read_step(&file).unwrap() {
                Step::More => {}
                end => return (end, buffer),
            }
        }
    }

    #[test]
    fn files_of_every_size_are_read_whole() {
        for size in [0, 1, STEP_BYTES - 1, STEP_BYTES, STEP_BYTES + 1, 3 * STEP_BYTES + 7] {
            let content: Vec<u8> = (0..size).map(|at| b'a' + (at % 23) as u8).collect();
            let (end, buffer) = load(&content);
            assert_eq!(end, Step::End, "{size}");
            assert!(buffer.bytes() == content, "{size}");
        }
    }

    #[test]
    fn the_limit_is_exact() {
        let max = usize::try_from(MAX_TEXT_FILE_BYTES).unwrap();
        assert_eq!(load(&vec![b'a'; max]).0, Step::End);
        assert_eq!(load(&vec![b'a'; max + 1]).0, Step::TooLarge);
    }
}

//! Read revisions: proof of what a caller has read, with nothing to store.

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use webcodex_contracts::{MAX_SAFE_INTEGER, ProjectId, ProjectPath, ReadRevision};

const KEY_BYTES: usize = 32;
/// The block of SHA-256.
const BLOCK_BYTES: usize = 64;

/// SHA-256 of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes a whole file.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// A digest that was made before.
    pub fn from_bytes(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// The raw digest.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = |byte: u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
        let hex: [u8; 64] = std::array::from_fn(|at| digits(self.0[at / 2])[at % 2]);
        f.pad(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

/// How much of a file a caller has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// All of it.
    Complete,
    /// A part. Enough for edits that find their place by its text, too little to replace what was not seen.
    Partial,
}

/// The key under which one Runner makes revisions. Without it nobody can make a revision up.
#[derive(Clone)]
pub(crate) struct RevisionKey([u8; KEY_BYTES]);

impl RevisionKey {
    /// Reads the key, or makes one that only the owner may read. A key appears whole or not at all.
    pub(crate) fn open(file: &Path) -> io::Result<Self> {
        if let Some(key) = Self::read(file)? {
            return Ok(key);
        }
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        fresh.write_all(&rand::random::<[u8; KEY_BYTES]>())?;
        fresh.as_file().sync_all()?;
        match fresh.persist_noclobber(file) {
            Ok(_) => crate::sys::sync_folder(folder)?,
            // Somebody else was faster; theirs counts.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.error),
        }
        Self::read(file)?.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn read(file: &Path) -> io::Result<Option<Self>> {
        match std::fs::read(file) {
            Ok(bytes) => match <[u8; KEY_BYTES]>::try_from(bytes) {
                Ok(key) => Ok(Some(Self(key))),
                Err(_) => Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the key for read revisions is damaged; delete the file and a new one is made",
                )),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The revision for a file's content as a caller has seen it.
    pub(crate) fn revision(
        &self,
        project: &ProjectId,
        path: &ProjectPath,
        content: &ContentHash,
        seen: Seen,
    ) -> ReadRevision {
        // A key that is shorter than a block is padded with zeros; HMAC says so.
        let mut block = [0; BLOCK_BYTES];
        block[..KEY_BYTES].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        for part in [project.as_str(), path.as_str()] {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part.as_bytes());
        }
        mac.update(content.as_bytes());
        mac.update(&[match seen {
            Seen::Complete => 1,
            Seen::Partial => 2,
        }]);
        let tag: [u8; 32] = mac.finalize().into_bytes().into();
        let number = tag.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        ReadRevision::nearest(number % MAX_SAFE_INTEGER + 1)
    }

    /// What `sent` proves about the present content, if anything.
    pub(crate) fn verify(
        &self,
        sent: ReadRevision,
        project: &ProjectId,
        path: &ProjectPath,
        content: &ContentHash,
    ) -> Option<Seen> {
        [Seen::Complete, Seen::Partial]
            .into_iter()
            .find(|seen| self.revision(project, path, content, *seen) == sent)
    }
}

impl fmt::Debug for RevisionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RevisionKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> (tempfile::TempDir, RevisionKey) {
        let folder = tempfile::tempdir().unwrap();
        let key = RevisionKey::open(&folder.path().join("key")).unwrap();
        (folder, key)
    }

    #[test]
    fn a_revision_stands_for_project_path_content_and_what_was_seen() {
        let (_folder, key) = key();
        let project = |id: &str| ProjectId::parse(id).unwrap();
        let path = |path: &str| ProjectPath::parse(path).unwrap();
        let of = |id: &str, name: &str, bytes: &[u8], seen| {
            key.revision(&project(id), &path(name), &ContentHash::of(bytes), seen)
        };
        let base = of("agent:a:b", "x", b"1", Seen::Complete);
        assert_eq!(base, of("agent:a:b", "x", b"1", Seen::Complete), "stable");
        for other in [
            of("agent:a:c", "x", b"1", Seen::Complete),
            of("agent:a:b", "y", b"1", Seen::Complete),
            of("agent:a:b", "x", b"2", Seen::Complete),
            of("agent:a:b", "x", b"1", Seen::Partial),
        ] {
            assert_ne!(base, other);
        }
        let verify = |sent| key.verify(sent, &project("agent:a:b"), &path("x"), &ContentHash::of(b"1"));
        assert_eq!(verify(base), Some(Seen::Complete));
        assert_eq!(verify(of("agent:a:b", "x", b"1", Seen::Partial)), Some(Seen::Partial));
        assert_eq!(verify(of("agent:a:b", "x", b"2", Seen::Complete)), None);
    }

    #[test]
    fn the_key_is_kept_and_only_its_owner_may_read_it() {
        let (folder, key) = key();
        let file = folder.path().join("key");
        assert_eq!(RevisionKey::open(&file).unwrap().0, key.0);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(&file, "short").unwrap();
        assert!(RevisionKey::open(&file).unwrap_err().to_string().contains("damaged"));
    }
}

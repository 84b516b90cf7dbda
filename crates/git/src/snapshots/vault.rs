//! The objects of one session: a small repository of ours that borrows from the one it looks at.
//!
//! What changed is written here; what did not is found in the user's repository or in the first look at the folder,
//! through git's own way of borrowing objects. Nothing is ever written there.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::hash::Kind;
use gix::objs::{Kind as ObjectKind, Write as _};

use crate::GitError;
use crate::error::io_at;
use crate::repository::{Kept, Place, Workspace};
use crate::store::pack::{PackWriter, encode};

/// Folder of the repository in the folder of a session.
const REPOSITORY: &str = "git";
/// From this many new contents on they go into one pack.
const FEW: usize = 64;
/// New contents kept in memory before they are written, in bytes.
const MAX_WAITING: usize = 4 * 1024 * 1024;

/// The objects of one session.
pub(super) struct Vault {
    folder: PathBuf,
    top: PathBuf,
    kept: Kept,
}

impl Vault {
    /// Opens the vault in `folder`, or makes it, to borrow from the repository of `source`.
    pub(super) fn open(folder: &Path, source: &Workspace) -> Result<Self, GitError> {
        let git = folder.join(REPOSITORY);
        make(&git, source).map_err(io_at(&git))?;
        let top = source.top.clone();
        let kept = Kept::open(git, Place::Store { top: top.clone() })?;
        Ok(Self { folder: folder.to_owned(), top, kept })
    }

    /// Reads what is in here, and what is borrowed.
    pub(super) fn workspace(&self) -> Result<Workspace, GitError> {
        self.kept.workspace()
    }

    /// The top of the working tree that is looked at.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Begins to write contents.
    pub(super) fn writer(&self, place: Keep) -> Result<Writer, GitError> {
        let repo = self.kept.repo()?;
        let packs = self.folder.join(REPOSITORY).join("objects/pack");
        Ok(Writer {
            repo,
            packs,
            place,
            waiting: Vec::new(),
            bytes: 0,
            pack: None,
            seen: HashSet::new(),
            total: 0,
        })
    }

    /// A content; `None` where it is not kept any more, or larger than `limit`.
    pub(super) fn content(&self, id: ObjectId, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        let repo = self.kept.repo()?;
        let size = repo.try_find_header(id).ok().flatten().map(|header| header.size());
        if size.is_none_or(|size| size > limit) {
            return Ok(None);
        }
        Ok(repo.find_object(id).ok().map(|object| object.detach().data))
    }
}

/// What need not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// What can be borrowed is not kept twice.
    Missing,
    /// Everything, so that nothing is lost when the user's repository is cleaned up.
    Everything,
}

/// Writes contents: few as single objects, many as a pack.
pub(super) struct Writer {
    pub(super) repo: gix::Repository,
    packs: PathBuf,
    place: Keep,
    waiting: Vec<(ObjectId, Vec<u8>)>,
    bytes: usize,
    pack: Option<PackWriter>,
    seen: HashSet<ObjectId>,
    total: u64,
}

impl Writer {
    /// Adds a content and returns its id.
    pub(super) fn put(&mut self, content: Vec<u8>) -> io::Result<ObjectId> {
        let id = id_of(self.repo.object_hash(), &content)?;
        // New contents are the rule: looking for packs that came meanwhile would cost each of them more than keeping
        // one twice.
        if !self.seen.insert(id)
            || self.place == Keep::Missing && self.repo.objects.exists_without_refresh(&id)
        {
            return Ok(id);
        }
        self.bytes += content.len();
        self.total += content.len() as u64;
        self.waiting.push((id, content));
        // The index of a pack is written for ids of one length only.
        let many = self.waiting.len() >= FEW || self.bytes >= MAX_WAITING;
        if self.repo.object_hash() == Kind::Sha1 && (many || self.pack.is_some()) {
            self.write_pack()?;
        }
        Ok(id)
    }

    /// Bytes that were new so far.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Writes what is still waiting. Only now can everything be read.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.pack.is_some() {
            self.write_pack()?;
        }
        for (id, content) in self.waiting.drain(..) {
            // Past the question whether it can be borrowed, which was settled before.
            let written = self.repo.objects.write_buf_with_known_id(ObjectKind::Blob, &content, id);
            written.map_err(io::Error::other)?;
        }
        self.bytes = 0;
        match self.pack.take() {
            Some(pack) => pack.finish(),
            None => Ok(()),
        }
    }

    fn write_pack(&mut self) -> io::Result<()> {
        let pack = match &mut self.pack {
            Some(pack) => pack,
            none => {
                // An earlier Runner may have been killed while it wrote.
                match std::fs::remove_file(self.packs.join(PackWriter::UNFINISHED)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => none.insert(PackWriter::begin(&self.packs)?),
                }
            }
        };
        for (id, content) in self.waiting.drain(..) {
            pack.add(id, &encode(ObjectKind::Blob, &content)?)?;
        }
        self.bytes = 0;
        Ok(())
    }
}

/// The id of a content.
pub(super) fn id_of(kind: Kind, content: &[u8]) -> io::Result<ObjectId> {
    gix::objs::compute_hash(kind, ObjectKind::Blob, content).map_err(io::Error::other)
}

/// Makes what is missing of the repository, and says anew where it borrows from: the project may have been moved.
fn make(git: &Path, source: &Workspace) -> io::Result<()> {
    for folder in ["objects/pack", "objects/info", "refs/heads"] {
        std::fs::create_dir_all(git.join(folder))?;
    }
    let config = match source.repo.object_hash() {
        Kind::Sha256 => {
            "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = sha256\n"
        }
        _ => "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    };
    write_if_other(&git.join("config"), config.as_bytes())?;
    write_if_other(&git.join("HEAD"), b"ref: refs/heads/session\n")?;
    let objects = dunce::canonicalize(source.repo.common_dir().join("objects"))?;
    let objects = gix::path::into_bstr(objects).map_err(io::Error::other)?;
    // Git reads a line that begins with a quote as a C string and one with a number sign as a comment.
    let mut line = match objects.iter().any(|byte| b"\n\"#\\".contains(byte)) {
        true => quoted(&objects),
        false => objects.to_vec(),
    };
    line.push(b'\n');
    write_if_other(&git.join("objects/info/alternates"), &line)
}

fn quoted(path: &[u8]) -> Vec<u8> {
    let mut line = vec![b'"'];
    for byte in path {
        match byte {
            b'\n' => line.extend_from_slice(b"\\n"),
            b'"' | b'\\' => line.extend_from_slice(&[b'\\', *byte]),
            byte => line.push(*byte),
        }
    }
    line.push(b'"');
    line
}

fn write_if_other(file: &Path, content: &[u8]) -> io::Result<()> {
    if std::fs::read(file).is_ok_and(|known| known == content) {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(file);
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(content)?;
    fresh.persist(file).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_needs_it_is_quoted_as_git_reads_it() {
        assert_eq!(quoted(b"/a\"b\\c\nd"), b"\"/a\\\"b\\\\c\\nd\"");
    }
}

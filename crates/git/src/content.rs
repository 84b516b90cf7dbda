//! The bytes behind the sides of a change, in git's form, read only as far as they are wanted.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Mode;

use crate::GitError;
use crate::clean::{Cleaned, Cleaner};
use crate::disk::Disk;
use crate::filters::{Filters, Unfiltered};
use crate::repository::{Conversion, Workspace};
use crate::status::{Change, Content, Side};

/// Which side of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Old,
    New,
}

/// What there is to show of one side.
#[derive(Debug)]
pub(crate) enum Loaded {
    /// Bytes in git's form; none for a side that does not exist.
    Bytes(Vec<u8>),
    /// More bytes than wanted.
    TooLarge,
    /// The reason why there are no bytes.
    Unknown(Cow<'static, str>),
}

/// Reads contents of one working tree.
pub(crate) struct Contents<'a> {
    workspace: &'a Workspace,
    filters: &'a Filters,
    /// Made when the first file on disk is read.
    cleaner: Option<Cleaner<'a>>,
}

impl<'a> Contents<'a> {
    pub(crate) fn new(workspace: &'a Workspace, filters: &'a Filters) -> Self {
        Self { workspace, filters, cleaner: None }
    }

    /// For files on disk.
    pub(crate) fn cleaner(&mut self) -> Result<&mut Cleaner<'a>, GitError> {
        let cleaner = match self.cleaner.take() {
            Some(cleaner) => cleaner,
            None => Cleaner::new(&self.workspace.repo, &self.workspace.index, self.filters)?,
        };
        Ok(self.cleaner.insert(cleaner))
    }

    /// The size of a stored object; `None` where it is missing, as in a partial clone.
    pub(crate) fn stored_size(&self, id: ObjectId) -> Option<u64> {
        self.workspace.repo.try_find_header(id).ok().flatten().map(|header| header.size())
    }

    /// The size of a side before any conversion.
    pub(crate) fn size(&self, change: &Change, which: Which) -> Option<u64> {
        let (path, side) = side(change, which)?;
        match side.content {
            Content::Stored(id) => self.stored_size(id),
            Content::OnDisk => {
                Disk::new(&self.workspace.top).look(path).ok().flatten().map(|file| file.len())
            }
            Content::Submodule { .. } | Content::NestedRepository | Content::Special => None,
        }
    }

    /// The id of a new file on disk, looked for only if it has one of `sizes`.
    pub(crate) fn id_if_size(
        &mut self,
        change: &Change,
        sizes: &[u64],
    ) -> Result<Option<ObjectId>, GitError> {
        let Some((path, side)) = side(change, Which::New) else { return Ok(None) };
        let fits = self.size(change, Which::New).is_some_and(|size| sizes.contains(&size));
        let (true, Some(file)) = (fits, self.workspace.on_disk(path)) else { return Ok(None) };
        let link = side.mode == Mode::SYMLINK;
        Ok(self.cleaner()?.id(path, &file, link).ok().and_then(Result::ok))
    }

    /// The bytes of a side, if there are at most `limit` of them and they can be read.
    pub(crate) fn bytes(
        &mut self,
        change: &Change,
        which: Which,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, GitError> {
        Ok(match self.load(change, which, limit)? {
            Loaded::Bytes(bytes) => Some(bytes),
            Loaded::TooLarge | Loaded::Unknown(_) => None,
        })
    }

    /// What there is to show of a side, up to `limit` bytes.
    pub(crate) fn load(&mut self, change: &Change, which: Which, limit: u64) -> Result<Loaded, GitError> {
        let Some((path, side)) = side(change, which) else { return Ok(Loaded::Bytes(Vec::new())) };
        match side.content {
            Content::Stored(id) => Ok(self.stored(id, limit)),
            Content::OnDisk => self.on_disk(path, side.mode, limit),
            Content::Submodule { commit, dirty } => Ok(Loaded::Bytes(pointer(commit, dirty))),
            Content::NestedRepository | Content::Special => Ok(Loaded::Bytes(Vec::new())),
        }
    }

    fn stored(&self, id: ObjectId, limit: u64) -> Loaded {
        match self.stored_size(id) {
            None => Loaded::Unknown(match self.workspace.conversion {
                Conversion::ByAttributes => "the stored content is not in this clone".into(),
                Conversion::None => "too large: the earlier content was not kept".into(),
            }),
            Some(size) if size > limit => Loaded::TooLarge,
            Some(_) => match self.workspace.repo.find_object(id) {
                Ok(object) => Loaded::Bytes(object.detach().data),
                Err(_) => Loaded::Unknown("the stored object is damaged".into()),
            },
        }
    }

    fn on_disk(&mut self, path: &BStr, mode: Mode, limit: u64) -> Result<Loaded, GitError> {
        let Some(file) = self.workspace.on_disk(path) else {
            return Ok(Loaded::Unknown("unreadable".into()));
        };
        Ok(match self.cleaner()?.read(path, &file, mode == Mode::SYMLINK, limit) {
            Ok(Cleaned::Bytes(bytes)) => Loaded::Bytes(bytes),
            Ok(Cleaned::TooLarge) => Loaded::TooLarge,
            Ok(Cleaned::Unfiltered(Unfiltered::Slow)) => Loaded::Unknown("its filter takes too long".into()),
            Ok(Cleaned::Unfiltered(Unfiltered::Failed)) => Loaded::Unknown("its filter failed".into()),
            // Gone since the list was made.
            Err(error) if crate::disk::is_absent(&error) => Loaded::Bytes(Vec::new()),
            Err(error) => Loaded::Unknown(format!("unreadable: {error}").into()),
        })
    }
}

/// The path and the facts of a side, if it exists.
fn side(change: &Change, which: Which) -> Option<(&BStr, &Side)> {
    match which {
        Which::Old => {
            let path = change.old_path.as_ref().unwrap_or(&change.path);
            change.old.as_ref().map(|side| (path.as_bstr(), side))
        }
        Which::New => change.new.as_ref().map(|side| (change.path.as_bstr(), side)),
    }
}

/// A submodule's pointer, written as git writes it in a diff.
fn pointer(commit: ObjectId, dirty: bool) -> Vec<u8> {
    let dirty = if dirty { "-dirty" } else { "" };
    format!("Subproject commit {commit}{dirty}\n").into_bytes()
}

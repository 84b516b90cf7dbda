//! Contents that are to be put back on the disk, each guarded by what lies there now.

use gix::bstr::{BStr, BString};
use gix::index::entry::Mode;
use webcodex_contracts::ProjectPath;
use webcodex_contracts::tools::edit_project_files::FileAction;

use super::disk_side::{Found, OnDisk};
use super::ledger::By;
use super::record::{Side, Step};
use super::session::{Session, side};
use super::vault::{Keep, id_of};
use super::{Ground, SnapshotError};
use crate::clean::Cleaner;
use crate::error::io_at;
use crate::filters::Filters;
use crate::{GitError, Interrupt};

/// One file to put back. Nothing has been written; whoever does checks the guard again at the last moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutBack {
    /// Path in the project.
    pub path: ProjectPath,
    /// SHA-256 of the content that must lie there now; none if nothing may.
    pub expect: Option<[u8; 32]>,
    /// The content to write; none if the file goes.
    pub content: Option<Vec<u8>>,
    /// Whether the file is executable afterwards.
    pub executable: bool,
    /// Whether lines of others are in it, which stay.
    pub merged: bool,
}

/// Files to put back, all of them or none.
#[derive(Debug)]
pub struct PutBackPlan {
    /// The files.
    pub files: Vec<PutBack>,
    /// The note about them, to be settled afterwards.
    pub number: u64,
}

impl PutBack {
    /// What it does.
    pub fn action(&self) -> FileAction {
        match (&self.expect, &self.content) {
            (None, _) => FileAction::Created,
            (Some(_), None) => FileAction::Deleted,
            (Some(_), Some(_)) => FileAction::Modified,
        }
    }
}

/// Reads files of the working tree in git's form, and makes working files of stored ones.
pub(super) struct Forms<'a> {
    ground: &'a Ground,
    cleaner: Cleaner<'a>,
}

impl<'a> Forms<'a> {
    pub(super) fn new(ground: &'a Ground, filters: &'a Filters) -> Result<Self, GitError> {
        let workspace = &ground.workspace;
        Ok(Self { ground, cleaner: Cleaner::new(&workspace.repo, &workspace.index, filters)? })
    }

    /// The filters for [`Forms::new`].
    pub(super) fn filters(ground: &Ground, interrupt: &Interrupt) -> Filters {
        Filters::of(&ground.workspace, interrupt)
    }

    /// The file at `path` (from the top) as a snapshot would remember it.
    pub(super) fn stored_side(&mut self, path: &BStr, found: &OnDisk) -> Option<Side> {
        let file = self.ground.workspace.on_disk(path)?;
        let id = self.cleaner.id(path, &file, false).ok()?.ok()?;
        Some(side((found.mode, id)))
    }

    /// What a stored content looks like in the working tree; `None` where a filter program stands between.
    pub(super) fn worktree_form(&mut self, path: &BStr, stored: &[u8]) -> Option<Vec<u8>> {
        self.cleaner.worktree_form(path, stored).ok().flatten()
    }
}

/// A change of one file that is being prepared.
pub(super) struct Prepared {
    pub(super) path: String,
    pub(super) now: Found,
    pub(super) content: Option<Vec<u8>>,
    pub(super) mode: Mode,
    /// Whether lines of others are in the content.
    pub(super) merged: bool,
}

impl Prepared {
    /// The whole file, as it was or as it shall be.
    pub(super) fn new(path: &str, now: Found, content: Option<Vec<u8>>, mode: Mode) -> Self {
        Self { path: path.to_owned(), now, content, mode, merged: false }
    }

    pub(super) fn put_back(&self) -> Result<PutBack, SnapshotError> {
        let path =
            ProjectPath::parse(&self.path).map_err(|error| not_undoable(&self.path, error.to_string()))?;
        let expect = match &self.now {
            Found::File(file) => Some(file.sha256()),
            Found::Nothing => None,
            Found::Other => return Err(not_undoable(&self.path, "it is no file".to_owned())),
        };
        let executable = self.mode == Mode::FILE_EXECUTABLE;
        Ok(PutBack { path, expect, content: self.content.clone(), executable, merged: self.merged })
    }
}

impl Session {
    /// Keeps what is needed to go back and forth again, notes what is about to happen, and says what to do.
    pub(super) fn prepare(
        &mut self,
        by: By,
        prepared: &[Prepared],
    ) -> Result<(PutBackPlan, Vec<Step>), SnapshotError> {
        let files = prepared.iter().map(Prepared::put_back).collect::<Result<Vec<_>, _>>()?;
        let steps = self.keep_both(prepared).map_err(io_at(&self.folder))?;
        let number = self.ledger.will(by, steps.clone()).map_err(io_at(&self.folder))?;
        Ok((PutBackPlan { files, number }, steps))
    }

    fn keep_both(&self, prepared: &[Prepared]) -> std::io::Result<Vec<Step>> {
        let mut writer = self.vault.writer(Keep::Missing).map_err(std::io::Error::other)?;
        let kind = writer.repo.object_hash();
        let mut steps = Vec::with_capacity(prepared.len());
        for one in prepared {
            if let Found::File(file) = &one.now {
                writer.put(file.bytes.clone())?;
            }
            let after = match &one.content {
                Some(content) => {
                    writer.put(content.clone())?;
                    Some(side((one.mode, id_of(kind, content)?)))
                }
                None => None,
            };
            steps.push(Step { path: one.path.clone(), before: one.now.side(kind)?, after });
        }
        writer.finish()?;
        Ok(steps)
    }

    /// A path in the project, from the top of the working tree.
    pub(super) fn path_from_top(&self, path: &str) -> BString {
        let mut full = self.prefix.clone();
        full.extend_from_slice(path.as_bytes());
        full
    }
}

/// The change cannot be undone here.
pub(super) fn not_undoable(path: &str, why: impl Into<String>) -> SnapshotError {
    SnapshotError::NotUndoable { path: path.to_owned(), why: why.into() }
}

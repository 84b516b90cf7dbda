//! One session's snapshots while they are open.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::BString;
use gix::index::entry::Mode;
use webcodex_contracts::SnapshotId;
use webcodex_contracts::tools::review::{BaseKind, ReviewBase};

use super::disk_side::Found;
use super::ledger::Ledger;
use super::listing::Listing;
use super::record::{Record, Seal, Side, Snapshot, new_id, now_ms};
use super::take::{Known, Taken, base_tree, take};
use super::vault::Vault;
use super::{Ground, SnapshotError};
use crate::error::io_at;
use crate::scope::Scope;
use crate::summary::Summary;
use crate::{GitError, Interrupt};

/// What is kept of a session, opened.
pub(super) struct Session {
    pub(super) folder: PathBuf,
    pub(super) record: Record,
    pub(super) ledger: Ledger,
    pub(super) vault: Vault,
    pub(super) scope: Scope,
    pub(super) prefix: BString,
    root: PathBuf,
    known: Known,
    /// The list that was asked for last.
    listing: Option<(SnapshotId, Arc<Listing>)>,
}

/// A snapshot that can be looked into.
pub(super) enum Shown {
    Review(Snapshot),
    Sealed(Box<Seal>),
}

impl Session {
    /// Opens what is kept in `folder`, or begins to keep something there.
    pub(super) fn open(folder: &Path, root: &Path, ground: &Ground) -> Result<Self, GitError> {
        std::fs::create_dir_all(folder).map_err(io_at(folder))?;
        let vault = Vault::open(folder, &ground.workspace)?;
        let kind = ground.workspace.repo.object_hash();
        let record = Record::read(folder).filter(|record| record.root == root);
        let record = record.unwrap_or_else(|| Record {
            root: root.to_owned(),
            last_used_ms: now_ms(),
            ..Record::default()
        });
        let happened = |step: &super::record::Step| {
            let now = Found::at(root, &step.path).and_then(|found| found.side(kind));
            now.is_ok_and(|now| now == step.after)
        };
        let ledger = Ledger::open(folder, happened).map_err(io_at(folder))?;
        Ok(Self {
            folder: folder.to_owned(),
            record,
            ledger,
            vault,
            scope: Scope::new(ground.workspace.prefix.as_ref(), &[]),
            prefix: ground.workspace.prefix.clone(),
            root: root.to_owned(),
            known: Known::default(),
            listing: None,
        })
    }

    /// The project's folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes what is remembered.
    pub(super) fn save(&mut self) -> Result<(), GitError> {
        let folder = self.folder.clone();
        self.record.write(&folder).map_err(io_at(folder))
    }

    /// Takes a snapshot of the files as they are now.
    pub(super) fn take(&mut self, ground: &Ground, interrupt: &Interrupt) -> Result<Taken, GitError> {
        let base = base_tree(&ground.workspace, &ground.kind, ground.first_look)?;
        take(&ground.workspace, &ground.kind, base, &self.vault, &mut self.known, interrupt)
    }

    /// Remembers the files as they are at the beginning, if that was not done yet.
    pub(super) fn begin(&mut self, ground: &Ground, interrupt: &Interrupt) -> Result<(), GitError> {
        if self.record.start.is_some() {
            return Ok(());
        }
        let taken = self.take(ground, interrupt)?;
        let start = snapshot(taken, None, ground)?;
        self.record.start = Some(start);
        self.record.used();
        self.save()
    }

    /// A look at the files for a review: a new snapshot, or the last one where nothing has changed since.
    pub(super) fn review(
        &mut self,
        ground: &Ground,
        base: ObjectId,
        interrupt: &Interrupt,
    ) -> Result<Snapshot, GitError> {
        let taken = self.take(ground, interrupt)?;
        let new = snapshot(taken, Some(base), ground)?;
        if let Some(last) = self.record.last_review().filter(|last| last.is_like(&new)) {
            return Ok(last.clone());
        }
        self.record.reviews.push(new.clone());
        self.save()?;
        Ok(new)
    }

    /// The snapshot `id`, if it is kept.
    pub(super) fn find(&self, id: &SnapshotId) -> Result<Shown, SnapshotError> {
        if let Some(review) = self.record.review(id) {
            return Ok(Shown::Review(review.clone()));
        }
        match Seal::read(&self.folder, id) {
            Some(seal) => Ok(Shown::Sealed(Box::new(seal))),
            None => Err(SnapshotError::Expired { what: format!("the snapshot `{id}`") }),
        }
    }

    /// The changed files of a snapshot.
    pub(super) fn listing(
        &mut self,
        shown: &Shown,
        interrupt: &Interrupt,
    ) -> Result<Arc<Listing>, SnapshotError> {
        let id = shown.id();
        if let Some((known, listing)) = &self.listing
            && known == id
        {
            return Ok(Arc::clone(listing));
        }
        let listing = match shown {
            Shown::Sealed(seal) => Listing::sealed(seal, &self.prefix),
            Shown::Review(review) => self.compare(review, interrupt)?,
        };
        let listing = Arc::new(listing);
        // One that was cut short by the clock may be whole the next time.
        if !interrupt.is_raised() {
            self.listing = Some((id.clone(), Arc::clone(&listing)));
        }
        Ok(listing)
    }

    fn compare(&self, review: &Snapshot, interrupt: &Interrupt) -> Result<Listing, SnapshotError> {
        let tree = id_of(&review.tree)?;
        let base = match &review.base {
            Some(base) => id_of(base)?,
            None => tree,
        };
        let workspace = self.vault.workspace()?;
        Listing::of(&workspace, &self.scope, base, tree, &review.left_out, interrupt).map_err(|error| {
            match error {
                // The user's repository was cleaned up and what we borrowed from it is gone.
                GitError::Repository(_) => {
                    SnapshotError::Expired { what: "the state that changes are counted from".to_owned() }
                }
                error => error.into(),
            }
        })
    }

    /// The tree that a review is counted from, and what that is.
    pub(super) fn review_base(
        &self,
        ground: &Ground,
        of_session: bool,
    ) -> Result<(ObjectId, ReviewBase), SnapshotError> {
        if of_session {
            let start = self.record.start.as_ref().ok_or_else(|| SnapshotError::Expired {
                what: "the state of the files when the session began".to_owned(),
            })?;
            return Ok((id_of(&start.tree)?, start.as_base()));
        }
        let base = base_tree(&ground.workspace, &ground.kind, ground.first_look)?;
        let kind = if ground.is_git() { BaseKind::Head } else { BaseKind::FirstLook };
        Ok((base, ReviewBase { kind, at_ms: None, head: ground.head() }))
    }

    /// A content, if it is kept and no larger than a snapshot keeps.
    pub(super) fn content(&self, side: &Side) -> Result<Option<Vec<u8>>, GitError> {
        match ObjectId::from_hex(side.id.as_bytes()) {
            Ok(id) => self.vault.content(id, super::take::MAX_FILE),
            Err(_) => Ok(None),
        }
    }
}

impl Snapshot {
    fn is_like(&self, other: &Self) -> bool {
        let facts = |snapshot: &Self| {
            let Snapshot { tree, base, left_out, conflicted, .. } = snapshot.clone();
            (tree, base, left_out, conflicted)
        };
        facts(self) == facts(other)
    }

    /// The snapshot as the beginning of a session.
    pub(super) fn as_base(&self) -> ReviewBase {
        ReviewBase { kind: BaseKind::SessionStart, at_ms: Some(self.at_ms), head: self.head.clone() }
    }
}

impl Shown {
    pub(super) fn id(&self) -> &SnapshotId {
        match self {
            Self::Review(review) => &review.id,
            Self::Sealed(seal) => &seal.id,
        }
    }
}

impl Ground {
    /// Whether the folder is under git.
    pub(super) fn is_git(&self) -> bool {
        self.first_look.is_none()
    }

    /// The commit at HEAD.
    pub(super) fn head(&self) -> Option<String> {
        if !self.is_git() {
            return None;
        }
        Summary::of(&self.workspace.repo).ok().and_then(|summary| summary.at.head)
    }
}

fn snapshot(taken: Taken, base: Option<ObjectId>, ground: &Ground) -> Result<Snapshot, GitError> {
    Ok(Snapshot {
        id: new_id().map_err(io_at(ground.workspace.top.clone()))?,
        at_ms: now_ms(),
        tree: taken.tree.to_string(),
        base: base.map(|base| base.to_string()),
        head: ground.head(),
        left_out: taken.left_out,
        conflicted: taken.conflicted,
    })
}

/// An id that we have written ourselves.
pub(super) fn id_of(hex: &str) -> Result<ObjectId, SnapshotError> {
    ObjectId::from_hex(hex.as_bytes())
        .map_err(|_| SnapshotError::Expired { what: "a damaged record".to_owned() })
}

/// Mode and object of a tree's entry as they are remembered. Windows has no executable bit to compare.
pub(super) fn side((mode, id): (Mode, ObjectId)) -> Side {
    let mode = if cfg!(windows) && mode == Mode::FILE_EXECUTABLE { Mode::FILE } else { mode };
    Side { id: id.to_string(), mode: mode.bits() }
}

//! What a page of the Work Result shows: changed files, their lines and their texts, always of a snapshot.

use std::collections::BTreeMap;

use gix::bstr::ByteSlice;
use webcodex_contracts::limits::MAX_REVIEW_FILES;
use webcodex_contracts::tools::changes_file_diff::{ChangesFileDiffOutput, ChangesFileParams};
use webcodex_contracts::tools::changes_file_text::ChangesFileTextOutput;
use webcodex_contracts::tools::review::{ChangedBy, FinalChanges, ReviewBase, ReviewFile};
use webcodex_contracts::tools::work_on_project::Omission;
use webcodex_contracts::tools::work_result_state::Review;
use webcodex_contracts::{SessionId, SnapshotId};
use webcodex_projects::ReadAccess;

use super::disk_side::Found;
use super::ledger::History;
use super::lines;
use super::listing::{Listed, Listing};
use super::record::{Seal, Side, Snapshot};
use super::session::{Session, Shown, side};
use super::{SnapshotError, Whose};
use crate::status::Content;
use crate::{Git, GitError, Interrupt};

/// Files that a snapshot does not hold and that are named.
const MAX_LEFT_OUT: usize = 50;
/// Rejections that are told.
const MAX_REJECTIONS: usize = 100;

/// Which changes are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The session; without it the project against its last commit.
    pub session: Option<&'a SessionId>,
    /// More files of this snapshot, instead of a new look.
    pub snapshot: Option<&'a SnapshotId>,
    /// First file of the list.
    pub offset: usize,
    /// The snapshot whose files the caller has already.
    pub known: Option<&'a SnapshotId>,
}

/// The changes, and what is remembered of the session.
#[derive(Debug, Default)]
pub struct Reviewed {
    /// The changed files; absent where `unavailable` says why, or where Final Changes were asked for.
    pub review: Option<Review>,
    /// Why there is no review.
    pub unavailable: Option<String>,
    /// The last closing of the task.
    pub final_changes: Option<FinalChanges>,
    /// The attempt under way, from 1.
    pub attempt: u64,
    /// When the session changed files last, in milliseconds since 1970.
    pub last_change_ms: Option<u64>,
}

impl Git {
    /// Looks at what has changed since the session began, or lists more of an earlier look.
    pub fn review(
        &self,
        access: &ReadAccess,
        asked: &Asked<'_>,
        interrupt: &Interrupt,
    ) -> Result<Reviewed, SnapshotError> {
        let whose = asked.session.map_or(Whose::Project, Whose::Session);
        let ground = self.ground(access)?;
        self.snapshots.with(
            &whose,
            access.root(),
            || Ok(&ground),
            |kept| {
                let mut reviewed = Reviewed {
                    attempt: kept.record.closed + 1,
                    last_change_ms: kept.ledger.last_change_ms(),
                    ..Reviewed::default()
                };
                if let Some(id) = asked.snapshot {
                    let shown = kept.find(id)?;
                    let listing = kept.listing(&shown, interrupt)?;
                    match &shown {
                        Shown::Sealed(seal) => {
                            reviewed.final_changes = Some(kept.final_changes(seal, &listing, asked.offset))
                        }
                        Shown::Review(snapshot) => {
                            let base = kept.base_of(snapshot);
                            reviewed.review = Some(kept.told(snapshot, base, &listing, asked));
                        }
                    }
                    return Ok(reviewed);
                }
                let looked = kept
                    .review_base(&ground, asked.session.is_some())
                    .and_then(|(tree, base)| Ok((kept.review(&ground, tree, interrupt)?, base)))
                    .and_then(|(snapshot, base)| {
                        let shown = Shown::Review(snapshot);
                        let listing = kept.listing(&shown, interrupt)?;
                        let Shown::Review(snapshot) = shown else { return Ok(None) };
                        Ok(Some(kept.told(&snapshot, base, &listing, asked)))
                    });
                match looked {
                    Ok(review) => reviewed.review = review,
                    Err(SnapshotError::Git(GitError::Interrupted)) => {
                        return Err(GitError::Interrupted.into());
                    }
                    Err(error) => reviewed.unavailable = Some(error.to_string()),
                }
                reviewed.final_changes = kept.last_seal()?;
                Ok(reviewed)
            },
        )
    }

    /// Changed lines of one file that a snapshot lists.
    pub fn file_diff(
        &self,
        access: &ReadAccess,
        params: &ChangesFileParams,
        interrupt: &Interrupt,
    ) -> Result<ChangesFileDiffOutput, SnapshotError> {
        self.with_listed(access, params, interrupt, |kept, listed| {
            let compared = lines::compare(&kept.vault, listed)?;
            let (mut hunks, loaded) = lines::load(compared.hunks, offset(params));
            kept.mark_accepted(&params.path, &mut hunks);
            let (snapshot_id, path) = (params.snapshot_id.clone(), params.path.clone());
            let (note, hunks_fixed) = (compared.note, compared.fixed);
            Ok(ChangesFileDiffOutput { snapshot_id, path, hunks, loaded, note, hunks_fixed })
        })
    }

    /// The text of one file that a snapshot lists, as the snapshot holds it.
    pub fn file_text(
        &self,
        access: &ReadAccess,
        params: &ChangesFileParams,
        interrupt: &Interrupt,
    ) -> Result<ChangesFileTextOutput, SnapshotError> {
        self.with_listed(access, params, interrupt, |kept, listed| {
            let (text, loaded) = lines::text_of(&kept.vault, listed, offset(params))?;
            let (snapshot_id, path) = (params.snapshot_id.clone(), params.path.clone());
            Ok(ChangesFileTextOutput { snapshot_id, path, text, loaded })
        })
    }

    fn with_listed<T>(
        &self,
        access: &ReadAccess,
        params: &ChangesFileParams,
        interrupt: &Interrupt,
        show: impl FnOnce(&Session, &Listed) -> Result<T, SnapshotError>,
    ) -> Result<T, SnapshotError> {
        let whose = params.session_id.as_ref().map_or(Whose::Project, Whose::Session);
        let gone = || SnapshotError::Expired { what: format!("the snapshot `{}`", params.snapshot_id) };
        if !self.snapshots.exists(&whose, access.root()) {
            return Err(gone());
        }
        let ground = self.ground(access)?;
        self.snapshots.with(
            &whose,
            access.root(),
            || Ok(&ground),
            |kept| {
                let shown = kept.find(&params.snapshot_id)?;
                let listing = kept.listing(&shown, interrupt)?;
                let not_listed = || SnapshotError::NotListed { path: params.path.clone() };
                let listed = listing.find(&params.path).ok_or_else(not_listed)?;
                show(kept, listed)
            },
        )
    }
}

fn offset(params: &ChangesFileParams) -> usize {
    params.offset.map_or(0, |offset| offset.as_usize())
}

impl Session {
    /// What an earlier look was counted from.
    fn base_of(&self, snapshot: &Snapshot) -> ReviewBase {
        match &self.record.start {
            Some(start) if snapshot.base.as_deref() == Some(start.tree.as_str()) => start.as_base(),
            _ => ReviewBase {
                kind: webcodex_contracts::tools::review::BaseKind::Head,
                at_ms: None,
                head: snapshot.head.clone(),
            },
        }
    }

    fn told(&self, snapshot: &Snapshot, base: ReviewBase, listing: &Listing, asked: &Asked<'_>) -> Review {
        let unchanged = asked.known == Some(&snapshot.id);
        let (files, next_offset) = match unchanged {
            true => (Vec::new(), None),
            false => self.page(listing, asked.offset, asked.session.is_some()),
        };
        let left_out = snapshot.left_out.iter().take(MAX_LEFT_OUT).map(|file| Omission {
            what: file.path.clone(),
            reason: file.why.text().to_owned(),
            bytes: (file.size_bytes > 0).then_some(file.size_bytes),
        });
        Review {
            snapshot_id: snapshot.id.clone(),
            taken_ms: snapshot.at_ms,
            expires_ms: self.record.expires_ms(),
            base,
            file_count: listing.entries.len() as u64,
            added_lines: listing.added,
            removed_lines: listing.removed,
            files,
            unchanged,
            next_offset,
            partial: listing.is_partial() || !snapshot.left_out.is_empty(),
            conflicted: snapshot.conflicted.clone(),
            left_out: left_out.collect(),
            rejections: self
                .record
                .rejected
                .iter()
                .rev()
                .take(MAX_REJECTIONS)
                .map(|known| known.told.clone())
                .collect(),
            notes: listing.notes.clone(),
        }
    }

    /// Files from `offset` on, and where the next ones begin.
    fn page(&self, listing: &Listing, offset: usize, of_session: bool) -> (Vec<ReviewFile>, Option<u64>) {
        let end = (offset + MAX_REVIEW_FILES).min(listing.entries.len());
        let histories = if of_session { self.ledger.histories() } else { BTreeMap::new() };
        let page = listing.entries.get(offset..end).unwrap_or_default();
        let files = page.iter().map(|listed| ReviewFile {
            by: of_session.then(|| self.by(listed, &histories)),
            ..self.with_decision(listed)
        });
        (files.collect(), (end < listing.entries.len()).then_some(end as u64))
    }

    /// Whose change a file shows.
    fn by(&self, listed: &Listed, histories: &BTreeMap<&str, History<'_>>) -> ChangedBy {
        let inside = |path: &gix::bstr::BString| {
            self.scope.in_project(path.as_bstr()).and_then(|path| path.to_str().ok()).map(str::to_owned)
        };
        let Some(path) = inside(&listed.change.path) else { return ChangedBy::Others };
        let Some(history) = histories.get(path.as_str()) else { return ChangedBy::Others };
        let now = listed.change.new.as_ref().and_then(|new| match new.content {
            Content::Stored(id) => Some(side((new.mode, id))),
            _ => None,
        });
        match history.by(now.as_ref()) {
            // The snapshot holds git's form; what an edit wrote is noted as it lies on the disk.
            ChangedBy::Mixed => history.by(self.raw_side(&path).as_ref()),
            by => by,
        }
    }

    fn raw_side(&self, path: &str) -> Option<Side> {
        let kind = self.vault.workspace().ok()?.repo.object_hash();
        Found::at(self.root(), path).ok()?.side(kind).ok()?
    }

    /// The last closing of the task, without its files being counted again.
    pub(super) fn last_seal(&self) -> Result<Option<FinalChanges>, SnapshotError> {
        let Some(id) = &self.record.seal else { return Ok(None) };
        let Some(seal) = Seal::read(&self.folder, id) else { return Ok(None) };
        let listing = Listing::sealed(&seal, &self.prefix);
        Ok(Some(self.final_changes(&seal, &listing, 0)))
    }

    /// Final Changes with their files from `offset` on.
    pub(super) fn final_changes(&self, seal: &Seal, listing: &Listing, offset: usize) -> FinalChanges {
        let (files, next_offset) = self.page(listing, offset, false);
        FinalChanges {
            snapshot_id: seal.id.clone(),
            attempt: seal.attempt,
            sealed_ms: seal.sealed_ms,
            base: seal.base.clone(),
            head: seal.head.clone(),
            summary: seal.summary.clone(),
            expires_ms: self.record.expires_ms(),
            file_count: listing.entries.len() as u64,
            added_lines: seal.added_lines,
            removed_lines: seal.removed_lines,
            files,
            next_offset,
            work_went_on: self.record.work_went_on && self.record.seal.as_ref() == Some(&seal.id),
        }
    }
}

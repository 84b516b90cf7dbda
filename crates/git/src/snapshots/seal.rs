//! Sealing Final Changes: a snapshot that is complete in itself.

use webcodex_contracts::SessionId;
use webcodex_contracts::tools::review::FinalChanges;
use webcodex_projects::ReadAccess;

use super::listing::{Listed, Listing, stored};
use super::record::{Seal, SealedFile, new_id, now_ms};
use super::session::{Session, Shown};
use super::vault::Keep;
use super::{SnapshotError, Whose};
use crate::error::io_at;
use crate::{Git, Interrupt};

/// What the model says about its work, in characters.
const MAX_SUMMARY: usize = 4000;
/// Most content that one seal keeps beside what is kept already, in bytes.
const MAX_SEALED: u64 = 512 * 1024 * 1024;

impl Git {
    /// Seals what has changed since the session began, as it is now.
    pub fn seal(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        summary: Option<&str>,
        interrupt: &Interrupt,
    ) -> Result<FinalChanges, SnapshotError> {
        let ground = self.ground(access)?;
        self.snapshots.with(
            &Whose::Session(session),
            access.root(),
            || Ok(&ground),
            |kept| {
                let (tree, base) = kept.review_base(&ground, true)?;
                let snapshot = kept.review(&ground, tree, interrupt)?;
                let shown = Shown::Review(snapshot);
                let listing = kept.listing(&shown, interrupt)?;
                let Shown::Review(snapshot) = shown else {
                    return Err(SnapshotError::Expired { what: "the present state".to_owned() });
                };
                keep_for_good(kept, &listing)?;
                let seal = Seal {
                    id: new_id().map_err(io_at(&kept.folder))?,
                    attempt: kept.record.closed + 1,
                    sealed_ms: now_ms(),
                    base,
                    tree: snapshot.tree,
                    head: snapshot.head,
                    summary: summary.map(|text| text.chars().take(MAX_SUMMARY).collect()),
                    added_lines: listing.added,
                    removed_lines: listing.removed,
                    entries: listing.entries.iter().map(SealedFile::of).collect(),
                };
                seal.write(&kept.folder).map_err(io_at(&kept.folder))?;
                kept.record.closed += 1;
                kept.record.seal = Some(seal.id.clone());
                kept.record.work_went_on = false;
                kept.record.used();
                kept.save()?;
                Ok(kept.final_changes(&seal, &Listing::sealed(&seal, &kept.prefix), 0))
            },
        )
    }
}

/// Copies every content of the list that is only borrowed: later commits and clean-ups of the user's repository must
/// not change what was sealed.
fn keep_for_good(kept: &Session, listing: &Listing) -> Result<(), SnapshotError> {
    let mut writer = kept.vault.writer(Keep::Everything)?;
    let sides = |listed: &Listed| {
        let change = &listed.change;
        [stored(change, |change| change.old.as_ref()), stored(change, |change| change.new.as_ref())]
    };
    for id in listing.entries.iter().flat_map(sides).flatten() {
        if writer.total() > MAX_SEALED {
            break;
        }
        if let Some(content) = kept.vault.content(id, super::take::MAX_FILE)? {
            writer.put(content).map_err(io_at(&kept.folder))?;
        }
    }
    writer.finish().map_err(io_at(&kept.folder))?;
    Ok(())
}

//! Undoing the work of one session: only what it changed, and only where nobody else has changed it since.

use std::collections::BTreeSet;

use gix::bstr::ByteSlice;
use gix::index::entry::Mode;
use webcodex_contracts::SessionId;
use webcodex_contracts::tools::restore_changes::{RefusedBecause, RefusedFile};
use webcodex_projects::ReadAccess;

use super::disk_side::Found;
use super::ledger::{By, History};
use super::put_back::{Forms, Prepared, PutBackPlan};
use super::record::Side;
use super::session::Session;
use super::{Ground, SnapshotError, Whose};
use crate::lines::merged;
use crate::{Git, Interrupt};

/// Largest file whose lines are merged, in bytes.
pub(super) const MAX_MERGED: usize = 1024 * 1024;
/// Most content that one undoing holds in memory, in bytes.
const MAX_CONTENT: usize = 256 * 1024 * 1024;

/// What of a session's work is to be undone, and how.
#[derive(Debug, Clone, Copy)]
pub struct RestoreAsked<'a> {
    /// The session.
    pub session: &'a SessionId,
    /// Only these files; without it all that its edits changed.
    pub paths: Option<&'a [String]>,
    /// Whether lines of others stay where they do not touch the session's; otherwise such files are refused.
    pub merge: bool,
    /// Whether the plan is only looked at.
    pub dry_run: bool,
}

impl Git {
    /// Plans the undoing of a session's work. The caller must hold the project for writing. Afterwards
    /// [`Git::settle_edit`] must be called, unless the plan is only looked at.
    pub fn plan_restore(
        &self,
        access: &ReadAccess,
        asked: &RestoreAsked<'_>,
        interrupt: &Interrupt,
    ) -> Result<(PutBackPlan, Vec<RefusedFile>), SnapshotError> {
        let ground = self.ground(access)?;
        let (whose, dry_run) = (Whose::Session(asked.session), asked.dry_run);
        if !self.snapshots.exists(&whose, access.root()) {
            return Err(SnapshotError::Expired { what: "the work of this session".to_owned() });
        }
        let (plan, refused) = self.snapshots.with(
            &whose,
            access.root(),
            || Ok(&ground),
            |kept| {
                let (prepared, refused) = Restoring::of(kept, &ground, asked, interrupt)?.all()?;
                if dry_run || prepared.is_empty() {
                    let files = prepared.iter().map(Prepared::put_back).collect::<Result<_, _>>()?;
                    return Ok::<_, SnapshotError>((PutBackPlan { files, number: 0 }, refused));
                }
                let (plan, _) = kept.prepare(By::Undo, &prepared)?;
                Ok((plan, refused))
            },
        )?;
        if !dry_run {
            let events = self.snapshots.events(access.root());
            let mut events = events.lock();
            plan.files.iter().for_each(|file| events.edited(file.path.as_str(), None));
        }
        Ok((plan, refused))
    }
}

struct Restoring<'a> {
    kept: &'a Session,
    ground: &'a Ground,
    asked: &'a RestoreAsked<'a>,
    filters: crate::filters::Filters,
}

/// What becomes of one file.
enum Verdict {
    Restore(Prepared),
    Refuse(RefusedBecause),
    /// It is as it was already.
    Same,
}

impl<'a> Restoring<'a> {
    fn of(
        kept: &'a Session,
        ground: &'a Ground,
        asked: &'a RestoreAsked<'a>,
        interrupt: &Interrupt,
    ) -> Result<Self, SnapshotError> {
        Ok(Self { kept, ground, asked, filters: Forms::filters(ground, interrupt) })
    }

    fn all(&self) -> Result<(Vec<Prepared>, Vec<RefusedFile>), SnapshotError> {
        let histories = self.kept.ledger.histories();
        let wanted: BTreeSet<&str> = match self.asked.paths {
            Some(paths) => paths.iter().map(|path| path.strip_prefix("./").unwrap_or(path)).collect(),
            None => histories.keys().copied().collect(),
        };
        let mut forms = Forms::new(self.ground, &self.filters)?;
        let (mut prepared, mut refused, mut bytes) = (Vec::new(), Vec::new(), 0);
        for path in wanted {
            let verdict = match histories.get(path) {
                None => Verdict::Refuse(RefusedBecause::NotThisSession),
                Some(history) => self.one(path, history, &mut forms)?,
            };
            match verdict {
                Verdict::Same => {}
                Verdict::Restore(one) if bytes <= MAX_CONTENT => {
                    bytes += one.content.as_ref().map_or(0, Vec::len);
                    prepared.push(one);
                }
                Verdict::Restore(_) => {
                    refused.push(RefusedFile { path: path.to_owned(), reason: RefusedBecause::NotKept });
                }
                Verdict::Refuse(reason) => refused.push(RefusedFile { path: path.to_owned(), reason }),
            }
        }
        Ok((prepared, refused))
    }

    fn one(
        &self,
        path: &str,
        history: &History<'_>,
        forms: &mut Forms<'_>,
    ) -> Result<Verdict, SnapshotError> {
        let (first, last) = (history.first(), history.last());
        if [first, last].into_iter().flatten().any(|side| !is_file(side)) {
            return Ok(Verdict::Refuse(RefusedBecause::NotAFile));
        }
        let now = match Found::at(self.kept.root(), path) {
            Ok(Found::Other) => return Ok(Verdict::Refuse(RefusedBecause::NotAFile)),
            Ok(now) => now,
            Err(_) => return Ok(Verdict::Refuse(RefusedBecause::ChangedSince)),
        };
        if self.is(path, &now, first, history.steps.first().map(|(_, entry)| entry.by), forms) {
            return Ok(Verdict::Same);
        }
        if !history.is_unbroken() {
            return self.beside_others(path, history, now, RefusedBecause::ChangedBetween);
        }
        if !self.is(path, &now, last, history.steps.last().map(|(_, entry)| entry.by), forms) {
            return self.beside_others(path, history, now, RefusedBecause::ChangedSince);
        }
        if history.has_commands() && self.asked.paths.is_none() {
            return Ok(Verdict::Refuse(RefusedBecause::ChangedByCommand));
        }
        let Some(first) = first else {
            return Ok(Verdict::Restore(Prepared::new(path, now, None, Mode::FILE)));
        };
        let Some(stored) = self.kept.content(first)? else {
            return Ok(Verdict::Refuse(RefusedBecause::NotKept));
        };
        let from_look = history.steps.first().is_some_and(|(_, entry)| entry.by == By::Command);
        let content = match from_look {
            false => Some(stored),
            true => forms.worktree_form(self.kept.path_from_top(path).as_bstr(), &stored),
        };
        let mode = Mode::from_bits_truncate(first.mode);
        Ok(match content {
            Some(content) => Verdict::Restore(Prepared::new(path, now, Some(content), mode)),
            None => Verdict::Refuse(RefusedBecause::NeedsFilter),
        })
    }

    /// The file without the session's lines and with those of others, where that is wanted and they do not touch.
    fn beside_others(
        &self,
        path: &str,
        history: &History<'_>,
        now: Found,
        otherwise: RefusedBecause,
    ) -> Result<Verdict, SnapshotError> {
        let Found::File(file) = &now else { return Ok(Verdict::Refuse(otherwise)) };
        // What a command changed is known by looks only, and perhaps was not the command.
        if !self.asked.merge || history.has_commands() {
            return Ok(Verdict::Refuse(otherwise));
        }
        let mut content = file.bytes.clone();
        for (before, after) in history.runs().into_iter().rev() {
            let text = |side: Option<&Side>| side.map_or(Ok(None), |side| self.text(side));
            let (Some(before), Some(after)) = (text(before)?, text(after)?) else {
                return Ok(Verdict::Refuse(otherwise));
            };
            match merged(&after, &content, &before) {
                Some(undone) if is_text(&content) => content = undone,
                _ => return Ok(Verdict::Refuse(otherwise)),
            }
        }
        if content == file.bytes {
            return Ok(Verdict::Same);
        }
        let mode = file.mode;
        Ok(Verdict::Restore(Prepared { merged: true, ..Prepared::new(path, now, Some(content), mode) }))
    }

    /// A content of lines, if it is kept.
    fn text(&self, side: &Side) -> Result<Option<Vec<u8>>, SnapshotError> {
        let content = self.kept.content(side)?;
        Ok(content.filter(|content| content.len() <= MAX_MERGED && is_text(content)))
    }

    /// Whether what lies on the disk is this content: raw where an edit noted it, in git's form where a look did.
    fn is(
        &self,
        path: &str,
        now: &Found,
        wanted: Option<&Side>,
        by: Option<By>,
        forms: &mut Forms<'_>,
    ) -> bool {
        let kind = self.ground.workspace.repo.object_hash();
        match (now, wanted) {
            (Found::Nothing, None) => true,
            (Found::File(file), Some(wanted)) => {
                let raw = file.side(kind).is_ok_and(|side| side == *wanted);
                let from_look = || by == Some(By::Command);
                raw || from_look()
                    && forms.stored_side(self.kept.path_from_top(path).as_bstr(), file).as_ref()
                        == Some(wanted)
            }
            _ => false,
        }
    }
}

/// Line ends are single bytes in it.
fn is_text(content: &[u8]) -> bool {
    memchr::memchr(0, content).is_none()
}

fn is_file(side: &Side) -> bool {
    matches!(Mode::from_bits_truncate(side.mode), Mode::FILE | Mode::FILE_EXECUTABLE)
}

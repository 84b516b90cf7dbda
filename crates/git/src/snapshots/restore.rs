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
use crate::{Git, Interrupt};

/// Most content that one undoing holds in memory, in bytes.
const MAX_CONTENT: usize = 256 * 1024 * 1024;

impl Git {
    /// Plans the undoing of a session's work: of `paths`, or of all that its edits changed. The caller must hold the
    /// project for writing. Afterwards [`Git::settle_edit`] must be called, unless the plan is only looked at.
    pub fn plan_restore(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        paths: Option<&[String]>,
        dry_run: bool,
        interrupt: &Interrupt,
    ) -> Result<(PutBackPlan, Vec<RefusedFile>), SnapshotError> {
        let ground = self.ground(access)?;
        let whose = Whose::Session(session);
        if !self.snapshots.exists(&whose, access.root()) {
            return Err(SnapshotError::Expired { what: "the work of this session".to_owned() });
        }
        let (plan, refused) = self.snapshots.with(&whose, access.root(), &ground, |kept| {
            let (prepared, refused) = Restoring::of(kept, &ground, interrupt)?.all(paths)?;
            if dry_run || prepared.is_empty() {
                let files = prepared.iter().map(Prepared::put_back).collect::<Result<_, _>>()?;
                return Ok::<_, SnapshotError>((PutBackPlan { files, number: 0 }, refused));
            }
            let (plan, _) = kept.prepare(By::Undo, &prepared)?;
            Ok((plan, refused))
        })?;
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
    fn of(kept: &'a Session, ground: &'a Ground, interrupt: &Interrupt) -> Result<Self, SnapshotError> {
        Ok(Self { kept, ground, filters: Forms::filters(ground, interrupt) })
    }

    fn all(&self, named: Option<&[String]>) -> Result<(Vec<Prepared>, Vec<RefusedFile>), SnapshotError> {
        let histories = self.kept.ledger.histories();
        let wanted: BTreeSet<&str> = match named {
            Some(paths) => paths.iter().map(|path| path.strip_prefix("./").unwrap_or(path)).collect(),
            None => histories.keys().copied().collect(),
        };
        let mut forms = Forms::new(self.ground, &self.filters)?;
        let (mut prepared, mut refused, mut bytes) = (Vec::new(), Vec::new(), 0);
        for path in wanted {
            let verdict = match histories.get(path) {
                None => Verdict::Refuse(RefusedBecause::NotThisSession),
                Some(history) => self.one(path, history, named.is_some(), &mut forms)?,
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
        named: bool,
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
            return Ok(Verdict::Refuse(RefusedBecause::ChangedBetween));
        }
        if !self.is(path, &now, last, history.steps.last().map(|(_, entry)| entry.by), forms) {
            return Ok(Verdict::Refuse(RefusedBecause::ChangedSince));
        }
        if history.has_commands() && !named {
            return Ok(Verdict::Refuse(RefusedBecause::ChangedByCommand));
        }
        let Some(first) = first else {
            return Ok(Verdict::Restore(Prepared {
                path: path.to_owned(),
                now,
                content: None,
                mode: Mode::FILE,
            }));
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
            Some(content) => {
                Verdict::Restore(Prepared { path: path.to_owned(), now, content: Some(content), mode })
            }
            None => Verdict::Refuse(RefusedBecause::NeedsFilter),
        })
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

fn is_file(side: &Side) -> bool {
    matches!(Mode::from_bits_truncate(side.mode), Mode::FILE | Mode::FILE_EXECUTABLE)
}

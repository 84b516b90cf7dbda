//! What a person decides about a change: to keep it, to undo it now, or to take the decision back.

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Mode;
use sha2::{Digest, Sha256};
use webcodex_contracts::tools::review::{Decision, Rejection, ReviewFile, ReviewHunk};
use webcodex_contracts::tools::review_decision::{ReviewAction, ReviewDecisionOutput};
use webcodex_contracts::{SessionId, SnapshotId};
use webcodex_projects::ReadAccess;

use super::disk_side::Found;
use super::ledger::By;
use super::lines::{self, without_hunk};
use super::listing::Listed;
use super::put_back::{Forms, Prepared, PutBackPlan, not_undoable};
use super::record::{Rejected, Side, Step, now_ms};
use super::session::{Session, side};
use super::{Ground, SnapshotError, Whose};
use crate::status::Content;
use crate::{Git, Interrupt};

/// Lines of a rejection that the model is told, in bytes.
const MAX_TOLD: usize = 4 * 1024;
/// What a person says about a rejection, in characters.
const MAX_NOTE: usize = 500;

/// A decision.
#[derive(Debug, Clone, Copy)]
pub struct DecisionAsked<'a> {
    /// The session whose work is reviewed.
    pub session: &'a SessionId,
    /// What to do.
    pub action: ReviewAction,
    /// The snapshot that the person looks at.
    pub snapshot: Option<&'a SnapshotId>,
    /// The file in it.
    pub path: Option<&'a str>,
    /// One hunk of the file.
    pub hunk: Option<&'a str>,
    /// The rejection that is taken back.
    pub rejection: Option<&'a str>,
    /// What the person says.
    pub note: Option<&'a str>,
}

/// What a decision leads to.
#[derive(Debug)]
pub enum Decided {
    /// It is noted; no file changes.
    Noted(ReviewDecisionOutput),
    /// Files are to be put back; afterwards [`Git::settle_decision`] must be called.
    PutBack(Box<Undo>),
}

/// Files that a decision changes.
#[derive(Debug)]
pub struct Undo {
    /// What to put back.
    pub plan: PutBackPlan,
    path: String,
    rejected: Option<Rejected>,
    taken_back: Option<String>,
}

impl Git {
    /// Notes a decision, or says which files it changes. The caller must hold the project for writing.
    pub fn decide(
        &self,
        access: &ReadAccess,
        asked: &DecisionAsked<'_>,
        interrupt: &Interrupt,
    ) -> Result<Decided, SnapshotError> {
        let ground = self.ground(access)?;
        let decided = self.snapshots.with(
            &Whose::Session(asked.session),
            access.root(),
            || Ok(&ground),
            |kept| Deciding { kept, ground: &ground, asked, interrupt }.run(),
        )?;
        if let Decided::PutBack(undo) = &decided {
            let events = self.snapshots.events(access.root());
            let mut events = events.lock();
            for file in &undo.plan.files {
                // Whatever is there afterwards, it is no work of a command that runs meanwhile.
                events.edited(file.path.as_str(), None);
            }
        }
        Ok(decided)
    }

    /// Says whether the files of a decision were put back.
    pub fn settle_decision(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        undo: Undo,
        made: bool,
    ) -> Result<ReviewDecisionOutput, SnapshotError> {
        let ground = self.ground(access)?;
        self.snapshots.with(
            &Whose::Session(session),
            access.root(),
            || Ok(&ground),
            |kept| {
                kept.ledger.settle(undo.plan.number, made).map_err(crate::error::io_at(&kept.folder))?;
                let rejection = undo.rejected.as_ref().map(|rejected| rejected.told.clone());
                if made {
                    let taken_back = undo.taken_back.as_deref();
                    kept.record.rejected.retain(|known| Some(known.told.rejection_id.as_str()) != taken_back);
                    kept.record.rejected.extend(undo.rejected);
                    kept.record.used();
                    kept.save()?;
                }
                Ok(ReviewDecisionOutput { path: undo.path, changed: made, rejection })
            },
        )
    }
}

struct Deciding<'a> {
    kept: &'a mut Session,
    ground: &'a Ground,
    asked: &'a DecisionAsked<'a>,
    interrupt: &'a Interrupt,
}

impl Deciding<'_> {
    fn run(mut self) -> Result<Decided, SnapshotError> {
        if let (ReviewAction::TakeBack, Some(rejection)) = (self.asked.action, self.asked.rejection) {
            return self.take_back_rejection(rejection);
        }
        let listed = self.listed()?;
        let hunk = self.hunk(&listed)?;
        match self.asked.action {
            ReviewAction::Accept => {
                let name = accepted_name(&listed, hunk.as_ref());
                if !self.kept.record.accepted.contains(&name) {
                    self.kept.record.accepted.push(name);
                }
                self.noted(&listed)
            }
            ReviewAction::TakeBack => {
                let name = accepted_name(&listed, hunk.as_ref());
                let any_state = hunk.as_ref().map(|hunk| hunk_prefix(&listed.file.path, &hunk.hunk_id));
                self.kept.record.accepted.retain(|known| {
                    *known != name
                        && any_state.as_ref().is_none_or(|prefix| !known.starts_with(prefix.as_str()))
                });
                self.noted(&listed)
            }
            ReviewAction::Reject => self.reject(&listed, hunk),
        }
    }

    fn noted(self, listed: &Listed) -> Result<Decided, SnapshotError> {
        self.kept.record.used();
        self.kept.save()?;
        let path = listed.file.path.clone();
        Ok(Decided::Noted(ReviewDecisionOutput { path, changed: false, rejection: None }))
    }

    fn listed(&mut self) -> Result<Listed, SnapshotError> {
        let (Some(snapshot), Some(path)) = (self.asked.snapshot, self.asked.path) else {
            return Err(SnapshotError::NotListed { path: self.asked.path.unwrap_or_default().to_owned() });
        };
        let shown = self.kept.find(snapshot)?;
        let listing = self.kept.listing(&shown, self.interrupt)?;
        listing.find(path).cloned().ok_or_else(|| SnapshotError::NotListed { path: path.to_owned() })
    }

    fn hunk(&self, listed: &Listed) -> Result<Option<ReviewHunk>, SnapshotError> {
        let Some(name) = self.asked.hunk else { return Ok(None) };
        let hunks = lines::compare(&self.kept.vault, listed)?.hunks;
        let found = hunks.into_iter().find(|hunk| hunk.hunk_id == name);
        found.map(Some).ok_or_else(|| SnapshotError::Unknown { what: "hunk", given: name.to_owned() })
    }

    fn reject(self, listed: &Listed, hunk: Option<ReviewHunk>) -> Result<Decided, SnapshotError> {
        let prepared = match &hunk {
            Some(hunk) => vec![self.without(listed, hunk)?],
            None => self.as_it_was(listed)?,
        };
        let (plan, steps) = self.kept.prepare(By::Review, &prepared)?;
        let told = Rejection {
            rejection_id: format!("r{:016x}", rand::random::<u64>()),
            path: listed.file.path.clone(),
            status: listed.file.status,
            hunk: hunk.map(|hunk| shortened(&hunk.lines.text, MAX_TOLD)),
            note: self.asked.note.map(|note| note.chars().take(MAX_NOTE).collect()),
            at_ms: now_ms(),
        };
        let rejected = Some(Rejected { told, steps });
        Ok(Decided::PutBack(Box::new(Undo {
            plan,
            path: listed.file.path.clone(),
            rejected,
            taken_back: None,
        })))
    }

    /// The whole change undone: the old file comes back, the new one goes.
    fn as_it_was(&self, listed: &Listed) -> Result<Vec<Prepared>, SnapshotError> {
        let change = &listed.change;
        let shown = listed.file.path.as_str();
        let now = self.guarded(listed)?;
        let path = self.plain_path(change.path.as_ref(), shown)?;
        let Some(old) = &change.old else {
            return Ok(vec![Prepared::new(&path, now, None, Mode::FILE)]);
        };
        let (mode, content) = self.old_content(listed, old)?;
        let Some(old_path) = &change.old_path else {
            return Ok(vec![Prepared::new(&path, now, Some(content), mode)]);
        };
        let old_path = self.plain_path(old_path.as_ref(), shown)?;
        let there =
            Found::at(self.kept.root(), &old_path).map_err(|error| not_undoable(shown, error.to_string()))?;
        if !matches!(there, Found::Nothing) {
            return Err(not_undoable(shown, format!("`{old_path}` exists again")));
        }
        Ok(vec![
            Prepared::new(&path, now, None, Mode::FILE),
            Prepared::new(&old_path, there, Some(content), mode),
        ])
    }

    /// The file without one of its hunks.
    fn without(&self, listed: &Listed, hunk: &ReviewHunk) -> Result<Prepared, SnapshotError> {
        let shown = listed.file.path.as_str();
        let compared = lines::compare(&self.kept.vault, listed)?;
        if let Some(why) = compared.fixed {
            return Err(not_undoable(shown, why));
        }
        let Found::File(now) = self.guarded(listed)? else {
            return Err(not_undoable(shown, "the file is gone; only the whole file can be undone"));
        };
        let filters = Forms::filters(self.ground, self.interrupt);
        let mut forms = Forms::new(self.ground, &filters)?;
        let top = listed.change.path.as_bstr();
        let whole = forms.worktree_form(top, &compared.new);
        if whole.as_deref() != Some(now.bytes.as_slice()) {
            return Err(not_undoable(shown, "git converts it, so single lines cannot be put back exactly"));
        }
        let undone = without_hunk(&compared.old, &compared.new, hunk);
        let content = forms.worktree_form(top, &undone).ok_or_else(|| not_undoable(shown, FILTERED))?;
        let mode = now.mode;
        Ok(Prepared::new(&self.plain_path(top, shown)?, Found::File(now), Some(content), mode))
    }

    /// What lies on the disk, if it is what the snapshot shows.
    fn guarded(&self, listed: &Listed) -> Result<Found, SnapshotError> {
        let shown = listed.file.path.as_str();
        let changed = || SnapshotError::Changed { path: shown.to_owned() };
        let path = self.plain_path(listed.change.path.as_ref(), shown)?;
        let found = Found::at(self.kept.root(), &path).map_err(|_| changed())?;
        let wanted = match &listed.change.new {
            None => None,
            Some(new) => Some(file_side(new).ok_or_else(|| not_undoable(shown, NO_FILE))?),
        };
        let now = match &found {
            Found::Nothing => None,
            Found::Other => return Err(changed()),
            Found::File(file) => {
                let filters = Forms::filters(self.ground, self.interrupt);
                let mut forms = Forms::new(self.ground, &filters)?;
                let now = forms.stored_side(listed.change.path.as_ref(), file);
                Some(now.ok_or_else(|| not_undoable(shown, FILTERED))?)
            }
        };
        if now == wanted { Ok(found) } else { Err(changed()) }
    }

    fn old_content(
        &self,
        listed: &Listed,
        old: &crate::status::Side,
    ) -> Result<(Mode, Vec<u8>), SnapshotError> {
        let shown = listed.file.path.as_str();
        let stored = file_side(old).ok_or_else(|| not_undoable(shown, NO_FILE))?;
        let content = self
            .kept
            .content(&stored)?
            .ok_or_else(|| SnapshotError::Expired { what: format!("what `{shown}` held before") })?;
        let path = listed.change.old_path.as_ref().unwrap_or(&listed.change.path);
        let filters = Forms::filters(self.ground, self.interrupt);
        let mut forms = Forms::new(self.ground, &filters)?;
        let content =
            forms.worktree_form(path.as_ref(), &content).ok_or_else(|| not_undoable(shown, FILTERED))?;
        Ok((old.mode, content))
    }

    fn take_back_rejection(self, id: &str) -> Result<Decided, SnapshotError> {
        let unknown = || SnapshotError::Unknown { what: "rejection", given: id.chars().take(80).collect() };
        let known = self.kept.record.rejected.iter().find(|known| known.told.rejection_id == id);
        let Rejected { told, steps } = known.cloned().ok_or_else(unknown)?;
        let prepared: Vec<Prepared> =
            steps.iter().rev().map(|step| self.backwards(step)).collect::<Result<_, _>>()?;
        let (plan, _) = self.kept.prepare(By::Review, &prepared)?;
        let taken_back = Some(told.rejection_id);
        Ok(Decided::PutBack(Box::new(Undo { plan, path: told.path, rejected: None, taken_back })))
    }

    /// The opposite of a step, if the file still is as the step left it.
    fn backwards(&self, step: &Step) -> Result<Prepared, SnapshotError> {
        let changed = || SnapshotError::Changed { path: step.path.clone() };
        let kind = self.ground.workspace.repo.object_hash();
        let now = Found::at(self.kept.root(), &step.path).map_err(|_| changed())?;
        let present = now.side(kind).map_err(|_| changed())?;
        if matches!(now, Found::Other) || present != step.after {
            return Err(changed());
        }
        let (mode, content) = match &step.before {
            None => (Mode::FILE, None),
            Some(before) => {
                let content = self.kept.content(before)?.ok_or_else(|| SnapshotError::Expired {
                    what: format!("what `{}` held before", step.path),
                })?;
                (Mode::from_bits_truncate(before.mode), Some(content))
            }
        };
        Ok(Prepared::new(&step.path, now, content, mode))
    }

    /// The path in the project; names that are not Unicode cannot be written back.
    fn plain_path(&self, path: &BStr, shown: &str) -> Result<String, SnapshotError> {
        let inside = self.kept.scope.in_project(path).and_then(|path| path.to_str().ok());
        inside.map(str::to_owned).ok_or_else(|| not_undoable(shown, "its name is not Unicode"))
    }
}

const FILTERED: &str = "a filter program of git stands between";
const NO_FILE: &str = "it is no ordinary file";

/// A side that is an ordinary file, as it is remembered.
fn file_side(stored: &crate::status::Side) -> Option<Side> {
    match (stored.mode, stored.content) {
        (Mode::FILE | Mode::FILE_EXECUTABLE, Content::Stored(id)) => Some(side((stored.mode, id))),
        _ => None,
    }
}

/// Names a file in exactly this state.
fn state_name(listed: &Listed) -> String {
    let side = |side: &Option<crate::status::Side>| format!("{side:?}");
    let change = &listed.change;
    digest(&[&listed.file.path, &side(&change.old), &side(&change.new)])
}

fn hunk_prefix(path: &str, hunk: &str) -> String {
    format!("hunk:{}:{hunk}:", digest(&[path]))
}

fn accepted_name(listed: &Listed, hunk: Option<&ReviewHunk>) -> String {
    let state = state_name(listed);
    match hunk {
        None => format!("file:{state}"),
        Some(hunk) => format!("{}{state}", hunk_prefix(&listed.file.path, &hunk.hunk_id)),
    }
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn shortened(text: &str, limit: usize) -> String {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

impl Session {
    /// Adds to a file what the person has decided about it.
    pub(super) fn with_decision(&self, listed: &Listed) -> ReviewFile {
        let mut file = listed.file.clone();
        if self.record.accepted.is_empty() {
            return file;
        }
        let whole = accepted_name(listed, None);
        let (path, state) = (format!("hunk:{}:", digest(&[&file.path])), state_name(listed));
        let accepted = &self.record.accepted;
        file.decision = accepted.contains(&whole).then_some(Decision::Accept);
        let hunk = |name: &&String| name.starts_with(&path) && name.ends_with(&state);
        file.accepted_hunks = accepted.iter().filter(hunk).count() as u64;
        file
    }

    /// Adds to hunks of a file what the person has decided about them.
    pub(super) fn mark_accepted(&self, path: &str, hunks: &mut [ReviewHunk]) {
        if self.record.accepted.is_empty() {
            return;
        }
        for hunk in hunks {
            let prefix = hunk_prefix(path, &hunk.hunk_id);
            hunk.accepted = self.record.accepted.iter().any(|name| name.starts_with(&prefix));
        }
    }
}

//! Noting what a session does to files: edits exactly, commands by a look before and after them.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::entry::Mode;
use webcodex_contracts::SessionId;
use webcodex_projects::ReadAccess;

use super::events::Edited as Meanwhile;
use super::ledger::{By, MAX_STEPS};
use super::record::{Side, Step, now_ms};
use super::restore::MAX_MERGED;
use super::session::{Session, id_of, side};
use super::vault::Keep;
use super::{Ground, Whose, key};
use crate::error::io_at;
use crate::status::Difference;
use crate::{Git, GitError, Interrupt, trees};

/// Between two notes that a session is in use, in milliseconds.
const USED_EVERY_MS: u64 = 60_000;

/// What an edit does to one file.
#[derive(Debug, Clone, Copy)]
pub struct Edited<'a> {
    /// Path in the project.
    pub path: &'a str,
    /// Its content before; none for a new file.
    pub before: Option<&'a [u8]>,
    /// Its content afterwards; none for one that goes.
    pub after: Option<&'a [u8]>,
    /// Whether it is executable, before and afterwards.
    pub executable: bool,
}

/// A command that is being watched.
#[derive(Debug)]
pub struct Watched {
    start: u64,
    /// The files before it; none where they could not be looked at in time.
    before: Option<ObjectId>,
}

impl Git {
    /// Remembers the files as they are when a session begins. Does nothing where that was done before.
    pub fn begin_session(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        interrupt: &Interrupt,
    ) -> Result<(), GitError> {
        let ground = self.ground(access)?;
        self.snapshots.with(
            &Whose::Session(session),
            access.root(),
            || Ok(&ground),
            |kept| kept.begin(&ground, interrupt),
        )
    }

    /// Notes an edit that is about to be made; returns its number.
    pub fn note_edit(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        edits: &[Edited<'_>],
        interrupt: &Interrupt,
    ) -> Result<u64, GitError> {
        let ground = self.ground(access)?;
        let (number, steps) = self.snapshots.with(
            &Whose::Session(session),
            access.root(),
            || Ok(&ground),
            |kept| {
                begin_or_go_on(kept, &ground, interrupt)?;
                let steps = keep(kept, edits).map_err(io_at(&kept.folder))?;
                let number = kept.ledger.will(By::Edit, steps.clone()).map_err(io_at(&kept.folder))?;
                Ok::<_, GitError>((number, steps))
            },
        )?;
        let events = self.snapshots.events(access.root());
        let mut events = events.lock();
        steps.iter().for_each(|step| events.edited(&step.path, step.after.as_ref()));
        Ok(number)
    }

    /// Confirms a noted edit, or says that it was not made.
    pub fn settle_edit(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        number: u64,
        made: bool,
    ) -> Result<(), GitError> {
        let ground = || self.ground(access);
        self.snapshots.with(&Whose::Session(session), access.root(), ground, |kept| {
            kept.ledger.settle(number, made).map_err(io_at(&kept.folder))?;
            if made { worked(kept) } else { Ok(()) }
        })
    }

    /// Looks at the files before a command of the session starts.
    pub fn watch_command(&self, access: &ReadAccess, session: &SessionId, interrupt: &Interrupt) -> Watched {
        let events = self.snapshots.events(access.root());
        let start = events.lock().begins(&key(&Whose::Session(session), access.root()));
        let look = || {
            let ground = self.ground(access)?;
            self.snapshots.with(
                &Whose::Session(session),
                access.root(),
                || Ok(&ground),
                |kept| {
                    if kept.record.start.is_none() {
                        kept.begin(&ground, interrupt)?;
                        let tree = kept.record.start.as_ref().and_then(|start| id_of(&start.tree).ok());
                        return Ok::<_, GitError>(tree);
                    }
                    kept.take(&ground, interrupt).map(|taken| Some(taken.tree))
                },
            )
        };
        // A command does not wait for what cannot be looked at; its changes are then nobody's.
        Watched { start, before: look().ok().flatten() }
    }

    /// Looks at the files after the command has ended, and notes what it changed.
    pub fn command_ended(
        &self,
        access: &ReadAccess,
        session: &SessionId,
        watched: &Watched,
        interrupt: &Interrupt,
    ) -> Result<(), GitError> {
        let events = self.snapshots.events(access.root());
        let whose = Whose::Session(session);
        let looked = self.ground(access).and_then(|ground| {
            let Some(before) = watched.before else { return Ok(()) };
            self.snapshots.with(
                &whose,
                access.root(),
                || Ok(&ground),
                |kept| {
                    let steps = changed(kept, &ground, before, interrupt)?;
                    let events = events.lock();
                    let shared = events.is_shared(watched.start, &key(&whose, access.root()));
                    let (own, mixed) = apart(steps, |path| events.edited_since(watched.start, path));
                    drop(events);
                    let note = |kept: &mut Session, steps: Vec<Step>, shared| match steps.is_empty() {
                        true => Ok(()),
                        false => kept.ledger.did(By::Command, steps, shared).map_err(io_at(&kept.folder)),
                    };
                    let any = !own.is_empty() || !mixed.is_empty();
                    note(kept, own, shared)?;
                    note(kept, mixed, true)?;
                    if any { worked(kept) } else { Ok::<_, GitError>(()) }
                },
            )
        });
        events.lock().ends(watched.start, &key(&whose, access.root()));
        looked
    }
}

/// Remembers the first state if that is still missing. Work does not wait for what cannot be looked at in time.
fn begin_or_go_on(kept: &mut Session, ground: &Ground, interrupt: &Interrupt) -> Result<(), GitError> {
    match kept.begin(ground, interrupt) {
        Err(GitError::Io { path, source }) => Err(GitError::Io { path, source }),
        _ => Ok(()),
    }
}

/// Keeps what the edits replace, and says what they do.
fn keep(kept: &Session, edits: &[Edited<'_>]) -> std::io::Result<Vec<Step>> {
    let mut writer = kept.vault.writer(Keep::Missing).map_err(std::io::Error::other)?;
    let kind = writer.repo.object_hash();
    let mut steps = Vec::with_capacity(edits.len());
    for edit in edits {
        let mode = if edit.executable { Mode::FILE_EXECUTABLE } else { Mode::FILE };
        let before = edit.before.map(|bytes| writer.put(bytes.to_vec())).transpose()?;
        // Where others change other lines later, undoing needs to know what was written.
        let after = edit.after.map(|bytes| match edit.before.is_some() && bytes.len() <= MAX_MERGED {
            true => writer.put(bytes.to_vec()),
            false => super::vault::id_of(kind, bytes),
        });
        let after = after.transpose()?;
        let [before, after] = [before, after].map(|id| id.map(|id| side((mode, id))));
        steps.push(Step { path: edit.path.to_owned(), before, after });
    }
    writer.finish()?;
    Ok(steps)
}

/// The session changed something.
fn worked(kept: &mut Session) -> Result<(), GitError> {
    let goes_on = kept.record.seal.is_some() && !kept.record.work_went_on;
    if goes_on || now_ms().saturating_sub(kept.record.last_used_ms) > USED_EVERY_MS {
        kept.record.work_went_on = kept.record.seal.is_some();
        kept.record.used();
        return kept.save();
    }
    Ok(())
}

/// What differs from the state before.
fn changed(
    kept: &mut Session,
    ground: &Ground,
    before: ObjectId,
    interrupt: &Interrupt,
) -> Result<Vec<Step>, GitError> {
    let after = kept.take(ground, interrupt)?.tree;
    if after == before {
        return Ok(Vec::new());
    }
    let workspace = kept.vault.workspace()?;
    let some = |tree: ObjectId| (tree != workspace.repo.empty_tree().id).then_some(tree);
    let mut differences = Vec::new();
    trees::compare(&workspace.repo, some(before), some(after), &kept.scope, interrupt, &mut differences)?;
    differences.truncate(MAX_STEPS);
    Ok(differences.into_iter().filter_map(|difference| step(kept, difference)).collect())
}

/// A difference as a step; `None` for a name that is not Unicode, which no undo could name again.
fn step(kept: &Session, difference: Difference) -> Option<Step> {
    let path = kept.scope.in_project(difference.path.as_bstr())?.to_str().ok()?.to_owned();
    Some(Step { path, before: difference.old.map(side), after: difference.new.map(side) })
}

/// Parts what the command did from what edits did while it ran: what an edit explains is no work of the command, and
/// what both had a hand in is nobody's alone.
fn apart(steps: Vec<Step>, meanwhile: impl Fn(&str) -> Meanwhile) -> (Vec<Step>, Vec<Step>) {
    let (mut own, mut mixed) = (Vec::new(), Vec::new());
    for step in steps {
        match meanwhile(&step.path) {
            Meanwhile::No => own.push(step),
            Meanwhile::To(after) if is_same(after.as_ref(), step.after.as_ref()) => {}
            Meanwhile::To(_) | Meanwhile::Unknown => mixed.push(step),
        }
    }
    (own, mixed)
}

fn is_same(edit: Option<&Side>, now: Option<&Side>) -> bool {
    edit.map(|side| &side.id) == now.map(|side| &side.id)
}

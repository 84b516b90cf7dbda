//! Noting whose work is whose. Work never fails because it could not be noted: it is then nobody's, and no undo of a
//! session will touch it.

use std::sync::Arc;
use std::time::Duration;

use webcodex_contracts::SessionId;
use webcodex_contracts::call::CallContext;
use webcodex_files::Plan;
use webcodex_git::{Edited, Git, Interrupt, Watched};
use webcodex_process::Job;
use webcodex_projects::{Project, ReadAccess};

use crate::Runner;

/// Longest look at the files that a call waits for, as a part of its time.
const PART_OF_CALL: f64 = 0.3;
/// Longest look at the files that nobody waits for.
const IN_THE_BACKGROUND: Duration = Duration::from_secs(60);

/// An edit that was noted and is to be confirmed.
pub(crate) struct Noted {
    session: SessionId,
    number: u64,
}

/// How long a look may take that a call waits for.
pub(crate) fn within(call: &CallContext) -> Interrupt {
    Interrupt::after(call.policy.deadline().mul_f64(PART_OF_CALL))
}

/// Notes what a plan is about to do.
pub(crate) fn about_to_edit(
    git: &Git,
    access: &ReadAccess,
    session: Option<&SessionId>,
    plan: &Plan,
    interrupt: &Interrupt,
) -> Option<Noted> {
    let session = session?;
    if !plan.changes_anything() {
        return None;
    }
    let contents = plan.contents();
    let edits: Vec<Edited<'_>> = contents
        .iter()
        .map(|content| Edited {
            path: content.path.as_str(),
            before: content.before,
            after: content.after,
            executable: content.executable,
        })
        .collect();
    match git.note_edit(access, session, &edits, interrupt) {
        Ok(number) => Some(Noted { session: session.clone(), number }),
        Err(error) => {
            tracing::warn!(%error, "an edit could not be noted; it cannot be undone with its session");
            None
        }
    }
}

/// Confirms a noted edit, or says that it was not made.
pub(crate) fn edited(git: &Git, access: &ReadAccess, noted: Option<Noted>, made: bool) {
    let Some(Noted { session, number }) = noted else { return };
    if let Err(error) = git.settle_edit(access, &session, number, made) {
        tracing::warn!(%error, "an edit could not be confirmed; the next start will look at the files instead");
    }
}

impl Runner {
    /// Remembers the files as they are when a session begins. Nobody waits for it; whoever works next does.
    pub(crate) fn session_begins(&self, project: &Arc<Project>, session: Option<&SessionId>) {
        let Some(session) = session.cloned() else { return };
        let (git, access) = (Arc::clone(&self.git), project.read_access());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = git.begin_session(&access, &session, &Interrupt::after(IN_THE_BACKGROUND)) {
                tracing::warn!(%error, "the files at the beginning of a session could not be recorded");
            }
        });
    }

    /// Looks at the files before a command of a session.
    pub(crate) async fn about_to_run(
        &self,
        call: &CallContext,
        access: &ReadAccess,
        session: Option<&SessionId>,
    ) -> Option<(SessionId, Watched)> {
        let session = session.cloned()?;
        let (git, access, interrupt) = (Arc::clone(&self.git), access.clone(), within(call));
        let looked = tokio::task::spawn_blocking(move || {
            let watched = git.watch_command(&access, &session, &interrupt);
            (session, watched)
        });
        looked.await.ok()
    }

    /// Looks at the files after the command has ended, whenever that is. Nobody waits for it.
    pub(crate) fn runs(&self, access: &ReadAccess, watched: Option<(SessionId, Watched)>, job: Option<Job>) {
        let Some((session, watched)) = watched else { return };
        let (git, access) = (Arc::clone(&self.git), access.clone());
        tokio::spawn(async move {
            if let Some(job) = job {
                job.ended().await;
            }
            let looked = tokio::task::spawn_blocking(move || {
                git.command_ended(&access, &session, &watched, &Interrupt::after(IN_THE_BACKGROUND))
            });
            if let Ok(Err(error)) = looked.await {
                tracing::warn!(%error, "what a command changed could not be noted");
            }
        });
    }
}

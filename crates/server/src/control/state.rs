//! What listeners are shown, put together from those who know.

use std::collections::{HashMap, HashSet};

use webcodex_contracts::control::{
    Address, Job, LastUse, Project, RunnerState, ServerState, Session, SessionReview,
};
use webcodex_contracts::{ProjectId, SessionId, limits, redact};
use webcodex_link::control::RunnerJob;
use webcodex_store::now_ms;

use super::book::{Inner, Kept, SessionEntry};
use super::clients;
use super::folders::Folders;
use super::view::{call, client_label};
use crate::app::App;

/// A model thinks between two calls; a session that was used so short a while ago is still at work.
const QUIET_MS: u64 = 20 * 1000;
/// What is not kept any more cannot be reviewed.
const KEPT_MS: u64 = limits::SNAPSHOT_DAYS * 24 * 60 * 60 * 1000;
/// Longest command line shown, in characters.
const MAX_COMMAND: usize = 400;

/// Everything, with the calls, and the number of the last change in it.
pub(super) fn whole(app: &App) -> (ServerState, u64) {
    let mut state = without_calls(app);
    let folders = app.control.shelf.read();
    let inner = app.control.book.inner.lock();
    if let Some(kept) = &inner.kept {
        let shown =
            kept.calls.iter().map(|entry| call(&entry.record, inner.waits(&entry.record.id), &folders));
        state.calls = shown.collect();
    }
    (state, inner.tick())
}

/// Everything but the calls.
pub(super) fn without_calls(app: &App) -> ServerState {
    let folders = app.control.shelf.read();
    let runner = runner(app, &folders);
    let address = address(app);
    let inner = app.control.book.inner.lock();
    let nothing = Kept::default();
    let kept = inner.kept.as_ref().unwrap_or(&nothing);
    ServerState {
        version: app.version.clone(),
        projects: projects(&folders, &inner, kept),
        calls: Vec::new(),
        calls_today: kept.today,
        earlier_calls: kept.earlier,
        sessions: sessions(&folders, &inner, kept),
        jobs: folders.jobs.iter().map(|job| shown_job(job, &folders, &inner, kept)).collect(),
        approvals: app.control.approvals.list(),
        connections: app.tunnels.get().map(|tunnels| tunnels.list(app)).unwrap_or_default(),
        clients: clients::of(app, kept, &runner, &address, folders.projects.len() as u64),
        address,
        runner,
    }
}

fn address(app: &App) -> Address {
    let public = app.settings.read().public_address.clone();
    Address {
        local: format!("http://{}{}", app.control.address, crate::app::MCP),
        public: (!public.is_empty()).then_some(public),
    }
}

fn runner(app: &App, folders: &Folders) -> RunnerState {
    let linked = app.runners.status().into_iter().find(|runner| runner.online);
    let listed = folders.listed;
    RunnerState { linked: linked.is_some(), version: linked.map(|runner| runner.version), listed }
}

fn projects(folders: &Folders, inner: &Inner, kept: &Kept) -> Vec<Project> {
    let mut last: HashMap<&ProjectId, LastUse> = HashMap::new();
    for record in kept.calls.iter().map(|entry| &entry.record) {
        let Some(project) = &record.project else { continue };
        last.entry(project).or_insert_with(|| LastUse {
            client: client_label(record.client_name.as_deref()),
            at: record.at_ms,
        });
    }
    let busy: HashSet<&ProjectId> =
        folders.jobs.iter().filter(|job| is_running(job)).map(|job| &job.project).collect();
    let shown = folders.projects.iter().map(|project| Project {
        last_use: last.remove(&project.id),
        working: busy.contains(&project.id) || inner.works_in(&project.id),
        ..project.clone()
    });
    shown.collect()
}

fn is_running(job: &RunnerJob) -> bool {
    job.ended_at.is_none()
}

fn sessions(folders: &Folders, inner: &Inner, kept: &Kept) -> Vec<Session> {
    let jobs = folders.jobs.iter().filter(|job| is_running(job)).filter_map(|job| job.session.as_ref());
    let calls = inner.in_flight.values().filter_map(|record| record.session.as_ref());
    let at_work: HashSet<&SessionId> = jobs.chain(calls).collect();
    let now = now_ms();
    let mut entries: Vec<&SessionEntry> = kept.sessions.values().collect();
    entries.sort_by(|a, b| (b.last_ms, &b.session.id).cmp(&(a.last_ms, &a.session.id)));
    let shown = entries.into_iter().map(|entry| Session {
        id: entry.session.id.clone(),
        title: redact::one_line(&entry.session.title, MAX_COMMAND),
        project_id: entry.session.project.clone(),
        project: folders.name_of(&entry.session.project),
        client: client_label(entry.session.client_name.as_deref()),
        review: review(entry, at_work.contains(&entry.session.id), now),
        started_at: entry.session.created_ms,
        last_at: entry.last_ms,
        calls: entry.calls,
        changed_files: entry.files.len() as u64,
        accepted_files: entry.accepted(),
    });
    shown.collect()
}

/// How a session stands: what its model does comes first, then whether anything waits for the person.
fn review(entry: &SessionEntry, at_work: bool, now: u64) -> SessionReview {
    let quiet_ms = now.saturating_sub(entry.last_ms);
    let undecided = entry.files.len() as u64 > entry.accepted();
    match entry.sealed_ms {
        _ if at_work => SessionReview::Running,
        Some(at) => SessionReview::Finished { sealed: true, at },
        None if quiet_ms < QUIET_MS => SessionReview::Running,
        None if undecided && quiet_ms < KEPT_MS => SessionReview::WaitingForReview,
        None => SessionReview::Finished { sealed: false, at: entry.last_ms },
    }
}

fn shown_job(job: &RunnerJob, folders: &Folders, inner: &Inner, kept: &Kept) -> Job {
    let call = inner.call_of_job(&job.id);
    let of_session = || kept.sessions.get(job.session.as_ref()?)?.session.client_name.as_deref();
    let client = call.and_then(|call| call.client_name.as_deref()).or_else(of_session);
    Job {
        id: job.id.clone(),
        call: call.map(|call| call.id.clone()),
        project: folders.name_of(&job.project),
        client: client_label(client),
        command: redact::one_line(&job.command, MAX_COMMAND),
        folder: job.folder.clone(),
        started_at: job.started_at,
        ended_at: job.ended_at,
        limit_ms: job.limit_ms,
        output_bytes: job.output_bytes,
        last_line_at: job.last_line_at,
        state: job.state,
        exit_code: job.exit_code,
    }
}

#[cfg(test)]
mod tests {
    use webcodex_store::{PrincipalId, Session as StoredSession};

    use super::*;

    fn entry(files: &[(&str, bool)], sealed_ms: Option<u64>) -> SessionEntry {
        let session = StoredSession {
            id: SessionId::parse("wcs_1").unwrap(),
            principal: PrincipalId::from("p".to_owned()),
            project: ProjectId::parse("agent:a:b").unwrap(),
            title: String::new(),
            client_name: None,
            created_ms: 0,
        };
        let files = files.iter().map(|(path, accepted)| ((*path).to_owned(), *accepted)).collect();
        SessionEntry { session, last_ms: 1000, calls: 1, files, sealed_ms }
    }

    #[test]
    fn a_session_waits_for_the_person_as_long_as_there_is_something_to_decide() {
        let quiet = 1000 + QUIET_MS;
        let open = entry(&[("a", true), ("b", false)], None);
        assert_eq!(review(&open, false, quiet - 1), SessionReview::Running, "the model may be thinking");
        assert_eq!(review(&open, false, quiet), SessionReview::WaitingForReview);
        assert_eq!(review(&open, true, quiet), SessionReview::Running);
        let over = SessionReview::Finished { sealed: false, at: 1000 };
        assert_eq!(review(&open, false, 1000 + KEPT_MS), over, "there is nothing to look at any more");
        assert_eq!(review(&entry(&[("a", true)], None), false, quiet), over, "all is decided");
        assert_eq!(review(&entry(&[], None), false, quiet), over, "nothing was changed");
    }

    #[test]
    fn a_sealed_session_is_finished_until_work_goes_on() {
        let sealed = entry(&[("a", false)], Some(1500));
        assert_eq!(review(&sealed, false, 1501), SessionReview::Finished { sealed: true, at: 1500 });
        assert_eq!(review(&sealed, true, 1501), SessionReview::Running);
    }
}

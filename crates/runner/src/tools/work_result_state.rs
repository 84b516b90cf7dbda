//! The Runner's part of the state of the work: changed files, commands and Final Changes.

use std::sync::Arc;

use webcodex_contracts::call::CallContext;
use webcodex_contracts::tools::list_jobs::JobSummary;
use webcodex_contracts::tools::review::Check;
use webcodex_contracts::tools::work_result_state::{
    Diagnostics, Phase, WorkProject, WorkResultStateOutput, WorkResultStateParams,
};
use webcodex_contracts::{ProjectId, SessionId, ToolResult};
use webcodex_git::{Asked, Interrupt, Reviewed};

use crate::{Runner, error};

/// Commands of a session that are told.
pub(super) const MAX_CHECKS: usize = 50;
/// Commands of a project that are looked through.
const MAX_JOBS: usize = 1000;

pub(crate) async fn run(
    runner: &Runner,
    call: &CallContext,
    params: WorkResultStateParams,
) -> ToolResult<WorkResultStateOutput> {
    let project = runner.project(call, &params.project)?;
    let (id, name, access) = (project.id.clone(), project.name.clone(), project.read_access());
    let session = params.session_id.clone();
    let git = Arc::clone(&runner.git);
    let interrupt = Interrupt::after(call.policy.deadline().mul_f64(0.9));
    let looking = move || {
        let asked = Asked {
            session: params.session_id.as_ref(),
            snapshot: params.snapshot_id.as_ref(),
            offset: params.offset.map_or(0, |offset| offset.as_usize()),
            known: params.known_snapshot_id.as_ref(),
        };
        let reviewed = git.review(&access, &asked, &interrupt);
        let summary = git.project_summary(&access).unwrap_or_default();
        reviewed.map(|reviewed| (reviewed, summary)).map_err(|error| error::snapshots::to_failure(&error))
    };
    let (reviewed, summary) = runner.blocking(call, looking).await?;
    let checks = match &session {
        Some(session) => checks(runner, &id, session, reviewed.last_change_ms),
        None => Vec::new(),
    };
    Ok(WorkResultStateOutput {
        at_ms: now_ms(),
        project: WorkProject { project: id, name, git: summary.git, at: summary.at },
        session: None,
        phase: phase(&reviewed, &checks),
        review: reviewed.review,
        review_unavailable: reviewed.unavailable,
        checks,
        final_changes: reviewed.final_changes,
        activity: Vec::new(),
        activity_count: 0,
        collaboration: Vec::new(),
        diagnostics: Diagnostics { attempt: reviewed.attempt, ..Diagnostics::default() },
    })
}

fn phase(reviewed: &Reviewed, checks: &[Check]) -> Phase {
    let sealed = reviewed.final_changes.as_ref().is_some_and(|sealed| !sealed.work_went_on);
    let changed = reviewed.review.as_ref().is_some_and(|review| review.file_count > 0);
    match () {
        () if checks.iter().any(|check| check.job.outcome.is_none()) => Phase::Running,
        () if sealed => Phase::Sealed,
        () if changed => Phase::Open,
        () => Phase::Empty,
    }
}

/// The commands of a session, newest first.
pub(super) fn checks(
    runner: &Runner,
    project: &ProjectId,
    session: &SessionId,
    last_change_ms: Option<u64>,
) -> Vec<Check> {
    let jobs = runner.jobs.list(project, false, MAX_JOBS, None).map(|page| page.jobs).unwrap_or_default();
    let own = jobs.into_iter().filter(|job| job.session_id.as_ref() == Some(session));
    let check = |JobSummary { job, started_at_ms, .. }: JobSummary| {
        let ended_ms = started_at_ms + job.duration_ms;
        let outdated = job.outcome.is_some() && last_change_ms.is_some_and(|changed| changed > ended_ms);
        Check { job, started_ms: started_at_ms, outdated }
    };
    own.map(check).take(MAX_CHECKS).collect()
}

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

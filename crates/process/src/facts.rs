//! Jobs as the desktop app shows them: their facts, their output as it comes, and when something changes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};
use webcodex_contracts::control::{GAP, JobState};
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::{JobId, ProjectId, ProjectPath, SessionId};

use crate::core::{Core, Order};
use crate::drive::blocking;
use crate::job::Job;
use crate::jobs::Jobs;
use crate::output::{STREAMS, Totals, index};
use crate::text::marker;

/// Jobs told at most.
const MAX_FACTS: usize = 100;
/// What is written in quick succession comes as one piece.
const GATHER: Duration = Duration::from_millis(60);
/// How often the files of a detached command are looked at while somebody reads along.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What is known of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobFacts {
    /// The job.
    pub id: JobId,
    /// Its project.
    pub project: ProjectId,
    /// Its session.
    pub session_id: Option<SessionId>,
    /// The command in one short line.
    pub command: String,
    /// The folder it runs in; absent for one that an earlier Runner started.
    pub cwd: Option<ProjectPath>,
    /// When it started, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// When it ended.
    pub ended_at_ms: Option<u64>,
    /// How long it may run.
    pub limit: Option<Duration>,
    /// Bytes written, both streams.
    pub written: u64,
    /// When it last wrote something.
    pub wrote_at_ms: Option<u64>,
    /// How it stands.
    pub state: JobState,
    /// The command's exit code.
    pub exit_code: Option<i64>,
}

/// Output of a job from some place on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewOutput {
    /// The text of both streams; [`GAP`] where something was left out.
    pub text: String,
    /// Bytes left out.
    pub left_out: u64,
    /// Bytes written of each stream.
    pub seen: Totals,
    /// Whether nothing more will come.
    pub ended: bool,
}

impl Jobs {
    /// The commands that run or ran as jobs, newest first.
    pub fn facts(&self) -> Vec<JobFacts> {
        let mut facts = Vec::new();
        self.shared().newest_before(u64::MAX, |core| {
            if core.detached || core.progress.borrow().handed_over {
                facts.push(of(core));
            }
            facts.len() < MAX_FACTS
        });
        facts
    }

    /// Tells when facts of jobs change; many changes may become one.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared().changes.subscribe()
    }
}

impl Job {
    /// What was written since `seen`, or all that is kept; waits up to `wait` for something new.
    pub async fn output_since(&self, seen: Option<Totals>, wait: Duration) -> NewOutput {
        let from = seen.unwrap_or_default();
        if seen.is_some() {
            self.wait_for_output(from, wait).await;
        }
        let job = self.clone();
        blocking(move || job.output(from)).await.unwrap_or_default()
    }

    async fn wait_for_output(&self, seen: Totals, wait: Duration) {
        let deadline = Instant::now() + wait;
        if self.core.detached {
            while Instant::now() < deadline && self.core.written() == seen && !self.has_ended() {
                sleep(LOOK_EVERY.min(wait)).await;
            }
            return;
        }
        let mut progress = self.core.progress.subscribe();
        let news = progress.wait_for(|progress| progress.written != seen || progress.settled);
        // No news within the time are news as well.
        if timeout_at(deadline, news).await.is_ok_and(|progress| progress.is_ok_and(|now| !now.settled)) {
            sleep(GATHER).await;
        }
    }

    fn output(&self, from: Totals) -> NewOutput {
        let core = &self.core;
        // Read before the output: what is written meanwhile only adds to it.
        let ended = core.progress.borrow().settled || (core.detached && self.has_ended());
        let mut new = NewOutput { ended, ..NewOutput::default() };
        for stream in STREAMS {
            let at = index(stream);
            let (text, end) = core.output.since(stream, from[at], !ended, &self.shared.locale);
            new.seen[at] = end;
            new.left_out += text.omitted_bytes;
            match text.omitted_bytes {
                0 => new.text.push_str(&text.text),
                omitted => new.text.push_str(&text.text.replacen(&marker(omitted), &GAP.to_string(), 1)),
            }
        }
        new
    }
}

fn of(core: &Core) -> JobFacts {
    let ending = core.ending();
    let wrote_at = core.wrote_at_ms.load(Ordering::Relaxed);
    let state = match ending.map(|ending| ending.outcome) {
        None if *core.orders.borrow() == Some(Order::Stop) => JobState::Stopping,
        None => JobState::Running,
        Some(Outcome::Passed) => JobState::Finished,
        Some(Outcome::Failed) => JobState::Failed,
        Some(Outcome::TimedOut) => JobState::TimedOut,
        Some(Outcome::Stopped) => JobState::Stopped,
        Some(Outcome::Lost) => JobState::Lost,
    };
    JobFacts {
        id: core.id.clone(),
        project: core.project.clone(),
        session_id: core.session_id.clone(),
        command: core.label.clone(),
        cwd: core.cwd.clone(),
        started_at_ms: core.started_at_ms,
        ended_at_ms: ending.map(|ending| core.started_at_ms + ending.duration_ms),
        limit: (!core.detached).then_some(core.timeout),
        written: core.written().iter().sum(),
        wrote_at_ms: (wrote_at > 0).then_some(wrote_at),
        state,
        exit_code: ending.and_then(|ending| ending.exit_code),
    }
}

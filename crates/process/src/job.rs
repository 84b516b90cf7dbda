//! A job as callers see it.

use std::sync::Arc;
use std::time::Duration;

use webcodex_contracts::execution::{Execution, ExecutionState, Outcome, StreamText};
use webcodex_contracts::tools::list_jobs::{JobFacts, JobSummary};
use webcodex_contracts::tools::observe_jobs::{
    JobObservation, ObserveJobsParams, RawOutput, StreamName, WaitSecs,
};
use webcodex_contracts::{Continuation, JobId, ProjectId, ToolName};

use crate::base64;
use crate::core::{Core, Order};
use crate::drive::blocking;
use crate::notes::notes;
use crate::output::{STREAMS, Totals, index};
use crate::record::Ending;
use crate::roster::Shared;
use crate::token::Token;

/// Exact bytes in one answer.
const MAX_RAW_BYTES: u64 = 24 * 1024;
/// Longest wait for a stop to be carried out; more than asking, killing and reaping take.
const STOP_WAIT: Duration = Duration::from_secs(12);

/// One execution: in the foreground, as a job, or finished.
#[derive(Debug, Clone)]
pub struct Job {
    pub(crate) core: Arc<Core>,
    pub(crate) shared: Arc<Shared>,
}

/// How a job stands, and what a later look begins from.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) execution: Execution,
    /// Whether it says something that the caller did not know.
    pub(crate) news: bool,
}

impl Job {
    /// Its identity, the same for ever.
    pub fn id(&self) -> &JobId {
        &self.core.id
    }

    /// The project that it runs in.
    pub fn project(&self) -> &ProjectId {
        &self.core.project
    }

    /// The command in one short line.
    pub fn command(&self) -> &str {
        &self.core.label
    }

    /// Seconds it may run.
    pub fn timeout(&self) -> Duration {
        self.core.timeout
    }

    /// Waits until the command has ended or has become a job because its caller waits no longer.
    pub async fn ended_or_handed_over(&self) {
        let mut progress = self.core.progress.subscribe();
        // The sender lives as long as `self`.
        let _ = progress.wait_for(|progress| progress.ended || progress.handed_over).await;
    }

    /// How it stands, with all its output. A continuation of a running job waits `observe_secs`.
    pub async fn execution(&self, observe_secs: u64) -> Execution {
        let mut execution = self.view(Token::default(), observe_secs).await.execution;
        if execution.execution_state != ExecutionState::Pending {
            // Nothing more will come.
            execution.observation_token = None;
        }
        execution
    }

    /// How it stands, with what is new since `seen`.
    pub(crate) async fn view(&self, seen: Token, observe_secs: u64) -> View {
        self.refresh().await;
        let job = self.clone();
        let on_disk =
            self.core.detached || STREAMS.iter().any(|stream| self.core.output.needs_disk(*stream, 0));
        if !on_disk {
            return self.look(seen, observe_secs);
        }
        match blocking(move || job.look(seen, observe_secs)).await {
            Some(view) => view,
            None => self.look(seen, observe_secs),
        }
    }

    fn look(&self, seen: Token, observe_secs: u64) -> View {
        let core = &self.core;
        // The state is read first: what is written until the look at the output only adds to it.
        let ending = core.ending();
        let running = ending.is_none();
        let [(stdout, out_end), (stderr, err_end)] = STREAMS
            .map(|stream| core.output.since(stream, seen.seen[index(stream)], running, &self.shared.locale));
        let token = Token { seen: [out_end, err_end], ended: !running };
        let mut notes = notes(core, &[&stdout.text, &stderr.text]);
        if let Some(note) = self.kept_note(&[&stdout, &stderr]) {
            notes.push(note);
        }
        let observation_token = token.to_text(&core.id);
        let execution = Execution {
            execution_state: state(ending),
            job_id: core.id.clone(),
            outcome: ending.map(|ending| ending.outcome),
            exit_code: ending.and_then(|ending| ending.exit_code),
            signal: ending.and_then(|ending| ending.signal),
            duration_ms: core.duration_ms(),
            stdout: shown(stdout, seen.seen[0], out_end),
            stderr: shown(stderr, seen.seen[1], err_end),
            continuation: running.then(|| continuation(&core.id, &observation_token, observe_secs)).flatten(),
            observation_token: Some(observation_token),
            notes,
        };
        View { execution, news: token.seen != seen.seen || token.ended != seen.ended }
    }

    fn kept_note(&self, texts: &[&StreamText]) -> Option<String> {
        let gone = texts.iter().any(|text| text.text.is_empty() && text.omitted_bytes > 0);
        if gone {
            return Some("Its output is no longer kept.".to_owned());
        }
        let partly = texts.iter().any(|text| text.omitted_bytes > 0 || text.lossy);
        partly.then(|| {
            "Exact bytes, also of what is not shown: observe_jobs with this job, `raw_stream` and `raw_offset`.".to_owned()
        })
    }

    /// Looks whether what the command left running is still there.
    async fn refresh(&self) {
        let progress = *self.core.progress.borrow();
        if !progress.ended || progress.settled {
            return;
        }
        let Some(group) = self.core.state.lock().group.clone() else { return };
        let members = blocking(move || group.members()).await.unwrap_or_default();
        let gone = members.is_empty();
        self.core.state.lock().survivors = members;
        if gone {
            self.core.orders.send_replace(Some(Order::Settle));
            let mut progress = self.core.progress.subscribe();
            let _ = progress.wait_for(|progress| progress.settled).await;
        }
    }

    /// Up to 24 KiB exact bytes of a stream from `offset` on.
    pub(crate) async fn raw(&self, stream: StreamName, offset: u64) -> RawOutput {
        let core = Arc::clone(&self.core);
        let read = blocking(move || core.output.raw(stream, offset, MAX_RAW_BYTES));
        let (offset, bytes, total_bytes) = read.await.unwrap_or_default();
        RawOutput { offset, base64: base64::encode(&bytes), total_bytes }
    }

    /// Ends the command and everything it started; `false` if the command had ended before.
    pub async fn stop(&self) -> bool {
        let before = *self.core.progress.borrow();
        if before.settled {
            return false;
        }
        let mut progress = self.core.progress.subscribe();
        self.core.orders.send_replace(Some(Order::Stop));
        self.core.changed();
        if tokio::time::timeout(STOP_WAIT, progress.wait_for(|progress| progress.settled)).await.is_err() {
            self.core.note("It was told to end and has not ended yet.");
        }
        let stopped = self.core.ending().is_some_and(|ending| ending.outcome == Outcome::Stopped);
        !before.ended && stopped
    }

    /// The job in a few facts.
    pub fn summary(&self) -> JobSummary {
        let ending = self.core.ending();
        let job = JobFacts {
            job_id: self.core.id.clone(),
            command: self.core.label.clone(),
            execution_state: state(ending),
            outcome: ending.map(|ending| ending.outcome),
            exit_code: ending.and_then(|ending| ending.exit_code),
            duration_ms: self.core.duration_ms(),
        };
        JobSummary {
            job,
            project: self.core.project.clone(),
            started_at_ms: self.core.started_at_ms,
            detached: self.core.detached,
            session_id: self.core.session_id.clone(),
        }
    }

    /// Whether the command has ended.
    pub fn has_ended(&self) -> bool {
        self.core.ending().is_some()
    }

    /// Bytes written so far.
    pub(crate) fn written(&self) -> Totals {
        self.core.written()
    }
}

fn state(ending: Option<Ending>) -> ExecutionState {
    match ending {
        None => ExecutionState::Pending,
        Some(ending) if ending.outcome == Outcome::Lost => ExecutionState::Unknown,
        Some(_) => ExecutionState::Finished,
    }
}

/// A stream that has nothing new is left out.
fn shown(text: StreamText, seen: u64, end: u64) -> Option<StreamText> {
    (end > seen).then_some(text)
}

fn continuation(id: &JobId, token: &str, observe_secs: u64) -> Option<Continuation> {
    let job = JobObservation {
        job_id: id.clone(),
        observation_token: Some(token.to_owned()),
        raw_stream: None,
        raw_offset: None,
    };
    let jobs = webcodex_contracts::tools::batch::Batch::new(vec![job])?;
    let wait_secs = Some(WaitSecs::clamped(observe_secs));
    Continuation::new(ToolName::ObserveJobs, ObserveJobsParams { jobs, wait_secs, session_id: None })
}

//! Looking at several jobs at once, waiting for the first that has something new.

use std::time::Duration;

use futures_util::future::select_all;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use webcodex_contracts::execution::Execution;
use webcodex_contracts::tools::observe_jobs::{RawOutput, StreamName};

use crate::JobsError;
use crate::job::{Job, View};
use crate::token::Token;

/// After the first news, what follows closely is waited for too, so that a busy job is not told line by line.
const GATHER: Duration = Duration::from_millis(100);
/// How often the files of a detached job are looked at while somebody waits: nothing tells when they grow.
const FILE_LOOK: Duration = Duration::from_millis(200);

/// One job to look at.
#[derive(Debug, Clone)]
pub struct Look {
    /// The job.
    pub job: Job,
    /// The token of the last answer.
    pub token: Option<String>,
    /// Exact bytes of a stream from an offset on, instead of text.
    pub raw: Option<(StreamName, u64)>,
}

/// What a look shows.
#[derive(Debug)]
pub struct Observed {
    /// How the job stands, with the text that is new unless exact bytes were asked for.
    pub execution: Execution,
    /// The exact bytes.
    pub raw: Option<RawOutput>,
}

/// Looks at every job. If nothing is new anywhere, waits at most `wait` for the first news.
///
/// A job that has ended and whose end the caller knows has no news any more and is not waited for.
///
/// # Errors
/// For a look whose token is damaged or of another job; the other looks are answered all the same.
pub async fn observe(looks: &[Look], wait: Duration, observe_secs: u64) -> Vec<Result<Observed, JobsError>> {
    let deadline = Instant::now() + wait;
    let tokens: Vec<Result<Token, JobsError>> = looks.iter().map(Look::seen).collect();
    let mut results = look(looks, tokens, observe_secs).await;
    let quiet = results.iter().all(|result| matches!(result, Ok((view, None)) if !view.news));
    if quiet && !wait.is_zero() && wait_for_news(looks, &results, deadline).await {
        let tokens = looks.iter().map(Look::seen).collect();
        results = look(looks, tokens, observe_secs).await;
    }
    let observed = |(view, raw): (View, Option<RawOutput>)| Observed { execution: view.execution, raw };
    results.into_iter().map(|result| result.map(observed)).collect()
}

impl Look {
    fn seen(&self) -> Result<Token, JobsError> {
        self.token.as_deref().map_or(Ok(Token::default()), |text| Token::parse(self.job.id(), text))
    }
}

type Looked = Result<(View, Option<RawOutput>), JobsError>;

async fn look(looks: &[Look], tokens: Vec<Result<Token, JobsError>>, observe_secs: u64) -> Vec<Looked> {
    let mut results = Vec::with_capacity(looks.len());
    for (look, token) in looks.iter().zip(tokens) {
        results.push(match (token, look.raw) {
            (Err(error), _) => Err(error),
            (Ok(token), None) => Ok((look.job.view(token, observe_secs).await, None)),
            (Ok(token), Some((stream, offset))) => {
                let mut view = look.job.view(token, observe_secs).await;
                (view.execution.stdout, view.execution.stderr) = (None, None);
                Ok((view, Some(look.job.raw(stream, offset).await)))
            }
        });
    }
    results
}

/// `true` as soon as one of the jobs that still run has something new.
async fn wait_for_news(looks: &[Look], results: &[Looked], deadline: Instant) -> bool {
    let running: Vec<&Job> = looks.iter().map(|look| &look.job).filter(|job| !job.has_ended()).collect();
    if running.len() < results.len() && running.is_empty() {
        return false;
    }
    let news = select_all(running.iter().map(|job| Box::pin(job.news())));
    tokio::select! {
        _ = news => {}
        () = sleep_until(deadline) => return true,
    }
    gather(&running, deadline).await;
    true
}

/// Waits a moment for what follows, not longer than until one of the jobs has ended.
async fn gather(running: &[&Job], deadline: Instant) {
    let moment = GATHER.min(deadline.saturating_duration_since(Instant::now()));
    let ended = select_all(running.iter().map(|job| Box::pin(job.ended())));
    // The time being over is the usual case.
    let _ = timeout(moment, ended).await;
}

impl Job {
    /// Resolves when it has written more than it had at the call, or has ended.
    pub(crate) async fn news(&self) {
        let before = self.written();
        let mut progress = self.core.progress.subscribe();
        if self.core.detached {
            let grown = async {
                while self.written() == before {
                    sleep(FILE_LOOK).await;
                }
            };
            tokio::select! {
                () = grown => {}
                _ = progress.wait_for(|progress| progress.ended) => {}
            }
            return;
        }
        let _ = progress.wait_for(|progress| progress.ended || progress.written != before).await;
    }

    /// Resolves when the command has ended.
    pub async fn ended(&self) {
        let _ = self.core.progress.subscribe().wait_for(|progress| progress.ended).await;
    }
}

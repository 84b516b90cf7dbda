//! `GET /control/jobs/{id}/output` and `POST /control/jobs/{id}/stop`.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Response;
use tokio_util::sync::CancellationToken;
use webcodex_contracts::JobId;
use webcodex_link::RunnerHandle;
use webcodex_link::control::{ControlReply, ControlRequest, JobOutput, OutputMark};

use super::keeper;
use super::reply::{done, line, lines};
use super::runner::{ask_for, of_job, unexpected};
use crate::app::App;

/// The Runner answers at least this often, so that a reader that went away is noticed.
const LOOK_MS: u64 = 5_000;

/// Output as it comes, until the job ends. A reader that is slow gets what is kept when it can take more.
pub(super) async fn output(State(app): State<Arc<App>>, Path(job): Path<JobId>) -> Response<Body> {
    let runner = match of_job(&app, &job) {
        Ok(runner) => runner,
        Err(refused) => return *refused,
    };
    let mut reader = Reader { runner, job, seen: None, ended: false, closing: app.control.closing.clone() };
    // The first answer decides whether there is such a job.
    let first = match reader.ask(0).await {
        Ok(Some(first)) => first,
        Ok(None) => return unexpected(),
        Err(refused) => return *refused,
    };
    let begun = stream::iter(reader.take(first)).chain(stream::unfold(reader, |mut reader| async move {
        let bytes = reader.next().await?;
        Some((bytes, reader))
    }));
    lines(Body::from_stream(begun.map(Ok::<_, Infallible>)))
}

struct Reader {
    runner: RunnerHandle,
    job: JobId,
    seen: Option<OutputMark>,
    ended: bool,
    closing: CancellationToken,
}

impl Reader {
    /// The next line that says something; an empty one keeps the stream moving.
    async fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        let closing = self.closing.clone();
        let output = tokio::select! {
            () = closing.cancelled() => return None,
            answer = self.ask(LOOK_MS) => answer.ok()??,
        };
        // A blank line is no message and shows whether the reader is still there.
        Some(self.take(output).unwrap_or_else(|| Bytes::from_static(b"\n")))
    }

    async fn ask(&mut self, wait_ms: u64) -> Result<Option<JobOutput>, Box<Response<Body>>> {
        let request = ControlRequest::JobOutput { job: self.job.clone(), seen: self.seen, wait_ms };
        match ask_for(&self.runner, &request).await? {
            ControlReply::Output(output) => Ok(Some(output)),
            _ => Ok(None),
        }
    }

    fn take(&mut self, output: JobOutput) -> Option<Bytes> {
        (self.seen, self.ended) = (Some(output.mark), output.ended);
        output.message.map(|message| line(&message))
    }
}

/// Ends a job and everything it started.
pub(super) async fn stop(State(app): State<Arc<App>>, Path(job): Path<JobId>) -> Response<Body> {
    let runner = match of_job(&app, &job) {
        Ok(runner) => runner,
        Err(refused) => return *refused,
    };
    match ask_for(&runner, &ControlRequest::StopJob { job }).await {
        Ok(ControlReply::Done) => {
            keeper::refresh_jobs(&app).await;
            done()
        }
        Ok(_) => unexpected(),
        Err(refused) => *refused,
    }
}

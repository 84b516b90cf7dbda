//! Jobs, their output and their end.

use std::time::Duration;

use webcodex_contracts::JobId;
use webcodex_contracts::control::OutputMessage;
use webcodex_link::control::{ControlReply, JobOutput, OutputMark, RunnerJob};
use webcodex_process::JobFacts;

use crate::{Runner, error};

impl Runner {
    pub(super) fn describe_jobs(&self) -> ControlReply {
        ControlReply::Jobs(self.jobs.facts().into_iter().map(|facts| self.describe_job(facts)).collect())
    }

    fn describe_job(&self, facts: JobFacts) -> RunnerJob {
        let root = self.projects.find(&facts.project).map(|project| project.root.clone()).unwrap_or_default();
        let folder = match facts.cwd.as_ref().map(|cwd| cwd.as_str()).filter(|cwd| !matches!(*cwd, "" | "."))
        {
            Some(cwd) => root.join(cwd),
            None => root,
        };
        RunnerJob {
            id: facts.id,
            project: facts.project,
            session: facts.session_id,
            command: facts.command,
            folder: folder.display().to_string(),
            started_at: facts.started_at_ms,
            ended_at: facts.ended_at_ms,
            limit_ms: facts.limit.map_or(0, |limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
            output_bytes: facts.written,
            last_line_at: facts.wrote_at_ms,
            state: facts.state,
            exit_code: facts.exit_code,
        }
    }

    pub(super) async fn job_output(
        &self,
        id: &JobId,
        seen: Option<OutputMark>,
        wait_ms: u64,
    ) -> ControlReply {
        let job = match self.jobs.find(id) {
            Ok(job) => job,
            Err(error) => return ControlReply::failed(&error::process::jobs(&error)),
        };
        let wait = Duration::from_millis(wait_ms);
        let new = job.output_since(seen.map(|mark| mark.streams), wait).await;
        let mark = OutputMark { streams: new.seen };
        let changed = seen != Some(mark);
        let message = changed.then(|| OutputMessage {
            starts_over: seen.is_none(),
            text: new.text,
            left_out_bytes: new.left_out,
            total_bytes: new.seen.iter().sum(),
        });
        ControlReply::Output(JobOutput { message, mark, ended: new.ended })
    }

    /// Gives the order; the job tells by itself when it has ended.
    pub(super) fn stop_job_of(&self, id: &JobId) -> ControlReply {
        match self.jobs.find(id) {
            Ok(job) => {
                tokio::spawn(async move { job.stop().await });
                ControlReply::Done
            }
            Err(error) => ControlReply::failed(&error::process::jobs(&error)),
        }
    }
}

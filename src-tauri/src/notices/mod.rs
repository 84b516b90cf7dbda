//! Which news deserve a notification, and how the system shows one.
//!
//! What is worth telling is decided by comparing what was seen before with what is seen now, so that nothing is told
//! twice and nothing that was there at the start counts as news.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "plugin.rs")]
mod show;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use webcodex_contracts::control::{ApprovalAsks, ApprovalState, ClientState, Job, JobState, TunnelState};
use webcodex_contracts::{ApprovalId, JobId};
use webcodex_supervisor::Status;
use webcodex_supervisor::status::{Notify, Reason};

pub(crate) use show::show;

/// A command without output for so long may be stuck.
const STUCK_AFTER_MS: u64 = 5 * 60_000;
/// Commands that took less are no news when they end.
const WORTH_TELLING_MS: u64 = 30_000;

/// Something a person may want to know while the window is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A command that took a while has ended well.
    WorkDone { project: String, command: String },
    /// A command that took a while has ended badly.
    WorkFailed { project: String, command: String },
    /// A command says nothing any more.
    WorkStuck { project: String, command: String, minutes: u64 },
    /// A model waits for a person; without a command it is an edit.
    ApprovalWanted { client: String, project: String, command: Option<String> },
    /// A client that was online can't reach us.
    ConnectionLost { client: String },
}

/// What has been told already.
#[derive(Default)]
pub(crate) struct Teller {
    running: HashSet<JobId>,
    stuck: HashSet<JobId>,
    asked: HashSet<ApprovalId>,
    online: HashSet<String>,
}

impl Teller {
    /// The news in `status` that this person wants to hear of.
    pub(crate) fn news(&mut self, status: &Status) -> Vec<Notice> {
        let wanted = &status.settings.notify;
        let mut news = self.approvals(status, wanted);
        news.extend(self.jobs(status, wanted));
        news.extend(self.connections(status, wanted));
        news
    }

    fn approvals(&mut self, status: &Status, wanted: &Notify) -> Vec<Notice> {
        let waiting = status.approvals.iter().filter(|one| one.state == ApprovalState::Waiting);
        let fresh: Vec<_> = waiting.clone().filter(|one| !self.asked.contains(&one.id)).collect();
        self.asked = waiting.map(|one| one.id.clone()).collect();
        let told = fresh.into_iter().map(|one| Notice::ApprovalWanted {
            client: one.client.clone(),
            project: one.project.clone(),
            command: match &one.asks {
                ApprovalAsks::Command { command } => Some(command.clone()),
                ApprovalAsks::Edit { .. } => None,
            },
        });
        told.filter(|_| wanted.approval_wanted).collect()
    }

    fn jobs(&mut self, status: &Status, wanted: &Notify) -> Vec<Notice> {
        let mut news = Vec::new();
        for job in &status.jobs {
            if is_running(job) {
                self.running.insert(job.id.clone());
                let quiet = quiet_for(job, status.observed_at);
                if quiet < STUCK_AFTER_MS {
                    self.stuck.remove(&job.id);
                } else if self.stuck.insert(job.id.clone()) && wanted.work_stuck {
                    let minutes = quiet / 60_000;
                    news.push(Notice::WorkStuck {
                        project: job.project.clone(),
                        command: job.command.clone(),
                        minutes,
                    });
                }
            } else if self.running.remove(&job.id) && wanted.work_done {
                news.extend(ended(job));
            }
        }
        let known: HashSet<&JobId> = status.jobs.iter().map(|job| &job.id).collect();
        self.running.retain(|id| known.contains(id));
        self.stuck.retain(|id| known.contains(id));
        news
    }

    fn connections(&mut self, status: &Status, wanted: &Notify) -> Vec<Notice> {
        let ways: Vec<_> = ways(status).collect();
        let lost = ways.iter().filter(|way| way.stands == Stands::Broken && self.online.contains(way.id));
        // What the person switched off is no news to them.
        let told = lost.filter(|_| wanted.connection_lost && status.reason != Reason::Paused);
        let news = told.map(|way| Notice::ConnectionLost { client: way.name.to_owned() }).collect();
        let online = ways.iter().filter(|way| way.stands == Stands::Online);
        self.online = online.map(|way| way.id.to_owned()).collect();
        news
    }
}

/// A client or a connection to OpenAI, as far as losing it is concerned.
struct Way<'a> {
    id: &'a str,
    name: &'a str,
    stands: Stands,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Online,
    Broken,
    Otherwise,
}

fn ways(status: &Status) -> impl Iterator<Item = Way<'_>> {
    let clients = status.clients.iter().map(|client| Way {
        id: &client.id,
        name: &client.name,
        stands: match client.state {
            ClientState::Online => Stands::Online,
            ClientState::NeedsYou | ClientState::Off => Stands::Broken,
            _ => Stands::Otherwise,
        },
    });
    let connections = status.connections.iter().map(|connection| Way {
        id: &connection.id,
        name: &connection.name,
        stands: match connection.state {
            TunnelState::Online => Stands::Online,
            TunnelState::NeedsYou { .. } | TunnelState::Waiting { .. } => Stands::Broken,
            _ => Stands::Otherwise,
        },
    });
    clients.chain(connections)
}

fn is_running(job: &Job) -> bool {
    matches!(job.state, JobState::Running | JobState::Stopping)
}

/// How long a job has said nothing.
fn quiet_for(job: &Job, now: u64) -> u64 {
    now.saturating_sub(job.last_line_at.unwrap_or(job.started_at))
}

/// What to say of a job that has just ended; one that a person stopped is no news to them.
fn ended(job: &Job) -> Option<Notice> {
    let took = job.ended_at.unwrap_or(job.started_at).saturating_sub(job.started_at);
    let (project, command) = (job.project.clone(), job.command.clone());
    match job.state {
        _ if took < WORTH_TELLING_MS => None,
        JobState::Finished => Some(Notice::WorkDone { project, command }),
        JobState::Failed | JobState::TimedOut | JobState::Lost => {
            Some(Notice::WorkFailed { project, command })
        }
        JobState::Stopped | JobState::Running | JobState::Stopping => None,
    }
}

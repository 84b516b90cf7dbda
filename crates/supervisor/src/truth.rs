//! State, reason and helpful action as a function of what was observed, and of nothing else.

use webcodex_contracts::control::{
    ApprovalState, Call, Client, ClientState, Job, JobState, Outcome, Project, Subject, TunnelConnection,
    TunnelState,
};

use crate::status::{Action, Part, PartState, Reason, StateName};

/// What decides how things stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The person paused serving.
    pub paused: bool,
    /// The Server.
    pub server: Part,
    /// What the Server said when it could not be started.
    pub server_said: String,
    /// The Runner; it serves only while it is linked.
    pub runner: Part,
    /// What the Runner said when it could not be started.
    pub runner_said: String,
    /// A folder that nothing can be written to.
    pub disk_full: Option<String>,
    /// Whether there is a place for the credential.
    pub secrets_available: bool,
    /// The usual port and the one in use, until the person has seen it or clients have found it.
    pub port_taken: Option<(u16, u16)>,
    /// Edits and commands that wait for the person.
    pub approvals: u64,
    /// Whose way is broken.
    pub broken: Option<String>,
    /// What is at work.
    pub work: Option<Work>,
    /// How many folders are registered; nothing before the Server has said so.
    pub projects: Option<usize>,
    /// Whether any client has ever called.
    pub called: bool,
}

/// A call or a job at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Whose.
    pub client: String,
    /// Where.
    pub project: String,
    /// The command, where it is one.
    pub command: Option<String>,
}

/// How things stand, why, and what would help: the most urgent first.
pub fn truth(seen: &Observed) -> (StateName, Reason, Option<Action>) {
    if seen.paused {
        return (StateName::Off, Reason::Paused, Some(Action::Resume));
    }
    if let Some(trouble) = trouble(seen) {
        return trouble;
    }
    let serves = seen.server.state == PartState::Running && seen.runner.state == PartState::Running;
    if !serves || seen.projects.is_none() {
        return (StateName::Starting, Reason::Starting, None);
    }
    serving(seen)
}

fn trouble(seen: &Observed) -> Option<(StateName, Reason, Option<Action>)> {
    let problem = |reason, action| Some((StateName::Problem, reason, Some(action)));
    if let Some(folder) = &seen.disk_full {
        return problem(Reason::DiskFull { folder: folder.clone() }, Action::ShowLogs);
    }
    match seen.server {
        Part { state: PartState::Failed, .. } => {
            return problem(Reason::ServerFailed { detail: seen.server_said.clone() }, Action::ShowLogs);
        }
        Part { state: PartState::Backoff, retry_at } => {
            let reason = Reason::ServerRestarting { retry_at: retry_at.unwrap_or_default() };
            return problem(reason, Action::Restart);
        }
        _ => {}
    }
    match seen.runner {
        Part { state: PartState::Failed, .. } => {
            return problem(Reason::RunnerFailed { detail: seen.runner_said.clone() }, Action::ShowLogs);
        }
        Part { state: PartState::Backoff, retry_at } => {
            let reason = Reason::RunnerRestarting { retry_at: retry_at.unwrap_or_default() };
            return problem(reason, Action::Restart);
        }
        _ => {}
    }
    if !seen.secrets_available {
        return problem(Reason::SecretsUnavailable, Action::KeepSecretsInFile);
    }
    None
}

fn serving(seen: &Observed) -> (StateName, Reason, Option<Action>) {
    if seen.approvals > 0 {
        let reason = Reason::ApprovalWaits { count: seen.approvals };
        return (StateName::Working, reason, Some(Action::OpenApprovals));
    }
    if let Some((port, new_port)) = seen.port_taken {
        return (StateName::Problem, Reason::PortTaken { port, new_port }, Some(Action::ConnectClient));
    }
    if let Some(client) = &seen.broken {
        let reason = Reason::ConnectionBroken { client: client.clone() };
        return (StateName::Problem, reason, Some(Action::OpenConnections));
    }
    if let Some(Work { client, project, command }) = seen.work.clone() {
        let reason = Reason::Working { client, project, command };
        return (StateName::Working, reason, Some(Action::OpenActivity));
    }
    if seen.projects == Some(0) {
        return (StateName::Ready, Reason::NoProject, Some(Action::AddFolder));
    }
    if !seen.called {
        return (StateName::Ready, Reason::NoClient, Some(Action::ConnectClient));
    }
    (StateName::Ready, Reason::Ready, None)
}

/// How many questions still wait for the person.
pub(crate) fn waiting(approvals: &[webcodex_contracts::control::Approval]) -> u64 {
    approvals.iter().filter(|approval| approval.state == ApprovalState::Waiting).count() as u64
}

/// The first client, or connection to OpenAI, whose way is broken until the person does something.
pub(crate) fn broken(clients: &[Client], connections: &[TunnelConnection]) -> Option<String> {
    let client =
        clients.iter().find(|client| client.state == ClientState::NeedsYou).map(|client| &client.name);
    let tunnel = || {
        connections.iter().find(|one| matches!(one.state, TunnelState::NeedsYou { .. })).map(|one| &one.name)
    };
    client.or_else(tunnel).cloned()
}

/// What is at work: a job before a call, since it lasts; then a call that is in flight.
pub(crate) fn work(jobs: &[Job], calls: &[Call], projects: &[Project]) -> Option<Work> {
    let running = |job: &&Job| matches!(job.state, JobState::Running | JobState::Stopping);
    if let Some(job) = jobs.iter().find(running) {
        let command = Some(job.command.clone());
        return Some(Work { client: job.client.clone(), project: job.project.clone(), command });
    }
    if !projects.iter().any(|project| project.working) {
        return None;
    }
    let call = calls.iter().find(|call| call.outcome == Outcome::Running)?;
    let command = match &call.subject {
        Subject::Command { command } => Some(command.clone()),
        _ => None,
    };
    Some(Work { client: call.client.clone(), project: call.project_name.clone()?, command })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fine() -> Observed {
        let running = Part::new(PartState::Running);
        Observed {
            paused: false,
            server: running,
            server_said: "why S".to_owned(),
            runner: running,
            runner_said: "why R".to_owned(),
            disk_full: None,
            secrets_available: true,
            port_taken: None,
            approvals: 0,
            broken: None,
            work: None,
            projects: Some(2),
            called: true,
        }
    }

    fn with(change: impl FnOnce(&mut Observed)) -> (StateName, Reason, Option<Action>) {
        let mut seen = fine();
        change(&mut seen);
        truth(&seen)
    }

    #[test]
    fn every_observation_has_its_sentence_and_its_button() {
        use {Action as A, PartState as P, Reason as R, StateName as S};
        let backoff = Part { state: P::Backoff, retry_at: Some(7) };
        let work = Work { client: "c".to_owned(), project: "p".to_owned(), command: None };
        let working = R::Working { client: "c".to_owned(), project: "p".to_owned(), command: None };
        let table = [
            (with(|_| ()), (S::Ready, R::Ready, None)),
            (with(|s| s.called = false), (S::Ready, R::NoClient, Some(A::ConnectClient))),
            (with(|s| s.projects = Some(0)), (S::Ready, R::NoProject, Some(A::AddFolder))),
            (with(|s| s.projects = None), (S::Starting, R::Starting, None)),
            (with(|s| s.server = Part::new(P::Starting)), (S::Starting, R::Starting, None)),
            (with(|s| s.runner = Part::new(P::Starting)), (S::Starting, R::Starting, None)),
            (with(|s| s.paused = true), (S::Off, R::Paused, Some(A::Resume))),
            (
                with(|s| s.server = backoff),
                (S::Problem, R::ServerRestarting { retry_at: 7 }, Some(A::Restart)),
            ),
            (
                with(|s| s.runner = backoff),
                (S::Problem, R::RunnerRestarting { retry_at: 7 }, Some(A::Restart)),
            ),
            (
                with(|s| s.server = Part::new(P::Failed)),
                (S::Problem, R::ServerFailed { detail: "why S".to_owned() }, Some(A::ShowLogs)),
            ),
            (
                with(|s| s.runner = Part::new(P::Failed)),
                (S::Problem, R::RunnerFailed { detail: "why R".to_owned() }, Some(A::ShowLogs)),
            ),
            (
                with(|s| s.secrets_available = false),
                (S::Problem, R::SecretsUnavailable, Some(A::KeepSecretsInFile)),
            ),
            (
                with(|s| s.disk_full = Some("/d".to_owned())),
                (S::Problem, R::DiskFull { folder: "/d".to_owned() }, Some(A::ShowLogs)),
            ),
            (
                with(|s| s.port_taken = Some((1, 2))),
                (S::Problem, R::PortTaken { port: 1, new_port: 2 }, Some(A::ConnectClient)),
            ),
            (with(|s| s.approvals = 2), (S::Working, R::ApprovalWaits { count: 2 }, Some(A::OpenApprovals))),
            (
                with(|s| s.broken = Some("ChatGPT".to_owned())),
                (S::Problem, R::ConnectionBroken { client: "ChatGPT".to_owned() }, Some(A::OpenConnections)),
            ),
            (with(|s| s.work = Some(work.clone())), (S::Working, working.clone(), Some(A::OpenActivity))),
        ];
        for (found, wanted) in table {
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn the_most_urgent_comes_first() {
        let all = |paused, full| {
            with(|s| {
                s.paused = paused;
                s.disk_full = full;
                s.server = Part::new(PartState::Failed);
                s.approvals = 1;
                s.projects = Some(0);
            })
        };
        assert_eq!(all(true, Some("/d".to_owned())).1, Reason::Paused);
        assert!(matches!(all(false, Some("/d".to_owned())).1, Reason::DiskFull { .. }));
        assert!(matches!(all(false, None).1, Reason::ServerFailed { .. }));
        let asked = with(|s| {
            s.approvals = 1;
            s.port_taken = Some((1, 2));
        });
        assert!(matches!(asked.1, Reason::ApprovalWaits { .. }), "a call waits for the person");
    }
}

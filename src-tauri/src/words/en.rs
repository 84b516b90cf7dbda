//! English.

use webcodex_contracts::control::{ClientKind, ClientState, TunnelState};
use webcodex_supervisor::status::Reason;

use super::Words;
use crate::notices::Notice;

pub(super) const WORDS: Words = Words {
    open: "Open WebCodex",
    projects: "Projects",
    add_folder: "Add folder…",
    pick_folders: "Add folders",
    pick_certificate: "Choose a certificate file",
    new_connection: "New connection…",
    pause: "Pause serving",
    resume: "Resume serving",
    start_at_login: "Start at login",
    check_for_updates: "Check for updates",
    install_update: |version| format!("Install version {version}"),
    copy_diagnosis: "Copy diagnosis",
    quit: "Quit WebCodex",
    client_kind,
    client_state,
    tunnel_state,
    sentence,
    notice,
    tooltip: |sentence| format!("WebCodex: {sentence}"),
};

fn client_kind(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::ChatGpt => "ChatGPT",
        ClientKind::ClaudeDesktop => "Claude Desktop",
        ClientKind::ClaudeCode => "Claude Code",
        ClientKind::Other => "Other programs",
    }
}

fn client_state(state: ClientState) -> &'static str {
    match state {
        ClientState::Online => "online",
        ClientState::Checking => "waiting for the first call",
        ClientState::Waiting => "waiting",
        ClientState::NeedsYou => "needs you",
        ClientState::Quiet => "no call yet",
        ClientState::Off => "off",
        ClientState::Unknown => "not known",
    }
}

fn tunnel_state(state: &TunnelState) -> &'static str {
    match state {
        TunnelState::Off => "off",
        TunnelState::Starting => "starting",
        TunnelState::Checking => "checking",
        TunnelState::Online => "online",
        TunnelState::Degraded { .. } => "unsteady",
        TunnelState::Waiting { .. } => "waiting",
        TunnelState::NeedsYou { .. } => "needs you",
        TunnelState::Stopping => "stopping",
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

fn sentence(reason: &Reason, projects: usize, online: usize) -> String {
    match reason {
        Reason::Ready => {
            format!(
                "ready, {}, {}",
                count(projects, "project", "projects"),
                count(online, "client", "clients")
            )
        }
        Reason::NoProject => "ready for its first folder".into(),
        Reason::NoClient => "ready for its first client".into(),
        Reason::Paused => "paused by you".into(),
        Reason::Starting => "starting".into(),
        Reason::Working { client, project, command: None } => {
            format!("working, {client} is busy in {project}")
        }
        Reason::Working { client, project, command: Some(_) } => {
            format!("working, {client} is running a command in {project}")
        }
        Reason::ApprovalWaits { count: number } => {
            if *number == 1 {
                "1 request waits for your answer".into()
            } else {
                format!("{number} requests wait for your answer")
            }
        }
        Reason::ServerRestarting { .. } => "the Server ended and is being started again".into(),
        Reason::ServerFailed { .. } => "the Server can’t start".into(),
        Reason::RunnerRestarting { .. } => "the Runner ended and is being started again".into(),
        Reason::RunnerFailed { .. } => "the Runner can’t start".into(),
        Reason::PortTaken { new_port, .. } => format!("the address changed to port {new_port}"),
        Reason::DiskFull { .. } => "the disk is full".into(),
        Reason::SecretsUnavailable => "there is no safe place for the credential".into(),
        Reason::ConnectionBroken { client } => format!("{client} can’t reach your projects"),
    }
}

fn notice(notice: &Notice) -> (String, String) {
    match notice {
        Notice::WorkDone { project, command } => (format!("Finished in {project}"), command.clone()),
        Notice::WorkFailed { project, command } => (format!("Failed in {project}"), command.clone()),
        Notice::WorkStuck { project, command, minutes } => {
            (format!("No output in {project} for {minutes} min"), command.clone())
        }
        Notice::ApprovalWanted { client, project, command: Some(command) } => {
            (format!("{client} wants to run a command in {project}"), command.clone())
        }
        Notice::ApprovalWanted { client, project, command: None } => (
            format!("{client} wants to change files in {project}"),
            "Open WebCodex to see the change and answer.".into(),
        ),
        Notice::ConnectionLost { client } => (
            format!("{client} can’t reach your projects"),
            "Connections shows which part of the way is broken.".into(),
        ),
    }
}

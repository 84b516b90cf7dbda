//! From what the keeper knows to the status.

use tokio::time::Instant;
use webcodex_contracts::control::{Hop, ServerState, TunnelHopState, TunnelState, Via};

use super::Keeper;
use crate::status::{PartState, Remark, SecretsKind, Status};
use crate::truth::{self, Observed, truth};
use crate::{clients, tunnels, vault};

impl Keeper {
    /// Tells everybody who follows the status what is different now.
    pub(super) fn publish(&mut self) {
        let now = Instant::now();
        self.forget_taken_port();
        let (server, runner) = (self.server.part(now), self.runner.part(now));
        let serving = server.state == PartState::Running;
        let secrets_available = self.credential.has_place();
        let kind = self.shared.secrets_kind();
        let remarks = self.remarks(kind);
        let checked = self.shared.checked.lock().clone();
        self.shared.board.change(|status| {
            (status.server, status.runner) = (server, runner);
            if let Some(state) = &self.state {
                take_over(status, state, serving, checked.as_ref());
            } else {
                status.clients = clients::listed(Vec::new(), status, serving, None);
            }
            let dismissed = self.shared.preferences.lock().file.desktop.import_dismissed.unwrap_or(false);
            status.importable = tunnels::importable(&self.shared.config.tunnel, dismissed, status);
            status.settings.secrets = if secrets_available { kind } else { SecretsKind::None };
            let no_tray = status.remarks.contains(&Remark::NoTray).then_some(Remark::NoTray);
            status.remarks = remarks.into_iter().chain(no_tray).collect();
            let observed = self.observed(status, secrets_available);
            (status.state, status.reason, status.action) = truth(&observed);
        });
    }

    fn observed(&self, status: &Status, secrets_available: bool) -> Observed {
        let folders = &self.shared.config.folders;
        Observed {
            paused: self.paused,
            server: status.server,
            server_said: self.server.said().to_owned(),
            runner: status.runner,
            runner_said: self.runner.said().to_owned(),
            disk_full: self.disk.is_full().then(|| folders.data.display().to_string()),
            secrets_available,
            port_taken: self.port_taken.map(|taken| (taken.usual, taken.now)),
            approvals: truth::waiting(&status.approvals),
            broken: truth::broken(&status.clients, &status.connections),
            work: truth::work(&status.jobs, &status.calls, &status.projects),
            projects: self.state.as_ref().filter(|state| state.runner.listed).map(|_| status.projects.len()),
            called: status.clients.iter().any(|client| client.last_call.is_some()),
        }
    }

    /// The new port is found once a client of this computer has called at it.
    fn forget_taken_port(&mut self) {
        let (Some(taken), Some(state)) = (self.port_taken, &self.state) else { return };
        let mut local = state.clients.iter().filter(|client| client.via == Via::Local);
        if local.any(|client| client.last_call.as_ref().is_some_and(|call| call.at > taken.at)) {
            self.port_taken = None;
        }
    }

    fn remarks(&self, kind: SecretsKind) -> Vec<Remark> {
        let mut remarks: Vec<_> =
            self.remarks.iter().filter(|remark| **remark != Remark::NoTray).cloned().collect();
        if kind == SecretsKind::OwnerFile {
            let path = self.shared.config.folders.credential_file(vault::CLIENT).display().to_string();
            remarks.push(Remark::SecretsInFile { path });
        }
        remarks
    }
}

/// What the Server says, as far as it can be so now.
fn take_over(status: &mut Status, state: &ServerState, serving: bool, checked: Option<&Hop>) {
    // A Server that has just started does not know them yet; they are what they were.
    if state.runner.listed {
        status.projects.clone_from(&state.projects);
        status.jobs.clone_from(&state.jobs);
    }
    status.calls_today = state.calls_today;
    status.earlier_calls = state.earlier_calls;
    status.sessions.clone_from(&state.sessions);
    status.approvals = if serving { state.approvals.clone() } else { Vec::new() };
    status.address = state.address.clone();
    status.clients = clients::listed(state.clients.clone(), status, serving, checked);
    status.connections = state.connections.clone();
    if !serving {
        for connection in &mut status.connections {
            connection.state = TunnelState::Off;
            for hop in &mut connection.hops {
                (hop.state, hop.reason) = (TunnelHopState::Unknown, None);
            }
        }
        for project in &mut status.projects {
            project.working = false;
        }
    }
}

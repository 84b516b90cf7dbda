//! The Server: started with its secrets, believed once it has proven itself, followed from then on.

use std::time::Duration;

use http::Method;
use tokio::time::Instant;
use webcodex_contracts::control::{NewCredential, ServerMessage};
use webcodex_contracts::supervised::{PartSays, ServerStart};
use webcodex_settings::write_private;

use super::{Event, Keeper, PortTaken};
use crate::clock;
use crate::connection::Connection;
use crate::process::{Did, Role};
use crate::status::{Remark, Settings};
use crate::tunnels;

/// Pause before a Server that lives is connected again.
const CONNECT_AGAIN: Duration = Duration::from_millis(100);

impl Keeper {
    pub(super) fn start_server(&mut self, now: Instant) {
        let settings = {
            let preferences = self.shared.preferences.lock();
            Settings::of_file(&preferences.file, self.shared.board.status().settings.secrets).of_server()
        };
        let client = self.shared.credential.lock().clone();
        let start = ServerStart {
            control: self.control_secret.expose().to_owned(),
            client: client.as_ref().map(|secret| secret.expose().to_owned()),
            runner: self.runner_secret.expose().to_owned(),
            port: self.remembered_port(),
            settings,
            control_plane: self.shared.config.tunnel.base_url.clone(),
        };
        self.start(Role::Server, serde_json::to_string(&start), now);
        self.credential.told = client.and(Some(self.processes));
    }

    fn remembered_port(&self) -> Option<u16> {
        let text = std::fs::read_to_string(self.shared.config.folders.port_file()).ok()?;
        text.trim().parse().ok().filter(|port| *port != 0)
    }

    pub(super) fn server_did(&mut self, id: u64, did: Did) {
        let now = Instant::now();
        match did {
            Did::Said(PartSays::Ready { address: Some(address), pid, set_aside }) => {
                if let Some(kept_as) = set_aside {
                    self.remarks.push(Remark::HistoryRestored { kept_as });
                }
                let expected = self.server.process().is_some_and(|process| process.pid == pid);
                if expected && address.ip().is_loopback() {
                    let connection = Connection::new(address, self.control_secret.clone());
                    self.announced = Some(connection.clone());
                    self.connect(id, connection, pid, Duration::ZERO);
                } else {
                    tracing::warn!(%address, pid, "a Server that says it is another one is not used");
                }
            }
            Did::Said(PartSays::Failed { detail }) => self.server.says(detail),
            Did::Said(_) => {}
            Did::Ended(how) => {
                self.server.ended(how, now);
                self.server_gone(now);
                self.note_processes();
                self.disk.suspect(now);
            }
        }
    }

    /// Makes the Server prove itself and follows what it says, on a task of its own.
    fn connect(&self, id: u64, connection: Connection, pid: u32, pause: Duration) {
        let tell = self.tell.clone();
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let why = match follow(id, &connection, pid, &tell).await {
                Ok(()) => "its stream ended".to_owned(),
                Err(failure) => failure.message,
            };
            // It fails once the keeper has ended.
            let _ = tell.send(Event::Lost(id, why));
        });
    }

    pub(super) fn server_proven(&mut self, connection: Connection) {
        let port = connection.address().port();
        let usual = self.remembered_port().filter(|usual| *usual != port);
        if let Some(usual) = usual {
            self.port_taken = Some(PortTaken { usual, now: port, at: clock::now() });
            self.remarks.retain(|remark| !matches!(remark, Remark::AddressChanged { .. }));
            let from = format!("127.0.0.1:{usual}");
            self.remarks.push(Remark::AddressChanged { from, to: connection.address().to_string() });
        }
        if usual.is_some() || self.remembered_port().is_none() {
            // Only a convenience: clients then find the same address again.
            if let Err(error) = write_private(&self.shared.config.folders.port_file(), &port.to_string()) {
                tracing::warn!(%error, "the port could not be remembered");
            }
        }
        self.tell_runner_of(connection.address());
        self.shared.server.send_replace(Some(connection));
    }

    pub(super) fn server_says(&mut self, id: u64, message: ServerMessage) {
        let now = Instant::now();
        self.server.heard(now);
        match message {
            ServerMessage::State { state } => {
                let mut state = *state;
                self.shared.board.replace_calls(std::mem::take(&mut state.calls));
                self.state = Some(state);
                self.server.served(now);
                self.runner_link_changed(now);
                self.tell_credential_to(id);
                self.tell_connections();
            }
            ServerMessage::Changed { changed } => {
                if let Some(state) = &mut self.state {
                    state.apply(*changed);
                }
                self.runner_link_changed(now);
            }
            ServerMessage::Calls { calls } => self.shared.board.calls(calls),
            ServerMessage::Alive => {}
        }
    }

    /// The stream broke off. A Server that lives is connected again; one that does not answer is found by its silence.
    pub(super) fn server_lost(&mut self, id: u64, why: &str) {
        tracing::debug!(why, "the Server is not heard");
        let (Some(process), Some(connection)) = (self.server.process(), self.announced.clone()) else {
            return;
        };
        let pid = process.pid;
        self.connect(id, connection, pid, CONNECT_AGAIN);
    }

    /// The Server has ended: what it alone could know is not known any more.
    fn server_gone(&mut self, now: Instant) {
        self.announced = None;
        *self.shared.checked.lock() = None;
        self.shared.server.send_replace(None);
        if let Some(state) = &mut self.state {
            state.runner.linked = false;
        }
        self.runner_link_changed(now);
    }

    /// Tells the Server of now the credential, if it has not been told.
    pub(super) fn tell_credential(&mut self) {
        if let Some(id) = self.server.process().map(|process| process.id) {
            self.tell_credential_to(id);
        }
    }

    fn tell_credential_to(&mut self, id: u64) {
        let (connection, secret) =
            (self.shared.server.borrow().clone(), self.shared.credential.lock().clone());
        let (Some(connection), Some(secret)) = (connection, secret) else { return };
        if self.credential.told == Some(id) || !self.server.serves() {
            return;
        }
        self.credential.told = Some(id);
        tokio::spawn(async move {
            let body = NewCredential { secret: secret.expose().to_owned() };
            if let Err(failure) = connection.tell(Method::PUT, "/control/credential", Some(&body)).await {
                tracing::warn!(message = failure.message, "the Server did not take the clients' credential");
            }
        });
    }

    /// Tells the Server of now of the connections that are kept, if it has not been told.
    pub(super) fn tell_connections(&mut self) {
        let (server, id) =
            (self.shared.server.borrow().clone(), self.server.process().map(|process| process.id));
        let (Some(server), Some(id)) = (server, id) else { return };
        if self.connections_told == Some(id) || !self.server.serves() {
            return;
        }
        self.connections_told = Some(id);
        let (shared, tell) = (self.shared.clone(), self.tell.clone());
        tokio::spawn(async move {
            if let Err(failure) = tunnels::restore(&shared, &server).await {
                tracing::error!(message = failure.message, "the connections to OpenAI could not be restored");
                // It fails once the keeper has ended.
                let _ = tell.send(Event::Untold(id));
            }
        });
    }
}

async fn follow(
    id: u64,
    connection: &Connection,
    pid: u32,
    tell: &tokio::sync::mpsc::UnboundedSender<Event>,
) -> Result<(), webcodex_contracts::control::Failure> {
    connection.prove(pid).await?;
    let mut lines = connection.follow("/control/events").await?;
    // The sends fail once the keeper has ended.
    let _ = tell.send(Event::Proven(id, connection.clone()));
    while let Some(message) = lines.next().await? {
        let _ = tell.send(Event::Server(id, message));
    }
    Ok(())
}

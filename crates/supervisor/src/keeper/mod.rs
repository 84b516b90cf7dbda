//! Keeps Server and Runner as the person wants them. One task owns everything that changes.

mod credential;
mod disk;
mod life;
mod publish;
mod runner;
mod server;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use webcodex_contracts::control::{ServerMessage, ServerState};
use webcodex_settings::Secret;

use crate::clock::Gaps;
use crate::connection::Connection;
use crate::leftovers::{self, AppLock, Noted};
use crate::process::{Did, Process, Role};
use crate::status::Remark;
use crate::supervisor::Shared;
use crate::vault::VaultError;
use crate::{desktop_file, logs};

use credential::Credential;
use disk::Disk;
use life::Life;

/// The keeper looks around this often at least.
const LOOK: Duration = Duration::from_secs(30);
/// Later than this, and the computer or this program slept.
const LATE: Duration = Duration::from_secs(1);
/// An earlier app of the same data folder has this long to go.
const LOCK_WITHIN: Duration = Duration::from_secs(10);
const LOCK_LOOK: Duration = Duration::from_millis(50);

/// What the keeper is told to do.
#[derive(Debug)]
pub(crate) enum Order {
    /// Stop serving, or go on.
    Pause { paused: bool, done: oneshot::Sender<()> },
    /// End both parts and start them again.
    Restart { done: oneshot::Sender<()> },
    /// Look for the credential where it is to be kept now.
    FindCredential { done: oneshot::Sender<()> },
    /// There is something to say to the person.
    Remark(Remark),
    /// Something could not be written.
    LookAtDisk,
    /// Something that the status shows is different.
    Tell,
    /// End both parts, then the keeper.
    ShutDown { done: oneshot::Sender<()> },
}

/// What happened.
pub(crate) enum Event {
    /// To the process with this number.
    Part(Role, u64, Did),
    /// The Server with this number proved itself.
    Proven(u64, Connection),
    /// It did not, or its stream broke off.
    Lost(u64, String),
    /// It said something.
    Server(u64, ServerMessage),
    /// The search with this number ended.
    Credential(u64, Result<Secret, VaultError>),
    /// The Server with this number could not be told of the connections.
    Untold(u64),
    /// The status could not be written down.
    NotWritten,
}

/// Owns both parts and decides what becomes of them.
pub(crate) struct Keeper {
    shared: Arc<Shared>,
    orders: mpsc::UnboundedReceiver<Order>,
    events: mpsc::UnboundedReceiver<Event>,
    tell: mpsc::UnboundedSender<Event>,
    server: Life,
    runner: Life,
    processes: u64,
    /// Where the Server of now says it is; not to be believed before it has proven itself.
    announced: Option<Connection>,
    /// The secrets of this start; they are never kept.
    control_secret: Secret,
    runner_secret: Secret,
    /// What the Server said last, calls aside.
    state: Option<ServerState>,
    credential: Credential,
    /// The Server that has been told of the connections to OpenAI.
    connections_told: Option<u64>,
    paused: bool,
    shutting_down: Vec<oneshot::Sender<()>>,
    is_shutting_down: bool,
    port_taken: Option<PortTaken>,
    disk: Disk,
    remarks: Vec<Remark>,
    gaps: Gaps,
}

/// Another program had the usual port.
#[derive(Debug, Clone, Copy)]
struct PortTaken {
    usual: u16,
    now: u16,
    at: u64,
}

impl Keeper {
    pub(crate) fn new(shared: Arc<Shared>, orders: mpsc::UnboundedReceiver<Order>) -> Self {
        let (tell, events) = mpsc::unbounded_channel();
        let paused = shared.preferences.lock().file.desktop.paused.unwrap_or(false);
        Self {
            orders,
            events,
            tell,
            server: Life::new(Role::Server),
            runner: Life::new(Role::Runner),
            processes: 0,
            announced: None,
            control_secret: Secret::random("wc_control_"),
            runner_secret: Secret::random("wc_runner_"),
            state: None,
            credential: Credential::unknown(),
            connections_told: None,
            paused,
            shutting_down: Vec::new(),
            is_shutting_down: false,
            port_taken: None,
            disk: Disk::of(shared.config.folders.data.clone()),
            remarks: shared.board.status().remarks.clone(),
            gaps: Gaps::new(),
            shared,
        }
    }

    /// Works until it is told to shut down.
    pub(crate) async fn run(mut self) {
        self.search_credential(None);
        let folders = self.shared.config.folders.clone();
        let lock = self.take_lock().await;
        if lock.is_some() {
            leftovers::end(&folders).await;
        }
        let not_written = self.tell.clone();
        // It fails once the keeper has ended.
        let writer = desktop_file::keep(self.shared.board.clone(), folders.clone(), move || {
            drop(not_written.send(Event::NotWritten))
        });
        let writer = lock.is_some().then(|| tokio::spawn(writer));
        let mut log_look = Instant::now();
        loop {
            self.step();
            if self.is_shutting_down && self.server.is_idle() && self.runner.is_idle() {
                break;
            }
            if log_look <= Instant::now() {
                self.look_at_logs();
                log_look = Instant::now() + LOOK;
            }
            self.publish();
            self.wait().await;
        }
        if let Some(writer) = writer {
            writer.abort();
            // Cancelled is how it ends.
            let _ = writer.await;
            let _ = std::fs::remove_file(folders.desktop_parts_file());
            let _ = std::fs::remove_file(folders.desktop_file());
        }
        drop(lock);
        for done in std::mem::take(&mut self.shutting_down) {
            // Who asked may be gone.
            let _ = done.send(());
        }
    }

    /// Waits for an earlier app to go; meanwhile only an order to shut down is heard.
    async fn take_lock(&mut self) -> Option<AppLock> {
        let path = self.shared.config.folders.desktop_lock();
        let until = Instant::now() + LOCK_WITHIN;
        loop {
            let why = match AppLock::take(&path) {
                Ok(Some(lock)) => return Some(lock),
                Ok(None) => "another WebCodex app uses this data folder".to_owned(),
                Err(error) => format!("the data folder cannot be used: {error}"),
            };
            while let Ok(order) = self.orders.try_recv() {
                self.obey(order);
            }
            if self.is_shutting_down {
                return None;
            }
            if Instant::now() >= until {
                self.server.not_started(why, Instant::now());
                self.publish();
            }
            tokio::time::sleep(LOCK_LOOK).await;
        }
    }

    /// Waits for something to happen, and takes all in that has.
    async fn wait(&mut self) {
        let parts = [self.server.next_look(), self.runner.next_look()];
        let looks = parts.into_iter().chain([self.credential.next_look(), self.disk.next_look()]);
        let until = looks.flatten().fold(Instant::now() + LOOK, Instant::min);
        tokio::select! {
            biased;
            order = self.orders.recv() => match order {
                Some(order) => self.obey(order),
                None => self.shut_down(None),
            },
            Some(event) = self.events.recv() => self.take_in(event),
            () = sleep_until(until) => {}
        }
        // Before anything is judged by its silence; whatever came first after a sleep, it was late.
        if Instant::now() > until + LATE {
            self.be_patient();
        }
        // All at once, so that the status is told once.
        while let Ok(event) = self.events.try_recv() {
            self.take_in(event);
        }
    }

    fn obey(&mut self, order: Order) {
        let now = Instant::now();
        let done = match order {
            Order::Pause { paused, done } => {
                self.paused = paused;
                self.try_at_once();
                Some(done)
            }
            Order::Restart { done } => {
                self.try_at_once();
                self.runner.end(now);
                self.server.end(now);
                if self.credential.is_missing() {
                    self.search_credential(None);
                }
                Some(done)
            }
            Order::FindCredential { done } => {
                self.search_credential(Some(done));
                None
            }
            Order::Remark(remark) => {
                self.remarks.push(remark);
                None
            }
            Order::LookAtDisk => {
                self.disk.suspect(now);
                None
            }
            // Every order is followed by that.
            Order::Tell => None,
            Order::ShutDown { done } => {
                self.shut_down(Some(done));
                None
            }
        };
        if let Some(done) = done {
            // Who asked may be gone.
            let _ = done.send(());
        }
    }

    fn shut_down(&mut self, done: Option<oneshot::Sender<()>>) {
        self.is_shutting_down = true;
        self.shutting_down.extend(done);
    }

    fn take_in(&mut self, event: Event) {
        match event {
            Event::Part(Role::Server, id, did) if self.server.is(id) => self.server_did(id, did),
            Event::Part(Role::Runner, id, did) if self.runner.is(id) => self.runner_did(did),
            Event::Proven(id, connection) if self.server.is(id) => self.server_proven(connection),
            Event::Lost(id, why) if self.server.is(id) => self.server_lost(id, &why),
            Event::Server(id, message) if self.server.is(id) => self.server_says(id, message),
            Event::Credential(search, answer) if self.credential.search == search => {
                self.credential_found(answer)
            }
            Event::Untold(id) if self.server.is(id) => {
                self.connections_told = None;
                self.credential.look_again();
            }
            Event::NotWritten => self.disk.suspect(Instant::now()),
            // Of a process or a search of before.
            _ => {}
        }
    }

    /// Does what is due.
    fn step(&mut self) {
        let now = Instant::now();
        if self.gaps.slept() {
            self.be_patient();
        }
        if self.disk.look(now) {
            self.try_at_once();
        }
        self.server.watch(now);
        self.runner.watch(now);
        if self.paused || self.is_shutting_down {
            self.runner.end(now);
            self.server.end(now);
            return;
        }
        if self.credential.is_due(now) {
            self.ask_vault();
        }
        if self.server.is_due(now) && self.credential.was_waited_for(now) {
            self.start_server(now);
        }
        if self.server.serves() && self.runner.is_due(now) {
            self.start_runner(now);
        }
    }

    fn try_at_once(&mut self) {
        self.server.try_at_once();
        self.runner.try_at_once();
    }

    fn be_patient(&mut self) {
        let now = Instant::now();
        self.server.be_patient(now);
        self.runner.be_patient(now);
    }

    /// Starts the process of a part and notes it for the next start of the app.
    fn start(&mut self, role: Role, first_line: serde_json::Result<String>, now: Instant) {
        self.processes += 1;
        let (id, tell) = (self.processes, self.tell.clone());
        let config = &self.shared.config;
        let heard = move |did| {
            // It fails once the keeper has ended.
            let _ = tell.send(Event::Part(role, id, did));
        };
        let started = first_line.map_err(std::io::Error::from).and_then(|line| {
            let process = Process::start(&config.program, &config.folders, role, id, heard)?;
            process.tell(line);
            Ok(process)
        });
        let life = match role {
            Role::Server => &mut self.server,
            Role::Runner => &mut self.runner,
        };
        life.forget_words();
        match started {
            Ok(process) => life.started(process, now),
            Err(error) => {
                self.disk.suspect(now);
                life.not_started(format!("{}: {error}", config.program.display()), now);
            }
        }
        self.note_processes();
    }

    fn note_processes(&self) {
        let parts = [(Role::Server, &self.server), (Role::Runner, &self.runner)];
        let noted =
            parts.iter().filter_map(|(role, life)| Noted::of(*role, life.process()?.pid)).collect::<Vec<_>>();
        // Without it only a program that survives both its pipe and its parent's signal would be missed.
        if let Err(error) = leftovers::note(&self.shared.config.folders, &noted) {
            tracing::warn!(%error, "the background programs could not be noted");
        }
    }

    fn look_at_logs(&mut self) {
        self.disk.ask(Instant::now());
        let folders = &self.shared.config.folders;
        for role in [Role::Server, Role::Runner] {
            if let Err(error) = logs::trim(&logs::path(folders, role)) {
                tracing::debug!(%error, "a log could not be trimmed");
            }
        }
        let bytes = logs::bytes(folders);
        self.shared.board.change(|status| status.settings.log_bytes = bytes);
    }
}

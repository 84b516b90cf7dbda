//! The roles of the desktop app's background programs: told what to do on standard input, telling how they stand on
//! standard output, gone when their owner is.

use std::io::BufRead;
use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use webcodex_contracts::supervised::{PartOrder, PartSays, RunnerStart, ServerStart};
use webcodex_link::{DialTarget, LinkState, dial};
use webcodex_server::{BoundServer, Server, ServerConfig, ServerError};
use webcodex_settings::{Environment, Secret, Settings, TunnelSettings};
use webcodex_store::{CredentialKind, NewCredential};

use crate::failure::Failure;
use crate::household::{self, CLIENT_CREDENTIAL, Serving};
use crate::instance::InstanceLock;
use crate::{logging, shutdown};

/// The owner sends the first line by then.
const FIRST_LINE_WITHIN: Duration = Duration::from_secs(60);
/// Without its owner a program that does not end in order by then is ended.
const END_WITHIN: Duration = Duration::from_secs(7);
/// How often a Runner says that it lives.
const ALIVE: Duration = Duration::from_secs(1);

/// `webcodex server --supervised`
pub(crate) fn server() -> Result<(), Failure> {
    tell_failures(|settings| {
        let mut owner = Owner::listen();
        let start: ServerStart = owner.first_line()?;
        household::runtime()?.block_on(serve(settings, start, owner))
    })
}

async fn serve(settings: Settings, start: ServerStart, owner: Owner) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let tunnel = TunnelSettings { base_url: start.control_plane.clone(), ..settings.tunnel.clone() };
    let serving = start_server(&settings, start).await?;
    serving.open_tunnels(&serving.tunnel_credential().await?, &tunnel)?;
    say(&PartSays::Ready {
        address: Some(serving.address()),
        pid: std::process::id(),
        set_aside: serving.set_aside(),
    })?;
    tokio::select! {
        () = ended.cancelled() => {}
        () = owner.gone.cancelled() => {}
        () = serving.asked_to_end() => {}
    }
    serving.end().await;
    Ok(())
}

/// `webcodex runner --supervised`
pub(crate) fn runner() -> Result<(), Failure> {
    tell_failures(|settings| {
        let mut owner = Owner::listen();
        let start: RunnerStart = owner.first_line()?;
        household::runtime()?.block_on(run(settings, start, owner))
    })
}

async fn run(settings: Settings, start: RunnerStart, mut owner: Owner) -> Result<(), Failure> {
    let ended = shutdown::on_signal();
    let _lock = InstanceLock::take(&settings.folders.runner_lock(), "Runner")?;
    let runner = household::open_runner(&settings)?;
    say(&PartSays::Ready { address: None, pid: std::process::id(), set_aside: None })?;
    let (state, states) = watch::channel(LinkState::Dialling);
    let mut server = start.server;
    let mut alive = tokio::time::interval(ALIVE);
    let result = 'linking: loop {
        let target = once(DialTarget { address: server, credential: start.credential.clone() });
        let linked = dial(target, runner.hello(), runner.clone(), state.clone());
        let mut linked = std::pin::pin!(linked);
        loop {
            tokio::select! {
                refused = &mut linked => {
                    break 'linking Err(Failure::new("the Server does not accept this Runner").why(refused));
                }
                Some(PartOrder::Server { address }) = owner.orders.recv() => {
                    let is_linked = *states.borrow() == LinkState::Linked;
                    if address != server || !is_linked {
                        server = address;
                        continue 'linking;
                    }
                }
                _ = alive.tick() => {
                    if say(&PartSays::Alive).is_err() {
                        break 'linking Ok(());
                    }
                }
                () = ended.cancelled() => break 'linking Ok(()),
                () = owner.gone.cancelled() => break 'linking Ok(()),
            }
        }
    };
    runner.shutdown().await;
    result
}

/// The target for one attempt. Whoever listens there later may be another program, which must not be shown a credential:
/// the next attempt waits for the owner, who knows where the Server is.
fn once(target: DialTarget) -> impl Fn() -> Option<DialTarget> {
    let target = std::cell::Cell::new(Some(target));
    move || target.take()
}

/// The app that started this program.
struct Owner {
    lines: std::sync::mpsc::Receiver<String>,
    orders: mpsc::UnboundedReceiver<PartOrder>,
    /// Cancelled once the app is gone, or wants this program to end.
    gone: CancellationToken,
}

impl Owner {
    /// Reads standard input on a thread of its own, which works also while the rest of the program hangs.
    fn listen() -> Self {
        let (first, lines) = std::sync::mpsc::channel();
        let (tell, orders) = mpsc::unbounded_channel();
        let gone = CancellationToken::new();
        let is_gone = gone.clone();
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock().lines().map_while(Result::ok);
            if let Some(line) = input.next() {
                // Fails once the program ends.
                let _ = first.send(line);
            }
            for line in input {
                match serde_json::from_str(&line) {
                    Ok(order) => drop(tell.send(order)),
                    Err(error) => tracing::warn!(%error, "an order is not understood"),
                }
            }
            drop(first);
            is_gone.cancel();
            std::thread::sleep(END_WITHIN);
            tracing::error!("the program did not end in time after its owner had gone");
            std::process::exit(1);
        });
        Self { lines, orders, gone }
    }

    fn first_line<T: DeserializeOwned>(&mut self) -> Result<T, Failure> {
        let line = self.lines.recv_timeout(FIRST_LINE_WITHIN);
        let line = line.map_err(|_| {
            Failure::new("nobody said on standard input what to do")
                .next("`--supervised` is for the desktop app; start `webcodex run` instead")
        })?;
        // What it holds is secret, so the cause says no more than where.
        serde_json::from_str(&line).map_err(|error| {
            let place = format!("column {}", error.column());
            Failure::new("the first line on standard input is not understood").why(place)
        })
    }
}

/// Runs a role, and says on standard output why it failed.
fn tell_failures(role: impl FnOnce(Settings) -> Result<(), Failure>) -> Result<(), Failure> {
    let settings = Settings::load(&Environment::of_process()).map_err(Failure::from).inspect(logging::start);
    settings.and_then(role).inspect_err(|failure| {
        // Fails if the app has gone, and then nobody wants to know.
        let _ = say(&PartSays::Failed { detail: failure.detail() });
    })
}

fn say(said: &impl Serialize) -> Result<(), Failure> {
    let value = serde_json::to_value(said);
    household::print_line(&value.map_err(|error| Failure::new("nothing could be said").why(error))?)
}

/// Starts the Server with the secrets that the app gave, which no file keeps. They are in force before the first
/// connection is taken: a Runner that is early must not be refused.
async fn start_server(settings: &Settings, start: ServerStart) -> Result<Serving, Failure> {
    let lock = InstanceLock::take(&settings.folders.server_lock(), "Server")?;
    let server = bind(settings, &start).await?;
    let store = server.store();
    let runner = household::client_id(settings)?.to_string();
    let process = |kind, name: String| NewCredential::new(kind, name).for_this_process();
    let mut credentials = vec![
        (start.control, process(CredentialKind::Bootstrap, "desktop".to_owned())),
        (start.runner, process(CredentialKind::Runner, runner)),
    ];
    if let Some(client) = start.client {
        credentials.push((client, NewCredential::new(CredentialKind::Client, CLIENT_CREDENTIAL)));
    }
    for (secret, new) in credentials {
        household::adopt(&store, &Secret::new(secret), new).await?;
    }
    let serving = Serving::of(server, lock, settings)?;
    serving.adopt_status_credential().await?;
    Ok(serving)
}

/// Binds the fixed port of the settings or that of last time; where another program has it, a free one. The app sees
/// the difference and tells the person.
async fn bind(settings: &Settings, start: &ServerStart) -> Result<BoundServer, Failure> {
    let ip = settings.addr.ip();
    let fixed = Some(settings.addr.port()).filter(|port| *port != 0);
    let usual = fixed.or(start.port).unwrap_or(0);
    let config = |port| -> Result<ServerConfig, Failure> {
        let config = household::config(settings, SocketAddr::new(ip, port))?;
        let control = Some(Secret::new(start.control.clone()));
        // The app's own Server serves this computer alone; what somebody has said about it stays.
        let trust_host_files = settings.trust_host_files.unwrap_or(true);
        Ok(ServerConfig { settings: start.settings.clone(), control, trust_host_files, ..config })
    };
    let bound = match Server::bind(config(usual)?).await {
        Err(ServerError::Listen { .. }) if usual != 0 => Server::bind(config(0)?).await,
        bound => bound,
    };
    bound.map_err(|error| Failure::new("the Server could not start").why(error))
}

//! The OpenAI tunnel of `share` and `server tunnel`: where its id and key come from, and what is told about it.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use webcodex_contracts::control::ConnectionDraft;
use webcodex_settings::{Secret, Settings, TunnelSettings, read_private};
use webcodex_tunnel::route::{ControlPlaneAddress, DEFAULT_ADDRESS, SystemNetwork, SystemProxies};
use webcodex_tunnel::status::{Language, Reason, State, Status};
use webcodex_tunnel::wire::InstanceId;
use webcodex_tunnel::{Ground, Surroundings, SystemClock, SystemRandomness, Target};

use crate::failure::Failure;
use crate::household::Serving;

/// How long a start waits until it is known whether the tunnel works.
const DECIDED_WITHIN: Duration = Duration::from_secs(5);
/// What the one connection of a command is called.
pub(crate) const NAME: &str = "ChatGPT";

/// Where the Tunnel ID and its key come from; what is not given here comes from the environment, else from a prompt.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The Tunnel ID; default CONTROL_PLANE_TUNNEL_ID.
    #[arg(long, value_name = "ID")]
    tunnel_id: Option<String>,
    /// A file with the runtime API key that only you can read; default CONTROL_PLANE_API_KEY.
    #[arg(long, value_name = "FILE")]
    tunnel_key_file: Option<PathBuf>,
}

/// A Tunnel ID and the key that opens it.
pub(crate) struct Access {
    id: String,
    key: Secret,
    organization: Option<String>,
}

impl Options {
    /// Finds id and key. A key is never taken from the command line, where others could see it.
    pub(crate) fn access(self, settings: &TunnelSettings) -> Result<Access, Failure> {
        let id = self.tunnel_id.or_else(|| settings.id.clone());
        let id = id.map_or_else(|| ask("Tunnel ID: ", Echo::Shown), Ok)?;
        let key = match self.tunnel_key_file {
            Some(file) => read_key(&file)?,
            None => match &settings.key {
                Some(key) => key.clone(),
                None => Secret::new(ask("Runtime API key (not shown): ", Echo::Hidden)?),
            },
        };
        Ok(Access { id, key, organization: settings.organization.clone() })
    }
}

impl Access {
    /// Id and key where the environment has both.
    pub(crate) fn of_environment(settings: &TunnelSettings) -> Option<Self> {
        let (id, key) = (settings.id.clone()?, settings.key.clone()?);
        Some(Self { id, key, organization: settings.organization.clone() })
    }
}

fn read_key(file: &std::path::Path) -> Result<Secret, Failure> {
    let failed = |why: String| {
        Failure::new(format!("the key file `{}` cannot be used", file.display()))
            .why(why)
            .next("write the runtime API key into a file that only you can read (chmod 600)")
    };
    let read = read_private(file).map_err(|error| failed(error.to_string()))?;
    read.map(Secret::new).ok_or_else(|| failed("there is no such file".to_owned()))
}

enum Echo {
    Shown,
    Hidden,
}

fn ask(question: &str, echo: Echo) -> Result<String, Failure> {
    let missing = || {
        Failure::usage(
            "the tunnel needs a Tunnel ID and a runtime API key",
            "set CONTROL_PLANE_TUNNEL_ID and CONTROL_PLANE_API_KEY, or use --tunnel-id and --tunnel-key-file",
        )
    };
    if !std::io::stdin().is_terminal() {
        return Err(missing());
    }
    anstream::eprint!("{question}");
    let answer = std::io::stderr().flush().and_then(|()| match echo {
        Echo::Hidden => rpassword::read_password(),
        Echo::Shown => {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|_| line)
        }
    });
    answer.map(|text| text.trim().to_owned()).ok().filter(|text| !text.is_empty()).ok_or_else(missing)
}

/// What connections stand on: the control plane of the settings and the network of this computer.
pub(crate) fn surroundings(target: Target, settings: &TunnelSettings) -> Result<Surroundings, Failure> {
    let address = settings.base_url.as_deref().unwrap_or(DEFAULT_ADDRESS);
    let address = ControlPlaneAddress::parse(address).map_err(|error| {
        Failure::new("CONTROL_PLANE_BASE_URL is not usable")
            .why(error)
            .next("remove it, or write an https address (http only for this computer)")
    })?;
    Ok(Surroundings {
        ground: Ground { target, clock: Arc::new(SystemClock), random: Arc::new(SystemRandomness) },
        network: Arc::new(SystemNetwork),
        proxies: Arc::new(SystemProxies),
        address,
        instance: InstanceId::new(&SystemRandomness),
    })
}

/// A tunnel that is switched on; it ends with its Server.
pub(crate) struct Tunnel {
    id: String,
    status: watch::Receiver<Status>,
}

impl Tunnel {
    /// Switches it on, tells the person at the terminal about it from now on, and waits until it is known whether it
    /// works, at most a few seconds. Its commands come in with `credential`.
    pub(crate) async fn start(
        access: Access,
        serving: &Serving,
        credential: &Secret,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        serving.open_tunnels(credential, &settings.tunnel)?;
        let draft = ConnectionDraft {
            name: NAME.to_owned(),
            tunnel: access.id.clone(),
            key: access.key.expose().to_owned(),
            organization: access.organization.unwrap_or_default(),
            ..ConnectionDraft::default()
        };
        let door = serving.tunnel_door();
        let saved = door.add(draft).map_err(unusable)?;
        let status = door.status(&saved.id).map_err(unusable)?;
        tokio::spawn(tell(status.clone()));
        door.switch(&saved.id, true).await.map_err(unusable)?;
        let tunnel = Self { id: access.id, status };
        tunnel.decided_within(DECIDED_WITHIN).await;
        Ok(tunnel)
    }

    /// Waits until it is known whether it works. Not decided in time is an answer too: the state tells.
    pub(crate) async fn decided_within(&self, patience: Duration) {
        let mut status = self.status.clone();
        let _ = tokio::time::timeout(patience, status.wait_for(decided)).await;
    }

    /// Whether ChatGPT can use it, now or as soon as the network allows.
    pub(crate) fn is_usable(&self) -> bool {
        !matches!(self.status.borrow().state, State::NeedsYou { .. })
    }

    /// What the JSON line of a serving command says about it.
    pub(crate) fn to_json(&self) -> Value {
        let state = self.status.borrow().state;
        json!({"id": self.id, "state": state})
    }
}

fn unusable(failure: webcodex_contracts::control::Failure) -> Failure {
    Failure::new("the tunnel cannot be used")
        .why(failure.message)
        .next("correct it where it was given: --tunnel-id, --tunnel-key-file or the CONTROL_PLANE_ variables")
}

fn decided(status: &Status) -> bool {
    !matches!(status.state, State::Off | State::Starting | State::Checking)
}

/// Tells each change once.
async fn tell(mut status: watch::Receiver<Status>) {
    let mut told = String::new();
    loop {
        let sentence = sentence(&status.borrow_and_update().state);
        if let Some(sentence) = sentence.filter(|sentence| *sentence != told) {
            anstream::eprintln!("WebCodex tunnel: {sentence}");
            told = sentence;
        }
        if status.changed().await.is_err() {
            return;
        }
    }
}

fn sentence(state: &State) -> Option<String> {
    let words = |reason: &Reason| {
        let text = reason.text(Language::English);
        format!("{} {}", text.sentence, text.action)
    };
    match state {
        State::Off | State::Starting | State::Checking | State::Stopping => None,
        State::Online => Some("online, OpenAI answers".to_owned()),
        State::Degraded { reason } => Some(format!("online, but: {}", words(reason))),
        State::Waiting { reason, .. } => Some(format!("not online, trying again: {}", words(reason))),
        State::NeedsYou { reason } => Some(format!("not online: {}", words(reason))),
    }
}

//! One sample of everything that the supervisor says, as TypeScript that must satisfy the window's types.
//!
//! `UPDATE_DOCS=1 cargo test -p webcodex-supervisor --test samples` writes it anew.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use webcodex_contracts::control::Address;
use webcodex_settings::SettingsFile;
use webcodex_supervisor::status::{
    Action, Importable, Part, PartState, Reason, Remark, SecretsKind, Settings, SettingsChange, StateName,
    Status, StatusChange, System, Update,
};
use webcodex_supervisor::{ClientSetup, Message, control::ClientKind};

const FILE: &str = "ui/desktop/bridge/generated/status-samples.ts";

fn reasons() -> Vec<Reason> {
    let text = || "said".to_owned();
    vec![
        Reason::Ready,
        Reason::NoProject,
        Reason::NoClient,
        Reason::Paused,
        Reason::Starting,
        Reason::Working { client: text(), project: text(), command: None },
        Reason::ApprovalWaits { count: 2 },
        Reason::ServerRestarting { retry_at: 1 },
        Reason::ServerFailed { detail: text() },
        Reason::RunnerRestarting { retry_at: 1 },
        Reason::RunnerFailed { detail: text() },
        Reason::PortTaken { port: 8765, new_port: 8766 },
        Reason::DiskFull { folder: text() },
        Reason::SecretsUnavailable,
        Reason::ConnectionBroken { client: text() },
    ]
}

fn remarks() -> Vec<Remark> {
    let text = || "x".to_owned();
    vec![
        Remark::SettingsRestored { kept_as: text() },
        Remark::HistoryRestored { kept_as: text() },
        Remark::ConnectionsRestored { kept_as: text() },
        Remark::NoTray,
        Remark::SecretsInFile { path: text() },
        Remark::AddressChanged { from: text(), to: text() },
    ]
}

fn updates() -> Vec<Update> {
    let version = || "2.0.0".to_owned();
    vec![
        Update::Unknown,
        Update::Checking,
        Update::Newest { checked_at: 1 },
        Update::Available { version: version(), bytes: Some(2) },
        Update::Available { version: version(), bytes: None },
        Update::Installing { version: version() },
        Update::Failed { checked_at: 1 },
    ]
}

fn settings(secrets: SecretsKind) -> Settings {
    Settings::of_file(&SettingsFile::default(), secrets)
}

fn status() -> Status {
    Status {
        observed_at: 1,
        state: StateName::Problem,
        reason: Reason::RunnerRestarting { retry_at: 7 },
        action: Some(Action::Restart),
        server: Part::new(PartState::Running),
        runner: Part { state: PartState::Backoff, retry_at: Some(7) },
        first_run: true,
        system: System::Linux,
        version: "1.0.0".to_owned(),
        projects: Vec::new(),
        calls: Arc::default(),
        calls_today: 0,
        earlier_calls: false,
        sessions: Vec::new(),
        jobs: Vec::new(),
        approvals: Vec::new(),
        clients: Vec::new(),
        connections: Vec::new(),
        importable: Some(Importable { tunnel: "tunnel_1".to_owned() }),
        address: Address { local: "http://127.0.0.1:8765/mcp".to_owned(), public: None },
        settings: settings(SecretsKind::OwnerFile),
        update: Update::Unknown,
        remarks: remarks(),
    }
}

fn messages() -> Vec<Message> {
    let old = status();
    let new = Status { state: StateName::Ready, reason: Reason::Ready, action: None, ..old.clone() };
    let changed = Arc::new(StatusChange::between(&old, &new).unwrap());
    vec![
        Message::Status { status: Arc::new(old) },
        Message::Changed { changed },
        Message::Calls { calls: Arc::default() },
        Message::Lost,
    ]
}

fn change() -> SettingsChange {
    let settings = settings(SecretsKind::None);
    SettingsChange {
        language: Some(settings.language),
        theme: Some(settings.theme),
        start_at_login: Some(true),
        notify: Some(settings.notify),
        allowed_roots: Some(vec!["/src".to_owned()]),
        new_projects: Some(settings.new_projects),
        proxy: Some(settings.proxy),
        public_address: Some(settings.public_address),
        wait_seconds: Some(settings.wait_seconds),
        wait_profile: Some(settings.wait_profile),
        record: Some(settings.record),
        updates: Some(settings.updates),
    }
}

fn sample(name: &str, kind: &str, value: impl Serialize) -> String {
    let json = serde_json::to_string_pretty(&value).unwrap();
    format!("\nexport const {name} = {json} satisfies {kind};\n")
}

fn text() -> String {
    use {Action as A, PartState as P, SecretsKind as K, StateName as S};
    let actions = [
        A::AddFolder,
        A::ConnectClient,
        A::Resume,
        A::Restart,
        A::ShowLogs,
        A::OpenApprovals,
        A::OpenActivity,
        A::OpenConnections,
        A::KeepSecretsInFile,
    ];
    let states = [S::Off, S::Starting, S::Ready, S::Working, S::Problem];
    let parts = [P::Stopped, P::Starting, P::Running, P::Backoff, P::Failed].map(Part::new);
    let kinds = [K::Windows, K::Macos, K::SecretService, K::OwnerFile, K::None];
    let setup = ClientSetup { kind: ClientKind::Other, file: None, text: String::new(), writable: false };
    let samples = [
        sample("states", "StateName[]", states),
        sample("parts", "Part[]", parts),
        sample("reasons", "Reason[]", reasons()),
        sample("actions", "Action[]", actions),
        sample("remarks", "Remark[]", remarks()),
        sample("updates", "Update[]", updates()),
        sample("settings", "Settings[]", kinds.map(settings)),
        sample("change", "SettingsChange", change()),
        sample("setup", "ClientSetup", setup),
        sample("status", "Status", status()),
        sample("messages", "Message[]", messages()),
    ];
    let head = "// Written by a test of `crates/supervisor`: what the app says, as the window must understand it.\n\
        import type { Message } from \"../bridge\";\n\
        import type {\n  Action, ClientSetup, Part, Reason, Remark, Settings, SettingsChange, StateName, Status, Update,\n} from \"../types\";\n";
    format!("{head}{}", samples.concat())
}

#[test]
fn the_window_understands_what_the_supervisor_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    let text = text();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == text, "{FILE} is out of date; run with UPDATE_DOCS=1");
}

#[test]
fn what_the_window_sends_is_understood() {
    let change = change();
    let text = serde_json::to_string(&change).unwrap();
    assert_eq!(serde_json::from_str::<SettingsChange>(&text).unwrap(), change);
    assert!(serde_json::from_str::<SettingsChange>(r#"{"secrets":"none"}"#).is_err(), "observed, not chosen");
}

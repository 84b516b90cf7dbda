//! A status for tests: all is well, with one project and one client.

use std::sync::Arc;

use serde_json::{Value, json};
use webcodex_settings::SettingsFile;
use webcodex_settings::desktop::{DesktopSection, Language};
use webcodex_supervisor::Status;
use webcodex_supervisor::status::{
    Part, PartState, Reason, SecretsKind, Settings, StateName, System, Update,
};

/// The moment of the sample, in milliseconds.
pub(crate) const NOW: u64 = 10_000_000;

pub(crate) fn status() -> Status {
    let desktop = DesktopSection { language: Some(Language::English), ..DesktopSection::default() };
    let file = SettingsFile { desktop, ..SettingsFile::default() };
    Status {
        observed_at: NOW,
        state: StateName::Ready,
        reason: Reason::Ready,
        action: None,
        server: Part::new(PartState::Running),
        runner: Part::new(PartState::Running),
        first_run: false,
        system: System::Linux,
        version: "1.0.0".to_owned(),
        projects: vec![of(json!({
            "id": "agent:desk:web", "name": "web & shop", "path": "/src/web", "permission": "edit", "askFirst": true,
            "facts": {
                "git": null, "files": null, "bytes": null, "inside": null, "contains": [], "place": "local",
                "linkedFrom": null,
            },
            "reachable": true, "lastUse": null, "working": false,
        }))],
        calls: Arc::default(),
        calls_today: 0,
        earlier_calls: false,
        sessions: Vec::new(),
        jobs: Vec::new(),
        approvals: Vec::new(),
        clients: vec![client("online")],
        connections: Vec::new(),
        importable: None,
        address: webcodex_contracts::control::Address::default(),
        settings: Settings::of_file(&file, SecretsKind::OwnerFile),
        update: Update::Unknown,
        remarks: Vec::new(),
    }
}

/// A client that stands so.
pub(crate) fn client(state: &str) -> webcodex_contracts::control::Client {
    of(json!({
        "id": "claude:local", "kind": "claude_code", "name": "Claude", "via": "local", "state": state,
        "lastCall": null, "hops": [], "oldToolsFrom": null, "events": [],
    }))
}

/// A value as the Server would send it.
pub(crate) fn of<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

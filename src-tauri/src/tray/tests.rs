//! The tray as a function of the status.

use serde_json::json;
use webcodex_supervisor::status::{Reason, Update};

use super::menu::{Entry, entries};
use super::*;
use crate::samples::{client, of, status};

/// The ids of a menu, submenus indented.
fn ids(entries: &[Entry]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in entries {
        match entry {
            Entry::Item { id, .. } | Entry::Check { id, .. } => found.push(id.clone()),
            Entry::Sub { entries, .. } => found.extend(ids(entries).iter().map(|id| format!("  {id}"))),
            Entry::Line => found.push("-".to_owned()),
        }
    }
    found
}

fn text_of(entries: &[Entry], wanted: &str) -> String {
    let mut items = entries.iter();
    let found = items.find_map(|entry| match entry {
        Entry::Item { id, text } if id == wanted => Some(text.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{wanted} is not in {:?}", ids(entries)))
}

fn english(status: &Status) -> Vec<Entry> {
    entries(status, words::of(status.settings.language))
}

#[test]
fn the_menu_has_everything_in_its_place() {
    let menu = english(&status());
    let wanted = [
        "truth",
        "-",
        "open",
        "  project:agent:desk:web",
        "  -",
        "  add_folder",
        "-",
        "connections:claude:local",
        "connections",
        "-",
        "pause",
        "start_at_login",
        "check_for_updates",
        "copy_diagnosis",
        "-",
        "quit",
    ];
    assert_eq!(ids(&menu), wanted);
    assert_eq!(text_of(&menu, "truth"), "Ready, 1 project, 1 client");
    for id in ids(&menu) {
        assert!(id.trim() == "-" || Click::of(id.trim()).is_some(), "{id} does nothing");
    }
    assert_eq!(Click::of("project:agent:desk:web"), Some(Click::Project("agent:desk:web".to_owned())));
}

#[test]
fn the_menu_offers_what_helps_now() {
    let paused = Status { state: StateName::Off, reason: Reason::Paused, ..status() };
    assert!(ids(&english(&paused)).contains(&"resume".to_owned()));
    assert!(!ids(&english(&paused)).contains(&"pause".to_owned()));
    let update = Update::Available { version: "2.0".to_owned(), bytes: None };
    let newer = english(&Status { update, ..status() });
    assert_eq!(text_of(&newer, "install_update"), "Install version 2.0");
    let alone = Status { projects: Vec::new(), clients: Vec::new(), ..status() };
    assert!(ids(&english(&alone)).contains(&"  add_folder".to_owned()));
}

#[test]
fn every_connection_is_shown_with_its_state() {
    let tunnel = json!({
        "id": "c1", "revision": 1, "name": "ChatGPT Work", "tunnel": "tunnel_1", "keyEndsWith": "abcd", "organization": null,
        "route": {"mode": "auto"}, "caFile": null, "autostart": true,
        "state": {"name": "waiting", "reason": "dns_failed", "nextTry": 1}, "hops": [], "routeInUse": null,
        "tunnelName": null, "lastSuccess": null, "lastCall": null, "lastToolList": null, "oldTools": false, "running": 0,
        "notices": [], "clockAheadSeconds": null, "lastRequestId": null, "events": [],
    });
    let menu =
        english(&Status { clients: vec![client("needs_you")], connections: vec![of(tunnel)], ..status() });
    assert_eq!(text_of(&menu, "connections:claude:local"), "Claude – needs you");
    assert_eq!(text_of(&menu, "connections:c1"), "ChatGPT Work – waiting");
    assert_eq!(Click::of("connections:c1"), Some(Click::Connections));
}

#[test]
fn what_is_the_same_moves_nothing() {
    let before = status();
    let later = Status { observed_at: before.observed_at + 1, calls_today: 7, ..status() };
    assert!(Face::of(&before) == Face::of(&later), "an open menu does not move without a reason");
    let reason = Reason::ApprovalWaits { count: 1 };
    let asked = Face::of(&Status { state: StateName::Working, reason, ..status() });
    assert_eq!(asked.tooltip, "WebCodex: 1 request waits for your answer");
    assert!(asked != Face::of(&before));
}

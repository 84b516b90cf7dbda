//! The programs that call, as their calls tell.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use webcodex_contracts::control::{
    Address, Client, ClientEvent, ClientEventKind, ClientKind, ClientState, Hop, HopFinding, HopName,
    HopState, LastCall, Outcome, RunnerState, Via,
};
use webcodex_store::{CallRecord, now_ms};

use super::book::Kept;
use super::view::{client_kind, client_label, is_open, outcome};
use crate::app::App;

/// A client that called within this time is there.
const ONLINE_MS: u64 = 5 * 60 * 1000;
/// What happened lately, at most.
const MAX_EVENTS: usize = 20;

/// One client: its name, and the way it comes.
type Key = (String, Via);

/// The clients, the one that called last first.
pub(super) fn of(
    app: &App,
    kept: &Kept,
    runner: &RunnerState,
    address: &Address,
    projects: u64,
) -> Vec<Client> {
    let mut known: BTreeMap<Key, Seen<'_>> = BTreeMap::new();
    let mut labels: BTreeMap<Option<&str>, String> = BTreeMap::new();
    for record in kept.calls.iter().map(|entry| &entry.record) {
        let name = record.client_name.as_deref();
        let label = labels.entry(name).or_insert_with(|| client_label(name));
        known.entry((label.clone(), record.via)).or_default().called(record);
    }
    for rejected in &kept.rejected {
        let label = client_label(Some(rejected.program.as_str()).filter(|name| !name.is_empty()));
        // Somebody who never got in is not a client; only a known one can have lost its credential.
        if let Entry::Occupied(mut entry) = known.entry((label, rejected.via)) {
            entry.get_mut().rejected(rejected.at);
        }
    }
    let parts = Parts { app, runner, address, projects };
    let mut clients: Vec<Client> =
        known.into_iter().map(|(key, seen)| client(key, seen, kept, &parts)).collect();
    clients.sort_by_key(|client| std::cmp::Reverse(client.last_call.as_ref().map(|call| call.at)));
    clients
}

#[derive(Default)]
struct Seen<'a> {
    name: Option<&'a str>,
    last: Option<&'a CallRecord>,
    rejected_at: Option<u64>,
    events: Vec<ClientEvent>,
}

impl<'a> Seen<'a> {
    /// Calls come newest first.
    fn called(&mut self, record: &'a CallRecord) {
        if self.last.is_none() {
            (self.last, self.name) = (Some(record), record.client_name.as_deref());
        }
        let outcome = outcome(record, false);
        if self.events.len() >= MAX_EVENTS || is_open(outcome) {
            return;
        }
        let kind = match outcome {
            Outcome::Finished | Outcome::Exit { .. } => ClientEventKind::CallFinished,
            _ => ClientEventKind::CallFailed,
        };
        let ms = Some(record.duration_us / 1000);
        self.events.push(ClientEvent { at: record.at_ms, kind, tool: Some(record.tool.to_owned()), ms });
    }

    fn rejected(&mut self, at: u64) {
        self.rejected_at = self.rejected_at.max(Some(at));
        self.events.push(ClientEvent { at, kind: ClientEventKind::Rejected, tool: None, ms: None });
    }
}

/// What all ways have in common.
struct Parts<'a> {
    app: &'a App,
    runner: &'a RunnerState,
    address: &'a Address,
    projects: u64,
}

fn client((label, via): Key, mut seen: Seen<'_>, kept: &Kept, parts: &Parts<'_>) -> Client {
    let kind = seen.name.map_or(ClientKind::Other, client_kind);
    let fetched = kept.tools.iter().find(|tools| Some(tools.name.as_str()) == seen.name && tools.via == via);
    let old_tools_from =
        fetched.filter(|tools| tools.tools != parts.app.control.tools).map(|tools| tools.tools_at_ms);
    let last_call = seen.last.map(|record| {
        let outcome = outcome(record, false);
        LastCall {
            at: record.at_ms,
            tool: record.tool.to_owned(),
            outcome,
            took_ms: (!is_open(outcome)).then_some(record.duration_us / 1000),
        }
    });
    seen.events.sort_by_key(|event| std::cmp::Reverse(event.at));
    seen.events.truncate(MAX_EVENTS);
    let last_at = last_call.as_ref().map(|call| call.at);
    Client {
        id: format!("{}:{}", label.to_lowercase().replace(' ', "-"), via_text(via)),
        kind,
        name: label,
        via,
        state: state(last_at, seen.rejected_at),
        hops: hops(via, last_call.as_ref(), seen.rejected_at, old_tools_from, parts),
        last_call,
        old_tools_from,
        events: seen.events,
    }
}

fn state(last_call: Option<u64>, rejected_at: Option<u64>) -> ClientState {
    match last_call {
        _ if rejected_at > last_call => ClientState::NeedsYou,
        Some(at) if now_ms().saturating_sub(at) < ONLINE_MS => ClientState::Online,
        Some(_) => ClientState::Quiet,
        None => ClientState::Waiting,
    }
}

fn hops(
    via: Via,
    last: Option<&LastCall>,
    rejected_at: Option<u64>,
    old_tools_from: Option<u64>,
    parts: &Parts<'_>,
) -> Vec<Hop> {
    let hop = |name, state, finding| Hop { name, state, finding };
    let server = HopFinding::Running { version: parts.app.version.clone() };
    let runner = match parts.runner.linked {
        true => hop(HopName::Runner, HopState::Ok, HopFinding::Linked { projects: parts.projects }),
        false => hop(HopName::Runner, HopState::Broken, HopFinding::NotLinked),
    };
    let address = match (via, &parts.address.public) {
        (Via::Local, _) => {
            let address = parts.address.local.clone();
            hop(HopName::Address, HopState::Ok, HopFinding::Listening { address })
        }
        (Via::Public, None) => hop(HopName::Address, HopState::Broken, HopFinding::NotSet),
        _ => hop(HopName::Address, HopState::Unknown, HopFinding::NotChecked),
    };
    let last_at = last.map(|call| call.at);
    let credential = match (rejected_at, last_at) {
        (Some(at), last) if Some(at) > last => {
            hop(HopName::Credential, HopState::Broken, HopFinding::Rejected { at })
        }
        (_, Some(at)) => hop(HopName::Credential, HopState::Ok, HopFinding::Accepted { at }),
        (_, None) => hop(HopName::Credential, HopState::Unknown, HopFinding::NotChecked),
    };
    let called = match last {
        Some(call) => {
            let finding = HopFinding::LastCall { at: call.at, took_ms: call.took_ms };
            hop(HopName::LastCall, HopState::Ok, finding)
        }
        None => hop(HopName::LastCall, HopState::Unknown, HopFinding::NoCall),
    };
    let mut hops = vec![hop(HopName::Server, HopState::Ok, server), runner, address, credential, called];
    if let Some(from) = old_tools_from {
        hops.push(hop(HopName::Tools, HopState::Notice, HopFinding::ToolsOld { from }));
    }
    hops
}

fn via_text(via: Via) -> &'static str {
    match via {
        Via::Local => "local",
        Via::Public => "public",
        Via::Tunnel => "tunnel",
    }
}

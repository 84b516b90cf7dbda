//! Clients that have not called yet, and the configuration that each kind of client needs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use http::Method;
use serde::Serialize;
use serde_json::{Value, json};
use webcodex_contracts::control::{
    Client, ClientKind, ClientState, Failure, Hop, HopFinding, HopName, HopState, Via,
};

use crate::commands::NOTHING;
use crate::keeper::Order;
use crate::status::{Part, PartState, Status};
use crate::supervisor::Shared;
use crate::{clock, failure};

/// Stands where a credential would.
const HIDDEN: &str = "••••••••";
/// The name of our entry in a client's configuration.
const ENTRY: &str = "webcodex";
/// The kinds of clients that are always listed, so that they can be set up.
const KINDS: [(ClientKind, &str, &str, Via); 4] = [
    (ClientKind::ChatGpt, "chatgpt", "ChatGPT", Via::Public),
    (ClientKind::ClaudeDesktop, "claude_desktop", "Claude", Via::Local),
    (ClientKind::ClaudeCode, "claude_code", "Claude Code", Via::Local),
    (ClientKind::Other, "other", "", Via::Local),
];

/// A client's ready-made configuration, with the credential hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientSetup {
    /// For which kind of client.
    pub kind: ClientKind,
    /// The file it belongs in; nothing for a command to be typed.
    pub file: Option<String>,
    /// The configuration.
    pub text: String,
    /// Whether [`crate::Supervisor::write_client_setup`] can write the file.
    pub writable: bool,
}

/// What became of a client's configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WrittenSetup {
    /// The file that was written.
    pub file: String,
    /// Where its earlier content is kept; nothing where there was none.
    pub kept_as: Option<String>,
}

/// Entries for the kinds of clients that are not among `known`.
pub(crate) fn absent(known: &[Client]) -> Vec<Client> {
    let missing = KINDS.iter().filter(|(kind, ..)| known.iter().all(|client| client.kind != *kind));
    let client = |(kind, id, name, via): &(ClientKind, &str, &str, Via)| Client {
        id: (*id).to_owned(),
        kind: *kind,
        name: (*name).to_owned(),
        via: *via,
        state: ClientState::Quiet,
        last_call: None,
        hops: Vec::new(),
        old_tools_from: None,
        events: Vec::new(),
    };
    missing.map(client).collect()
}

/// The clients as the window lists them: those that called, then those that could. While nothing serves, no way is
/// open.
pub(crate) fn listed(
    mut clients: Vec<Client>,
    status: &Status,
    serving: bool,
    checked: Option<&Hop>,
) -> Vec<Client> {
    for mut client in absent(&clients) {
        let public_missing = client.via == Via::Public && status.address.public.is_none();
        client.state = if public_missing { ClientState::Off } else { ClientState::Quiet };
        client.hops = hops(&client, status);
        clients.push(client);
    }
    let local = clients.iter_mut().filter(|client| client.via == Via::Local);
    let addresses = local.flat_map(|client| &mut client.hops).filter(|hop| hop.name == HopName::Address);
    if let Some(checked) = checked {
        addresses.for_each(|hop| hop.clone_from(checked));
    }
    if !serving {
        for client in &mut clients {
            client.state = ClientState::Off;
            // What was found on the way was found while something served.
            for hop in client.hops.iter_mut().filter(|hop| hop.name != HopName::App) {
                (hop.state, hop.finding) = (HopState::Unknown, HopFinding::NotChecked);
            }
        }
    }
    clients
}

/// Walks the way of a client. Everything but the address is known without walking.
pub(crate) async fn check(shared: &Shared, id: &str) -> Result<(), Failure> {
    let status = shared.board.status();
    let client = status.clients.iter().find(|client| client.id == id);
    let client = client
        .ok_or_else(|| failure::failure("not_found", "there is no such client", "look at the list again"))?;
    let server = shared.connection()?;
    match client.via {
        Via::Local => {
            let credential = shared.credential()?;
            let began = Instant::now();
            let answered = server.answers(&credential).await;
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let (state, finding) = match &answered {
                Ok(()) => (HopState::Ok, HopFinding::Reachable { address: server.address().to_string(), ms }),
                Err(_) => (HopState::Broken, HopFinding::NoAnswer { after_ms: ms }),
            };
            *shared.checked.lock() = Some(Hop { name: HopName::Address, state, finding });
            shared.order(Order::Tell);
            answered
        }
        // What waits for its next try does not wait any longer.
        Via::Tunnel => server.tell(Method::POST, "/control/network-changed", NOTHING).await,
        Via::Public => Err(failure::failure(
            "not_checkable",
            "whether the public address leads here cannot be seen from this computer",
            "let the client call; its last call is shown here",
        )),
    }
}

fn hops(client: &Client, status: &Status) -> Vec<Hop> {
    let hop = |name, state, finding| Hop { name, state, finding };
    let projects = status.projects.len() as u64;
    let version = || HopFinding::Running { version: status.version.clone() };
    let part = |name, part: Part, finding| match part.state {
        PartState::Running => hop(name, HopState::Ok, finding),
        _ => hop(name, HopState::Unknown, HopFinding::NotChecked),
    };
    let mut hops = vec![
        hop(HopName::App, HopState::Ok, version()),
        part(HopName::Server, status.server, version()),
        part(HopName::Runner, status.runner, HopFinding::Linked { projects }),
    ];
    hops.push(match (client.via, &status.address.public) {
        (Via::Public, None) => hop(HopName::Proxy, HopState::Unknown, HopFinding::NotSet),
        (Via::Public, Some(_)) => hop(HopName::Proxy, HopState::Unknown, HopFinding::NotChecked),
        _ => {
            let address = authority(&status.address.local).to_owned();
            hop(HopName::Address, HopState::Ok, HopFinding::Listening { address })
        }
    });
    hops.push(hop(HopName::LastCall, HopState::Unknown, HopFinding::NoCall));
    hops
}

fn authority(url: &str) -> &str {
    url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap_or(url)
}

/// The configuration with the credential hidden.
pub(crate) fn setup(shared: &Shared, kind: ClientKind) -> Result<ClientSetup, Failure> {
    let text = text(shared, kind, HIDDEN)?;
    let file = (kind == ClientKind::ClaudeDesktop).then(claude_file).flatten();
    let writable = file.is_some();
    Ok(ClientSetup { kind, file: file.map(|file| file.display().to_string()), text, writable })
}

/// The configuration with the credential in it.
pub(crate) fn setup_text(shared: &Shared, kind: ClientKind) -> Result<String, Failure> {
    text(shared, kind, shared.credential()?.expose())
}

fn text(shared: &Shared, kind: ClientKind, credential: &str) -> Result<String, Failure> {
    let address = shared.board.status().address.clone();
    if address.local.is_empty() {
        return Err(failure::not_serving());
    }
    let local = &address.local;
    Ok(match kind {
        ClientKind::ChatGpt => address.public.unwrap_or_default(),
        ClientKind::ClaudeDesktop => pretty(&json!({"mcpServers": {ENTRY: claude_entry(shared)}})),
        // A command stays in the shell's history, so it holds no credential.
        ClientKind::ClaudeCode => {
            format!("claude mcp add {ENTRY} -- \"{}\" connect", shared.config.program.display())
        }
        ClientKind::Other => {
            let headers = json!({"Authorization": format!("Bearer {credential}")});
            pretty(&json!({"mcpServers": {ENTRY: {"url": local, "headers": headers}}}))
        }
    })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Claude's desktop app starts a program and speaks to it; ours finds the Server and the credential by itself.
fn claude_entry(shared: &Shared) -> Value {
    json!({"command": shared.config.program.display().to_string(), "args": ["connect"]})
}

/// Where Claude's desktop app keeps its configuration.
fn claude_file() -> Option<PathBuf> {
    Some(webcodex_settings::config_folder()?.join("Claude").join("claude_desktop_config.json"))
}

/// Adds our entry to the configuration file of a client that has one.
pub(crate) fn write_setup(shared: &Shared, kind: ClientKind) -> Result<WrittenSetup, Failure> {
    let file = claude_file().filter(|_| kind == ClientKind::ClaudeDesktop).ok_or_else(|| {
        failure::failure("file_not_written", "this client has no file that we know", "copy the text instead")
    })?;
    write_entry(&file, claude_entry(shared))
}

fn write_entry(file: &Path, entry: Value) -> Result<WrittenSetup, Failure> {
    let failed = |error: &std::io::Error| failure::file(file, error);
    let before = match std::fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(&error)),
    };
    let known = before.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let mut all: Value =
        serde_json::from_str(known.unwrap_or("{}")).map_err(|error| failed(&error.into()))?;
    let not_ours = || failed(&std::io::Error::other("it is not built as expected"));
    let members = all.as_object_mut().ok_or_else(not_ours)?;
    let servers = members.entry("mcpServers").or_insert_with(|| json!({}));
    servers.as_object_mut().ok_or_else(not_ours)?.insert(ENTRY.to_owned(), entry);
    let kept_as = match &before {
        Some(text) => Some(keep(file, text).map_err(|error| failed(&error))?),
        None => None,
    };
    webcodex_settings::write_private(file, &pretty(&all)).map_err(|error| failed(&error))?;
    let shown = |path: &Path| path.display().to_string();
    Ok(WrittenSetup { file: shown(file), kept_as: kept_as.as_deref().map(shown) })
}

fn keep(file: &Path, text: &str) -> std::io::Result<PathBuf> {
    let kept = file.with_extension(format!("before-webcodex-{}.json", clock::now()));
    webcodex_settings::write_private(&kept, text)?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_joins_those_of_others_and_the_file_of_before_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Claude/claude_desktop_config.json");
        let entry = json!({"command": "webcodex", "args": ["connect"]});
        let first = write_entry(&file, entry.clone()).unwrap();
        assert_eq!(first.kept_as, None);
        let text = r#"{"theme":"dark","mcpServers":{"mine":{"command":"x"}}}"#;
        std::fs::write(&file, text).unwrap();
        let second = write_entry(&file, entry.clone()).unwrap();
        assert_eq!(std::fs::read_to_string(second.kept_as.unwrap()).unwrap(), text);
        let all: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(all["theme"], "dark");
        assert_eq!(all["mcpServers"], json!({"mine": {"command": "x"}, "webcodex": entry}));
        std::fs::write(&file, "not json").unwrap();
        assert!(write_entry(&file, json!({})).is_err());
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            "not json",
            "what we cannot read we do not change"
        );
    }

    #[test]
    fn every_kind_is_listed_once() {
        let all = absent(&[]);
        assert_eq!(all.len(), KINDS.len());
        assert_eq!(absent(&all), Vec::new());
    }
}

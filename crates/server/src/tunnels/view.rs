//! A connection as the desktop app shows it.

use serde::Serialize;
use webcodex_contracts::control::{
    TunnelCall, TunnelConnection, TunnelEvent, TunnelHop, TunnelHopState, TunnelState,
};
use webcodex_tunnel::ConnectionView;
use webcodex_tunnel::status::{Call, Hop, HopState, State};

use super::tool_lists::Fetched;
use super::words;

/// The hops that only the Server knows: between itself and the way out, and what ChatGPT keeps at the other end.
const RUNNER: &str = "runner";
const TOOLS: &str = "tools";

/// The connection, with what happened to it lately.
pub(super) fn shown(
    view: &ConnectionView,
    events: Vec<TunnelEvent>,
    runner_linked: bool,
    tools: Option<Fetched>,
) -> TunnelConnection {
    let ConnectionView { settings, key_ends_with, status } = view;
    TunnelConnection {
        id: settings.id.to_string(),
        revision: settings.revision,
        name: settings.name.clone(),
        tunnel: settings.tunnel.as_str().to_owned(),
        key_ends_with: key_ends_with.clone(),
        organization: settings.organization.clone(),
        route: words::shown_route(&settings.route),
        ca_file: settings.ca_file.as_ref().map(|file| file.display().to_string()),
        autostart: settings.autostart,
        state: state(&status.state),
        hops: hops(&status.hops, runner_linked, tools),
        route_in_use: status.route.clone(),
        tunnel_name: status.tunnel_name.clone(),
        last_success: status.last_success.map(|moment| moment.0),
        last_call: status.last_call.as_ref().map(call),
        last_tool_list: tools.map(|fetched| fetched.at_ms),
        old_tools: tools.is_some_and(|fetched| fetched.old),
        running: status.running as u64,
        notices: status.notices.iter().map(code).collect(),
        clock_ahead_seconds: status.clock_ahead_s,
        last_request_id: status.last_request_id.clone(),
        events,
    }
}

/// The code of a value of a closed list, as it is written in JSON.
pub(super) fn code(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(code)) => code,
        _ => String::new(),
    }
}

fn state(state: &State) -> TunnelState {
    match state {
        State::Off => TunnelState::Off,
        State::Starting => TunnelState::Starting,
        State::Checking => TunnelState::Checking,
        State::Online => TunnelState::Online,
        State::Degraded { reason } => TunnelState::Degraded { reason: code(reason) },
        State::Waiting { reason, next_try } => {
            TunnelState::Waiting { reason: code(reason), next_try: next_try.0 }
        }
        State::NeedsYou { reason } => TunnelState::NeedsYou { reason: code(reason) },
        State::Stopping => TunnelState::Stopping,
    }
}

fn call(call: &Call) -> TunnelCall {
    TunnelCall {
        at: call.at.0,
        method: call.method.clone(),
        outcome: code(&call.outcome),
        protocol: call.protocol.clone(),
    }
}

/// The tunnel's hops with the Runner behind the Server, and ChatGPT's copy of the list of tools at the end.
fn hops(observed: &[Hop], runner_linked: bool, tools: Option<Fetched>) -> Vec<TunnelHop> {
    let own = |hop: &str, state| TunnelHop { hop: hop.to_owned(), state, reason: None };
    let mut hops: Vec<_> = observed.iter().map(hop).collect();
    let runner = if runner_linked { TunnelHopState::Works } else { TunnelHopState::Broken };
    hops.insert(hops.len().min(1), own(RUNNER, runner));
    let tools = match tools {
        None => TunnelHopState::Unknown,
        Some(Fetched { old: false, .. }) => TunnelHopState::Works,
        Some(Fetched { old: true, .. }) => TunnelHopState::Attention,
    };
    hops.push(own(TOOLS, tools));
    hops
}

fn hop(hop: &Hop) -> TunnelHop {
    let (state, reason) = match hop.state {
        HopState::Unknown => (TunnelHopState::Unknown, None),
        HopState::Works => (TunnelHopState::Works, None),
        HopState::Attention(reason) => (TunnelHopState::Attention, Some(reason)),
        HopState::Broken(reason) => (TunnelHopState::Broken, Some(reason)),
    };
    TunnelHop { hop: code(&hop.hop), state, reason: reason.map(|reason| code(&reason)) }
}

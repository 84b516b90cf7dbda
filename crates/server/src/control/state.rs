//! What listeners are shown, put together from those who know.

use webcodex_contracts::control::{Address, RunnerState, ServerState};

use crate::app::App;

/// Everything but the calls.
pub(super) fn without_calls(app: &App) -> ServerState {
    ServerState {
        version: app.version.clone(),
        address: address(app),
        runner: runner(app),
        connections: app.tunnels.get().map(|tunnels| tunnels.list(app)).unwrap_or_default(),
        ..ServerState::default()
    }
}

fn address(app: &App) -> Address {
    Address { local: format!("http://{}{}", app.control.address, crate::app::MCP), public: None }
}

fn runner(app: &App) -> RunnerState {
    let linked = app.runners.status().into_iter().find(|runner| runner.online);
    RunnerState { linked: linked.is_some(), version: linked.map(|runner| runner.version) }
}

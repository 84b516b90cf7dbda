//! What serves here, and how it stands.

use webcodex_contracts::control::{TunnelConnection, TunnelHop};
use webcodex_contracts::tools::get_runtime_status::{
    ConnectionHop, ConnectionStatus, GetRuntimeStatusOutput, HostFilesStatus,
};
use webcodex_contracts::{CanonicalResult, Scope, ToolFailure};

use crate::dispatch::{Call, Incoming};

pub(crate) fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let app = call.app;
    Ok(CanonicalResult::success(GetRuntimeStatusOutput {
        version: app.version.clone(),
        ready: app.not_ready().is_none(),
        runners: app.runners.status(),
        scopes: Scope::ALL.into_iter().filter(|scope| call.has_scope(*scope)).collect(),
        mcp_host: app.policy().into(),
        host_files: host_files(call),
        connections: app
            .tunnels
            .get()
            .map(|tunnels| tunnels.list(app))
            .unwrap_or_default()
            .into_iter()
            .map(connection)
            .collect(),
    }))
}

fn host_files(call: &Call<'_>) -> HostFilesStatus {
    let Incoming { caller, via, .. } = call.incoming;
    let distrust = call.app.host_files.trusts_host_file_rewrite(caller, *via).err();
    HostFilesStatus { trusted: distrust.is_none(), reason: distrust.map(|why| why.code().to_owned()) }
}

fn connection(shown: TunnelConnection) -> ConnectionStatus {
    let (state, reason) = shown.state.code();
    ConnectionStatus {
        name: shown.name,
        state: state.to_owned(),
        reason: reason.map(str::to_owned),
        hops: shown.hops.into_iter().map(hop).collect(),
        last_success_at_ms: shown.last_success,
        last_call_at_ms: shown.last_call.map(|call| call.at),
    }
}

fn hop(shown: TunnelHop) -> ConnectionHop {
    ConnectionHop { hop: shown.hop, state: shown.state.code().to_owned(), reason: shown.reason }
}

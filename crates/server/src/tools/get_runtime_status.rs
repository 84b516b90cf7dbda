//! What serves here, and how it stands.

use webcodex_contracts::tools::get_runtime_status::GetRuntimeStatusOutput;
use webcodex_contracts::{CanonicalResult, Scope, ToolFailure};

use crate::dispatch::Call;

pub(crate) fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let app = call.app;
    Ok(CanonicalResult::success(GetRuntimeStatusOutput {
        version: app.version.clone(),
        ready: app.not_ready().is_none(),
        runners: app.runners.status(),
        scopes: Scope::ALL.into_iter().filter(|scope| call.has_scope(*scope)).collect(),
        mcp_host: app.policy().into(),
    }))
}

//! The gateway: any tool by name, under that tool's own rules.

use serde_json::Value;
use webcodex_contracts::table::{self, Descriptor};
use webcodex_contracts::tools::call_runtime_tool::{CallRuntimeTool, CallRuntimeToolParams};
use webcodex_contracts::{ErrorCode, ToolError, decode};
use webcodex_store::Door;

use crate::dispatch::refuse_nested;

/// Finds the target and leaves its arguments in `arguments`.
pub(crate) fn target(
    gateway: &Descriptor,
    arguments: &mut Value,
    door: Door,
) -> Result<&'static Descriptor, ToolError> {
    let params: CallRuntimeToolParams =
        decode::decode::<CallRuntimeTool>(arguments.take(), &gateway.input_schema)?;
    let target = table::find(&params.tool).ok_or_else(|| table::unknown_tool(&params.tool).field("tool"))?;
    if !target.has_gateway() {
        let message = format!("`{}` cannot be called through the gateway", target.name);
        let error =
            ToolError::new(ErrorCode::NotCallableThroughGateway, message).field("tool").changed(false);
        return Err(error.hint(format!("Call `{}` itself.", target.name)));
    }
    refuse_nested(&params.arguments, door)?;
    *arguments = Value::Object(params.arguments);
    Ok(target)
}

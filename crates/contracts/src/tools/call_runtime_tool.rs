//! Calls any tool by name; the way to the long tail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `call_runtime_tool.md`.
pub struct CallRuntimeTool;

impl Tool for CallRuntimeTool {
    const NAME: ToolName = ToolName::CallRuntimeTool;
    const TITLE: &'static str = "Call any tool";
    const ABOUT: &'static str = include_str!("call_runtime_tool.md");
    const EFFECT: Effect = Effect::OpenWorld;
    const SCOPE: Option<Scope> = None;
    const SIDE: Side = Side::Server;
    const EXPOSURE: Exposure = Exposure::DirectOnly;
    type Params = CallRuntimeToolParams;
    type Output = CallRuntimeToolOutput;
}

/// Arguments of `call_runtime_tool`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallRuntimeToolParams {
    /// The tool's name.
    pub tool: String,
    /// The tool's arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// Output of the called tool, whatever it is.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CallRuntimeToolOutput(pub Map<String, Value>);

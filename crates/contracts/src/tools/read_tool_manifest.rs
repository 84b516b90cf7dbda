//! Describes one tool exactly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Effect, Exposure, Scope, Side, Tool, ToolName};

/// See the text in `read_tool_manifest.md`.
pub struct ReadToolManifest;

impl Tool for ReadToolManifest {
    const NAME: ToolName = ToolName::ReadToolManifest;
    const TITLE: &'static str = "Read a tool's manifest";
    const ABOUT: &'static str = include_str!("read_tool_manifest.md");
    const EFFECT: Effect = Effect::Read;
    const SCOPE: Option<Scope> = Some(Scope::RuntimeRead);
    const SIDE: Side = Side::Server;
    const EXPOSURE: Exposure = Exposure::DirectOnly;
    type Params = ReadToolManifestParams;
    type Output = ReadToolManifestOutput;
}

/// Arguments of `read_tool_manifest`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadToolManifestParams {
    /// The tool; without it, the names and purposes of all tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
}

/// Output of `read_tool_manifest`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ReadToolManifestOutput {
    /// The tool asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolManifest>,
    /// All tools, where none was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSummary>,
    /// How to call the tool asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
}

/// A tool, exactly.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ToolManifest {
    /// The name.
    pub name: String,
    /// A short title.
    pub title: String,
    /// What it does.
    pub description: String,
    /// The scope it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Schema of the arguments.
    pub input_schema: Map<String, Value>,
    /// Schema of the result.
    pub output_schema: Map<String, Value>,
}

/// A tool in a line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ToolSummary {
    /// The name.
    pub name: String,
    /// What it does.
    pub description: String,
}

/// The ways to call a tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Route {
    /// The way to prefer.
    pub primary: RouteCall,
    /// The way when the host does not offer the direct tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<RouteCall>,
}

/// One way to call a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RouteCall {
    /// The callable in `tools/list`.
    pub tool: ToolName,
    /// Fixed arguments; the tool's own go into `arguments` of these.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

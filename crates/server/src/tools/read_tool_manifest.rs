//! One tool exactly, with the ways to call it; or all tools in a line each.

use serde_json::{Map, Value};
use webcodex_contracts::table::{self, Descriptor};
use webcodex_contracts::tools::read_tool_manifest::{
    ReadToolManifestOutput, Route, RouteCall, ToolManifest, ToolSummary,
};
use webcodex_contracts::{CanonicalResult, ToolFailure, ToolName};

use crate::dispatch::Call;

pub(crate) fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let output = match call.arguments.get("tool_name").and_then(Value::as_str) {
        None => overview(),
        Some(name) => {
            // What only pages of ours call is no tool for a model.
            let tool = table::find(name).filter(|tool| !tool.is_app_only());
            exact(tool.ok_or_else(|| table::unknown_tool(name).field("tool_name"))?)
        }
    };
    Ok(CanonicalResult::success(output))
}

fn overview() -> ReadToolManifestOutput {
    let summary =
        |tool: &Descriptor| ToolSummary { name: tool.name.to_string(), description: tool.about.to_owned() };
    let tools = table::all().iter().filter(|tool| !tool.is_app_only()).map(summary).collect();
    ReadToolManifestOutput { tool: None, tools, route: None }
}

fn exact(tool: &Descriptor) -> ReadToolManifestOutput {
    let manifest = ToolManifest {
        name: tool.name.to_string(),
        title: tool.title.to_owned(),
        description: tool.about.to_owned(),
        scope: tool.scope,
        input_schema: fields(&tool.input_schema),
        output_schema: fields(&tool.result_schema),
    };
    ReadToolManifestOutput { tool: Some(manifest), tools: Vec::new(), route: Some(route(tool)) }
}

fn fields(schema: &Value) -> Map<String, Value> {
    schema.as_object().cloned().unwrap_or_default()
}

/// How to call the tool: itself where it is listed, through the gateway otherwise.
fn route(tool: &Descriptor) -> Route {
    let itself = RouteCall { tool: tool.name, arguments: Map::new() };
    let gateway = || RouteCall {
        tool: ToolName::CallRuntimeTool,
        arguments: Map::from_iter([("tool".to_owned(), Value::from(tool.name.as_str()))]),
    };
    match (tool.is_direct(), tool.has_gateway()) {
        (true, true) => Route { primary: itself, fallback: Some(gateway()) },
        (true, false) => Route { primary: itself, fallback: None },
        (false, _) => Route { primary: gateway(), fallback: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_route_that_exists() {
        for tool in table::all().iter().filter(|tool| !tool.is_app_only()) {
            let Route { primary, fallback } = route(tool);
            for call in [Some(primary), fallback].into_iter().flatten() {
                let callable = table::get(call.tool);
                assert!(callable.is_direct(), "{}: {} is not listed", tool.name, call.tool);
                if call.tool != tool.name {
                    assert!(tool.has_gateway(), "{}", tool.name);
                    let schema = jsonschema::validator_for(&callable.input_schema).unwrap();
                    assert!(schema.is_valid(&Value::Object(call.arguments)), "{}", tool.name);
                }
            }
        }
    }

    #[test]
    fn direct_tools_come_first_and_fall_back_to_the_gateway() {
        let direct = route(table::get(ToolName::ReadFiles));
        assert_eq!(direct.primary.tool, ToolName::ReadFiles);
        assert_eq!(direct.fallback.unwrap().arguments["tool"], "read_files");
        let tail = route(table::get(ToolName::ListJobs));
        assert_eq!((tail.primary.tool, tail.fallback), (ToolName::CallRuntimeTool, None));
        assert_eq!(route(table::get(ToolName::CallRuntimeTool)).fallback, None);
    }
}

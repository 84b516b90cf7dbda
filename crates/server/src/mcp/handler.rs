//! The MCP methods we serve, over the one table of tools.

use std::sync::Arc;

use http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ExtensionCapabilities,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use webcodex_apps::Found;
use webcodex_contracts::table;
use webcodex_store::Door;

use super::Passed;
use super::lists::{Era, Lists};
use super::reply::{Presentation, to_call_tool_result};
use crate::app::App;
use crate::dispatch::{Incoming, dispatch};

/// The client whose host hides the structured content of results marked as errors.
const OPENAI_CLIENT: &str = "openai-mcp";
/// Where OpenAI's host names the conversation.
const OPENAI_SESSION: &str = "openai/session";
/// The newest revision with a handshake; what an unknown one is answered with.
const NEWEST_LEGACY: ProtocolVersion = ProtocolVersion::V_2025_11_25;
/// Methods we serve. A request that rmcp hands over as unknown although it names one of these had the wrong parameters.
const METHODS: [&str; 11] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// Those of them that the modern era has not.
const LEGACY_METHODS: [&str; 2] = ["initialize", "ping"];

/// Serves MCP requests; cheap to clone.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Inner>);

struct Inner {
    app: Arc<App>,
    info: ServerConfig,
    lists: Lists,
}

impl Handler {
    pub(crate) fn new(app: Arc<App>) -> Self {
        let server = Implementation::new("webcodex", app.version.clone()).with_title("WebCodex");
        let mut extensions = ExtensionCapabilities::new();
        extensions.insert(webcodex_apps::EXTENSION.to_owned(), webcodex_apps::extension());
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_extensions_with(extensions)
            .build();
        let info = ServerConfig::new(capabilities)
            .with_server_info(server.clone())
            .with_protocol_version(NEWEST_LEGACY)
            .with_instructions(include_str!("instructions.md").trim_ascii_end());
        Self(Arc::new(Inner { app, info, lists: Lists::new(&server) }))
    }
}

/// The era of a request, by what it says itself.
fn era(context: &RequestContext<RoleServer>) -> Era {
    match context.protocol_version() {
        Some(version) if version >= ProtocolVersion::V_2026_07_28 => Era::Modern,
        _ => Era::Legacy,
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.info.clone()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        note_tools(&self.0.app, &context);
        Ok(self.0.lists.tools(era(&context)))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(self.0.lists.resources(era(&context)))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(self.0.lists.templates(era(&context)))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(self.0.lists.prompts(era(&context)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let data = json!({"uri": request.uri});
        match webcodex_apps::find(&request.uri) {
            Found::Page(page) => Ok(self.0.lists.page(page, era(&context)).into()),
            Found::OtherVersion(page) => {
                let message = format!(
                    "this version of the page is not served; it is `{}` now: refresh the list of tools",
                    page.uri()
                );
                Err(ErrorData::resource_not_found(message, Some(data)))
            }
            Found::Nothing => Err(ErrorData::resource_not_found("there is no such resource", Some(data))),
        }
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let data = json!({"name": request.name});
        Err(ErrorData::invalid_params("there is no such prompt", Some(data)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if table::find(&request.name).is_none() {
            return Err(ErrorData::invalid_params(table::unknown_tool(&request.name).to_text(), None));
        }
        let passed = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Passed>());
        let passed =
            passed.ok_or_else(|| ErrorData::internal_error("the request carries no caller", None))?;
        let app = &self.0.app;
        let era = era(&context);
        let incoming = incoming(app, passed, &context, era);
        let by_openai = incoming.client_name.as_deref() == Some(OPENAI_CLIENT);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answer = dispatch(app, &request.name, arguments, incoming).await;
        let presentation = Presentation {
            tool: answer.tool,
            compact_execution: answer.compact_execution,
            failures_are_values: by_openai,
            text_json: app.text_json_compat,
        };
        *passed.record.lock() = Some(answer.record);
        let result = to_call_tool_result(answer.result, &presentation)?;
        Ok(result.with_meta(self.0.lists.meta(era)).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(call) = call_with_wrapped_arguments(&request) {
            return self
                .call_tool(call, context.clone())
                .await
                .and_then(|reply| custom(reply, era(&context)));
        }
        let gone = era(&context) == Era::Modern && LEGACY_METHODS.contains(&request.method.as_str());
        if !gone && METHODS.contains(&request.method.as_str()) {
            let message = format!("the parameters do not have the form that `{}` wants", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = format!("there is no method `{}`", request.method.chars().take(80).collect::<String>());
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// A `tools/call` whose arguments arrived as JSON text, which some hosts do to every object.
fn call_with_wrapped_arguments(request: &CustomRequest) -> Option<CallToolRequestParams> {
    let params = request.params.as_ref().filter(|_| request.method == "tools/call")?;
    let wrapped = params.get("arguments")?.as_str()?;
    let arguments: Map<String, Value> = serde_json::from_str(wrapped).ok()?;
    Some(CallToolRequestParams::new(params.get("name")?.as_str()?.to_owned()).with_arguments(arguments))
}

/// The same reply for a request that did not come in as a `tools/call`.
fn custom(reply: CallToolResponse, era: Era) -> Result<CustomResult, ErrorData> {
    let CallToolResponse::Complete(mut result) = reply else {
        return Err(ErrorData::internal_error("a tool asked for input", None));
    };
    if era == Era::Legacy {
        result.result_type = None;
    }
    let written = serde_json::to_value(result);
    written
        .map(CustomResult)
        .map_err(|error| ErrorData::internal_error(format!("unwritable result: {error}"), None))
}

/// Notes which client has fetched the list of tools, so that an old list can be told from a new one.
fn note_tools(app: &App, context: &RequestContext<RoleServer>) {
    let Some(passed) = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Passed>())
    else {
        return;
    };
    let own = context.meta.client_info().map(|client| client.name);
    let Some(name) = own.or_else(|| passed.origin.program.as_deref().map(str::to_owned)) else { return };
    app.control.tools_fetched(&app.store, name, passed.origin.via);
}

fn incoming(app: &App, passed: &Passed, context: &RequestContext<RoleServer>, era: Era) -> Incoming {
    let door = match era {
        Era::Legacy => Door::McpLegacy,
        Era::Modern => Door::McpModern,
    };
    let window =
        context.meta.get(OPENAI_SESSION).and_then(Value::as_str).map(|window| app.store.window_hash(window));
    // Only what this request says of itself; nothing is remembered from an `initialize`.
    let client_name = context.meta.client_info().map(|client| Arc::from(client.name));
    let incoming =
        Incoming::new(passed.caller.clone(), passed.policy, door).request_bytes(passed.request_bytes);
    let incoming = incoming.through(&passed.origin);
    Incoming { client_name, window, ..incoming }
}

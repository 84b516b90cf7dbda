//! Tools of the suite that answer at once, report progress, or ask the client (older revisions).

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ServerNotification, Tool,
};
use serde_json::{Value, json};

use super::{ClientAnswers, Context, PNG, WAV, inputs, typed};

/// Pause between two notifications, as the suite wants it.
const PAUSE: Duration = Duration::from_millis(50);

/// Names of the tools without arguments.
const PLAIN: [&str; 22] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_error_handling",
    "test_tool_with_progress",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
    "test_reconnection",
];

pub(super) fn list() -> Result<Vec<Tool>, ErrorData> {
    let with = |name: &str, properties: Value| {
        let schema = json!({"type": "object", "properties": properties});
        json!({"name": name, "description": "A fixture of the conformance suite.", "inputSchema": schema})
    };
    let mut tools: Vec<_> = PLAIN.iter().map(|name| with(name, json!({}))).collect();
    tools.push(with("test_sampling", json!({"prompt": {"type": "string"}})));
    tools.push(with("test_elicitation", json!({"message": {"type": "string"}})));
    typed(Value::Array(tools))
}

pub(super) async fn call(
    request: &CallToolRequestParams,
    context: &Context,
    answers: &ClientAnswers,
) -> Result<CallToolResponse, ErrorData> {
    let argument = |name: &str| request.arguments.as_ref().and_then(|arguments| arguments.get(name)).cloned();
    match request.name.as_ref() {
        "test_simple_text" => content(json!([text("This is a simple text response for testing.")])),
        "test_image_content" => content(json!([image()])),
        "test_audio_content" => content(json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])),
        "test_embedded_resource" => content(json!([resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content."
        )])),
        "test_multiple_content_types" => content(json!([
            text("Multiple content types test:"),
            image(),
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ])),
        "test_error_handling" => error(),
        "test_tool_with_logging" => with_logging(context).await,
        "test_tool_with_progress" => with_progress(context).await,
        "test_logging_tool" | "test_reconnection" => content(json!([text("Done.")])),
        "test_missing_capability" => needs_sampling(context),
        "test_streaming_elicitation" => {
            inputs::ask(json!({"name": inputs::form("Name?", "name", "string")}), None)
        }
        "test_sampling" => sampling(argument("prompt"), context, answers).await,
        "test_elicitation" => elicitation(argument("message"), context, answers).await,
        "test_elicitation_sep1034_defaults" => {
            elicit(defaults(), "Elicitation completed", context, answers).await
        }
        "test_elicitation_sep1330_enums" => elicit(enums(), "Elicitation completed", context, answers).await,
        _ => Err(ErrorData::invalid_params("there is no such fixture", None)),
    }
}

async fn with_logging(context: &Context) -> Result<CallToolResponse, ErrorData> {
    for (index, message) in ["started", "processing data", "completed"].iter().enumerate() {
        if index > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let text = if *message == "processing data" {
            "Tool processing data".to_owned()
        } else {
            format!("Tool execution {message}")
        };
        notify(
            context,
            json!({"method": "notifications/message", "params": {"level": "info", "data": text}}),
        )
        .await?;
    }
    content(json!([text("Logged.")]))
}

async fn with_progress(context: &Context) -> Result<CallToolResponse, ErrorData> {
    let token = context.meta.get_progress_token();
    for progress in [0, 50, 100] {
        if progress > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        if let Some(token) = &token {
            let params = json!({"progressToken": token, "progress": progress, "total": 100});
            notify(context, json!({"method": "notifications/progress", "params": params})).await?;
        }
    }
    content(json!([text("Progressed.")]))
}

async fn notify(context: &Context, notification: Value) -> Result<(), ErrorData> {
    let notification: ServerNotification = typed(notification)?;
    let sent = context.peer.send_notification(notification).await;
    sent.map_err(|error| ErrorData::internal_error(format!("notifying failed: {error}"), None))
}

fn needs_sampling(context: &Context) -> Result<CallToolResponse, ErrorData> {
    if context.meta.client_capabilities().unwrap_or_default().sampling.is_some() {
        return content(json!([text("Sampling is declared.")]));
    }
    Err(ErrorData::missing_required_client_capability(
        ClientCapabilities::builder().enable_sampling().build(),
    ))
}

async fn sampling(
    prompt: Option<Value>,
    context: &Context,
    answers: &ClientAnswers,
) -> Result<CallToolResponse, ErrorData> {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    let params = json!({"messages": [message], "maxTokens": 100});
    let answer = answers.ask(context, json!({"method": "sampling/createMessage", "params": params})).await?;
    let said = answer.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
    content(json!([text(&format!("LLM response: {said}"))]))
}

async fn elicitation(
    message: Option<Value>,
    context: &Context,
    answers: &ClientAnswers,
) -> Result<CallToolResponse, ErrorData> {
    let properties = json!({
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    });
    let schema = json!({"type": "object", "properties": properties, "required": ["username", "email"]});
    elicit(json!({"message": message, "requestedSchema": schema}), "User response", context, answers).await
}

async fn elicit(
    params: Value,
    lead: &str,
    context: &Context,
    answers: &ClientAnswers,
) -> Result<CallToolResponse, ErrorData> {
    let answer = answers.ask(context, json!({"method": "elicitation/create", "params": params})).await?;
    let action = answer["action"].as_str().unwrap_or("cancel");
    content(json!([text(&format!("{lead}: action={action}, content={}", answer["content"]))]))
}

fn defaults() -> Value {
    let properties = json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    });
    json!({"message": "Please check", "requestedSchema": {"type": "object", "properties": properties}})
}

fn enums() -> Value {
    let titled = |prefix: &str, last: &str| {
        let choice = |number: u32, word: &str| json!({"const": format!("{prefix}{number}"), "title": format!("{word} {last}")});
        json!([choice(1, "First"), choice(2, "Second"), choice(3, "Third")])
    };
    let properties = json!({
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": titled("value", "Option")},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("value", "Choice")}},
    });
    json!({"message": "Please choose", "requestedSchema": {"type": "object", "properties": properties}})
}

fn content(content: Value) -> Result<CallToolResponse, ErrorData> {
    Ok(typed::<CallToolResult>(json!({"resultType": "complete", "content": content, "isError": false}))?
        .into())
}

fn error() -> Result<CallToolResponse, ErrorData> {
    let content = json!([text("This tool intentionally returns an error for testing")]);
    Ok(typed::<CallToolResult>(json!({"resultType": "complete", "content": content, "isError": true}))?
        .into())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}

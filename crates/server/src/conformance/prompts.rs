//! Prompts of the suite.

use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult, Prompt};
use serde_json::{Value, json};

use super::{PNG, inputs, typed};

pub(super) fn list() -> Result<Vec<Prompt>, ErrorData> {
    let argument = |name: &str| json!({"name": name, "description": "An argument", "required": true});
    typed(json!([
        {"name": "test_simple_prompt", "description": "A text"},
        {"name": "test_prompt_with_arguments", "description": "Two arguments",
            "arguments": [argument("arg1"), argument("arg2")]},
        {"name": "test_prompt_with_embedded_resource", "description": "A resource inside",
            "arguments": [argument("resourceUri")]},
        {"name": "test_prompt_with_image", "description": "A picture inside"},
        {"name": "test_input_required_result_prompt", "description": "Asks back"},
    ]))
}

/// The prompt, if it is one of these.
pub(super) fn get(request: &GetPromptRequestParams) -> Result<Option<GetPromptResponse>, ErrorData> {
    let argument = |name: &str| {
        let given = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
        given.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = json!({"uri": argument("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing."});
            vec![
                json!({"type": "resource", "resource": resource}),
                text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => {
            vec![
                json!({"type": "image", "data": PNG, "mimeType": "image/png"}),
                text("Please analyze the image above."),
            ]
        }
        "test_input_required_result_prompt" => {
            match inputs::answer(request.input_responses.as_ref(), "user_context") {
                Some(_) => vec![text("The context was understood.")],
                None => return Ok(Some(ask_for_context()?.into())),
            }
        }
        _ => return Ok(None),
    };
    let messages: Vec<_> =
        contents.iter().map(|content| json!({"role": "user", "content": content})).collect();
    let result: GetPromptResult = typed(json!({"resultType": "complete", "messages": messages}))?;
    Ok(Some(result.into()))
}

fn ask_for_context() -> Result<InputRequiredResult, ErrorData> {
    let question = inputs::form("What context should the prompt use?", "context", "string");
    typed(json!({"resultType": "input_required", "inputRequests": {"user_context": question}}))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

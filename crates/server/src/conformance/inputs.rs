//! Tools that ask the client for something and are called again with its answers (2026-07-28).

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, InputRequiredResult, InputResponses,
};
use serde_json::{Map, Value, json};

use super::{Context, typed};

/// The states that were handed out. One that was not is refused.
#[derive(Clone, Default)]
pub(super) struct States(Arc<Mutex<BTreeSet<String>>>);

impl States {
    fn issue(&self, round: &str) -> String {
        let state = format!("{round}-{:032x}", rand::random::<u128>());
        self.0.lock().insert(state.clone());
        state
    }

    /// The round that the echoed state belongs to.
    fn round<'a>(&self, echoed: Option<&'a String>) -> Result<Option<&'a str>, ErrorData> {
        match echoed {
            None => Ok(None),
            Some(state) if self.0.lock().contains(state) => Ok(state.split('-').next()),
            Some(_) => Err(ErrorData::invalid_params("the request state was not issued here", None)),
        }
    }
}

/// Calls a tool that asks back.
pub(super) fn tool(
    states: &States,
    request: &CallToolRequestParams,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    let answers = request.input_responses.as_ref();
    let round = states.round(request.request_state.as_ref())?;
    match request.name.strip_prefix("test_input_required_result_").unwrap_or_default() {
        "elicitation" => {
            match answer(answers, "user_name").and_then(|answer| answer.pointer("/content/name")) {
                Some(Value::String(name)) => text(&format!("Hello, {name}!")),
                _ => ask(json!({"user_name": form("What is your name?", "name", "string")}), None),
            }
        }
        "sampling" => match answer(answers, "capital_question") {
            Some(answer) => text(&answer.to_string()),
            None => ask(json!({"capital_question": question("What is the capital of France?", 100)}), None),
        },
        "list_roots" => match answer(answers, "client_roots") {
            Some(answer) => text(&answer.to_string()),
            None => ask(json!({"client_roots": roots()}), None),
        },
        "request_state" | "tampered_state" => match (answer(answers, "confirm"), round) {
            (Some(_), Some(_)) => text("state-ok"),
            _ => {
                ask(json!({"confirm": form("Please confirm", "ok", "boolean")}), Some(states.issue("first")))
            }
        },
        "multiple_inputs" => several(states, answers),
        "multi_round" => rounds(states, round),
        "capabilities" => only_declared(context),
        _ => Err(ErrorData::invalid_params("there is no such fixture", None)),
    }
}

fn several(states: &States, answers: Option<&InputResponses>) -> Result<CallToolResponse, ErrorData> {
    if ["user_name", "greeting", "client_roots"].iter().all(|key| answer(answers, key).is_some()) {
        return text("All answers are here.");
    }
    let questions = json!({
        "user_name": form("What is your name?", "name", "string"),
        "greeting": question("Generate a greeting", 50),
        "client_roots": roots(),
    });
    ask(questions, Some(states.issue("first")))
}

fn rounds(states: &States, round: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    match round {
        Some("first") => {
            let question = form("Step 2: What is your favorite color?", "color", "string");
            ask(json!({"step2": question}), Some(states.issue("second")))
        }
        Some(_) => text("Both steps are done."),
        None => {
            let question = form("Step 1: What is your name?", "name", "string");
            ask(json!({"step1": question}), Some(states.issue("first")))
        }
    }
}

/// Asks only for what the client has declared.
fn only_declared(context: &Context) -> Result<CallToolResponse, ErrorData> {
    let declared = context.meta.client_capabilities().unwrap_or_default();
    let mut questions = Map::new();
    if declared.elicitation.is_some() {
        questions.insert("user_name".to_owned(), form("What is your name?", "name", "string"));
    }
    if declared.sampling.is_some() {
        questions.insert("greeting".to_owned(), question("Generate a greeting", 50));
    }
    if questions.is_empty() { text("Nothing can be asked.") } else { ask(Value::Object(questions), None) }
}

/// The client's answer to `key`, if it is an object.
pub(super) fn answer<'a>(answers: Option<&'a InputResponses>, key: &str) -> Option<&'a Value> {
    answers?.get(key).filter(|answer| answer.is_object())
}

/// A form with one field.
pub(super) fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}})
}

fn question(text: &str, max_tokens: u32) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": max_tokens}})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// The interim result with `questions`.
pub(super) fn ask(questions: Value, state: Option<String>) -> Result<CallToolResponse, ErrorData> {
    let mut result = json!({"resultType": "input_required", "inputRequests": questions});
    if let Some(state) = state {
        result["requestState"] = Value::from(state);
    }
    Ok(typed::<InputRequiredResult>(result)?.into())
}

fn text(text: &str) -> Result<CallToolResponse, ErrorData> {
    let result =
        json!({"resultType": "complete", "content": [{"type": "text", "text": text}], "isError": false});
    Ok(typed::<CallToolResult>(result)?.into())
}

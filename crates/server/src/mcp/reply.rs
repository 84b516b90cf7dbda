//! From the canonical result to what MCP hosts get.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use webcodex_contracts::{CanonicalResult, ToolName};

use super::{compact, sentence};

/// How a result is shown to one client.
pub(super) struct Presentation {
    /// The tool that did the work.
    pub(super) tool: Option<ToolName>,
    /// `_wc.compact_execution`.
    pub(super) compact_execution: bool,
    /// The host throws away the data of results marked as errors, so failures are not marked.
    pub(super) failures_are_values: bool,
    /// The deployment wants the canonical JSON in the text too.
    pub(super) text_json: bool,
}

/// Structured content is the canonical result; the text is one sentence about it.
pub(super) fn to_call_tool_result(
    mut result: CanonicalResult,
    presentation: &Presentation,
) -> Result<CallToolResult, ErrorData> {
    let sentence = sentence::about(presentation.tool, &result);
    if let Some(tool) = presentation.tool.filter(|_| presentation.compact_execution) {
        compact::project(tool, &mut result.output);
    }
    let unwritable =
        |error: serde_json::Error| ErrorData::internal_error(format!("unwritable result: {error}"), None);
    let text = match presentation.text_json {
        true => serde_json::to_string(&result).map_err(unwritable)?,
        false => sentence,
    };
    let content = vec![ContentBlock::text(text)];
    let mut reply = match result.success || presentation.failures_are_values {
        true => CallToolResult::success(content),
        false => CallToolResult::error(content),
    };
    reply.structured_content = Some(result.into_json().map_err(unwritable)?);
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webcodex_contracts::{ErrorCode, ToolError};

    use super::*;

    fn present(result: CanonicalResult, change: impl FnOnce(&mut Presentation)) -> serde_json::Value {
        let mut presentation = Presentation {
            tool: Some(ToolName::ReadFiles),
            compact_execution: false,
            failures_are_values: false,
            text_json: false,
        };
        change(&mut presentation);
        serde_json::to_value(to_call_tool_result(result, &presentation).unwrap()).unwrap()
    }

    fn failure() -> CanonicalResult {
        CanonicalResult::from(ToolError::new(ErrorCode::NotFound, "there is no file `x`").changed(false))
    }

    #[test]
    fn a_failure_is_marked_except_for_the_host_that_hides_it() {
        let shown = present(failure(), |_| {});
        assert_eq!(
            (&shown["isError"], &shown["structuredContent"]["success"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(shown["content"][0]["text"], "there is no file `x`. Nothing was changed.");
        let shown = present(failure(), |presentation| presentation.failures_are_values = true);
        assert_eq!(shown["isError"], false);
        assert_eq!(shown["structuredContent"]["error"]["code"], "not_found", "nothing of it is lost");
    }

    #[test]
    fn the_text_is_a_sentence_unless_the_deployment_wants_json() {
        let result =
            || CanonicalResult::success(json!({"items": [{"success": true, "path": "a", "text": "secret"}]}));
        let shown = present(result(), |_| {});
        assert_eq!(shown["content"][0]["text"], "Read 1 file.");
        let shown = present(result(), |presentation| presentation.text_json = true);
        let text: serde_json::Value =
            serde_json::from_str(shown["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, shown["structuredContent"]);
    }
}

//! Resources of the suite.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResponse, ReadResourceResult, Resource, ResourceTemplate};
use serde_json::{Value, json};

use super::{PNG, typed};

pub(super) fn list() -> Result<Vec<Resource>, ErrorData> {
    typed(json!([
        {"uri": "test://static-text", "name": "Static text", "description": "A text", "mimeType": "text/plain"},
        {"uri": "test://static-binary", "name": "Static binary", "description": "A picture", "mimeType": "image/png"},
        {"uri": "test://watched-resource", "name": "Watched", "description": "For subscriptions", "mimeType": "text/plain"},
    ]))
}

pub(super) fn templates() -> Result<Vec<ResourceTemplate>, ErrorData> {
    typed(json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "Template",
        "description": "Data by id",
        "mimeType": "application/json",
    }]))
}

/// The resource, if it is one of these.
pub(super) fn read(uri: &str) -> Result<Option<ReadResourceResponse>, ErrorData> {
    let content = match uri {
        "test://static-text" => {
            json!({"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."})
        }
        "test://watched-resource" => json!({"uri": uri, "mimeType": "text/plain", "text": "Watched."}),
        "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
        _ => match uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data")) {
            Some(id) => json!({"uri": uri, "mimeType": "application/json", "text": template(id)}),
            None => return Ok(None),
        },
    };
    let result: ReadResourceResult = typed(json!({
        "resultType": "complete", "contents": [content], "ttlMs": 0, "cacheScope": "private"}))?;
    Ok(Some(result.into()))
}

fn template(id: &str) -> String {
    let data: Value = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
    data.to_string()
}

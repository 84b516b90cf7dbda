//! The `Mcp-*` headers that a modern request must carry, filled in for requests that came through a tunnel.
//!
//! The tunnel's service decides which headers travel with a command. What it leaves out is taken from the body, which
//! says the same; what is there and differs is refused as at every other door.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// The first revision in which requests name themselves in headers.
const MODERN: &str = "2026-07-28";

#[derive(Deserialize)]
struct Body {
    method: String,
    #[serde(default)]
    params: Params,
}

#[derive(Deserialize, Default)]
struct Params {
    #[serde(rename = "_meta", default)]
    meta: Meta,
    name: Option<String>,
    uri: Option<String>,
    #[serde(rename = "taskId")]
    task_id: Option<String>,
}

#[derive(Deserialize, Default)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    protocol_version: Option<String>,
}

/// Fills in what a modern request lacks. Does nothing to requests of the older era and to bodies that are no request.
pub fn fill(headers: &mut HeaderMap, body: &[u8]) {
    let Ok(Body { method, params }) = serde_json::from_slice::<Body>(body) else { return };
    let Some(version) = params.meta.protocol_version.filter(|version| version.as_str() >= MODERN) else {
        return;
    };
    let name = match method.as_str() {
        "tools/call" | "prompts/get" => params.name,
        "resources/read" => params.uri,
        method if method.starts_with("tasks/") => params.task_id,
        _ => None,
    };
    let wanted = [(PROTOCOL_VERSION, Some(version)), (METHOD, Some(method)), (NAME, name)];
    for (header, value) in wanted.into_iter().filter_map(|(header, value)| Some((header, value?))) {
        if !headers.contains_key(&header)
            && let Some(value) = header_value(&value)
        {
            tracing::debug!(%header, "filled in from the body of a tunnel's command");
            headers.insert(header, value);
        }
    }
}

/// Plain ASCII as it is; everything else as the specification wraps it.
fn header_value(text: &str) -> Option<HeaderValue> {
    let plain = text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) && !text.starts_with("=?");
    let wrapped = (!plain).then(|| format!("=?base64?{}?=", STANDARD.encode(text)));
    HeaderValue::from_str(wrapped.as_deref().unwrap_or(text)).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn filled(
        headers: &[(&'static str, &'static str)],
        method: &str,
        params: Value,
    ) -> Vec<(String, String)> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_static(value));
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        fill(&mut map, body.as_bytes());
        let mut all: Vec<_> =
            map.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
        all.sort();
        all
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_modern_request_gets_what_it_lacks_and_nothing_is_overwritten() {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        assert_eq!(
            filled(&[], "tools/call", json!({"_meta": meta, "name": "read_files"})),
            pairs(&[
                ("mcp-method", "tools/call"),
                ("mcp-name", "read_files"),
                ("mcp-protocol-version", "2026-07-28")
            ])
        );
        assert_eq!(
            filled(
                &[("mcp-method", "tools/list")],
                "resources/read",
                json!({"_meta": meta, "uri": "ui://名"})
            ),
            pairs(&[
                ("mcp-method", "tools/list"),
                ("mcp-name", "=?base64?dWk6Ly/lkI0=?="),
                ("mcp-protocol-version", "2026-07-28")
            ])
        );
        assert_eq!(
            filled(&[], "tools/list", json!({"_meta": meta})),
            pairs(&[("mcp-method", "tools/list"), ("mcp-protocol-version", "2026-07-28")])
        );
    }

    #[test]
    fn a_request_of_the_older_era_stays_as_it_is() {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2025-11-25"});
        assert_eq!(filled(&[], "tools/call", json!({"_meta": meta, "name": "x"})), []);
        assert_eq!(filled(&[], "tools/call", json!({"name": "x"})), []);
        assert_eq!(filled(&[], "initialize", Value::Null), []);
    }
}

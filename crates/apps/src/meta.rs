//! What hosts are told about pages and the tools around them, in the words of MCP Apps and where ChatGPT needs them
//! its own too.

use serde_json::{Map, Value, json};
use webcodex_contracts::{ToolName, table};

use crate::page::{MIME_TYPE, Page};
use crate::pages::ALL;

/// The name under which both sides declare MCP Apps.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// Our side of that declaration.
pub fn extension() -> Map<String, Value> {
    object(json!({"mimeTypes": [MIME_TYPE]}))
}

impl Page {
    /// `_meta` of the page, in `resources/list` and in `resources/read` alike.
    pub fn meta(&self) -> Map<String, Value> {
        object(json!({
            "ui": {
                "csp": {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []},
                "prefersBorder": true,
            },
            "openai/widgetCSP": {"connect_domains": [], "resource_domains": []},
            "openai/widgetPrefersBorder": true,
            "openai/widgetDescription": self.about,
            "openai/ui": {"availableDisplayModes": ["inline", "fullscreen"], "preferredDisplayMode": "inline"},
        }))
    }
}

/// `_meta` of a tool that belongs to a page; `None` for all others.
///
/// A tool that shows a page names it and stays visible to models. One that only the page calls names none: ChatGPT
/// refuses private tools that declare a page.
pub fn tool_meta(tool: ToolName) -> Option<Map<String, Value>> {
    if table::get(tool).is_app_only() {
        return Some(object(json!({
            "ui": {"visibility": ["app"]},
            "openai/widgetAccessible": true,
        })));
    }
    let page = ALL.iter().find(|page| page.card == tool || page.panel == Some(tool))?;
    let uri = page.uri();
    let mut meta = object(json!({
        "ui": {"resourceUri": uri},
        "ui/resourceUri": uri,
        "openai/outputTemplate": uri,
    }));
    if page.panel == Some(tool) {
        meta.insert("openai/ui".to_owned(), json!({"entrypoints": [{"type": "thread"}]}));
    }
    Some(meta)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_calls_names_no_page_and_what_shows_it_is_no_secret() {
        for page in ALL {
            for tool in page.calls {
                let meta = tool_meta(*tool).unwrap();
                assert_eq!(meta["ui"], json!({"visibility": ["app"]}), "{tool}");
                assert!(!Value::Object(meta).to_string().contains("ui://"), "{tool}");
            }
            for tool in [Some(page.card), page.panel].into_iter().flatten() {
                let meta = tool_meta(tool).unwrap();
                assert_eq!(
                    meta["ui"],
                    json!({"resourceUri": page.uri()}),
                    "{tool}: visible to model and page"
                );
                assert_eq!(meta["openai/outputTemplate"], meta["ui"]["resourceUri"], "{tool}");
            }
        }
        let panel = tool_meta(ToolName::WorkResultThreadPanel).unwrap();
        assert_eq!(panel["openai/ui"], json!({"entrypoints": [{"type": "thread"}]}));
        let schema = &table::get(ToolName::WorkResultThreadPanel).input_schema;
        assert!(schema.get("required").is_none(), "an entrypoint is called with nothing");
    }

    #[test]
    fn a_page_declares_no_domain_at_all() {
        for page in ALL {
            let meta = page.meta();
            let csp = meta["ui"]["csp"]
                .as_object()
                .unwrap()
                .values()
                .chain(meta["openai/widgetCSP"].as_object().unwrap().values());
            assert!(csp.into_iter().all(|domains| domains == &json!([])), "{}", page.name);
        }
    }
}

//! Pages of MCP Apps in the desktop window, and the tools that the window calls for the person.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `GET /control/apps?uri=…`: a page, as every host gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppPage {
    /// Its `ui://` address.
    pub uri: String,
    /// The whole document.
    pub html: String,
    /// What it declares that it may load: whole origins, by their kind.
    pub csp: BTreeMap<String, Vec<String>>,
    /// The tools that it may call.
    pub tools: Vec<String>,
}

/// `POST /control/apps/call`: a call for the person at this computer, who sees every session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AppCall {
    /// The tool: one that pages may call, or `restore_changes`.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

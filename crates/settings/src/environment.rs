//! The environment variables that WebCodex reads, declared once.

use std::collections::BTreeMap;

/// One environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: &'static str,
    /// What it does and what it may hold, in a sentence or two.
    pub about: &'static str,
    /// What holds where it is not set.
    pub default: &'static str,
    /// Whether its value must never be shown.
    pub secret: bool,
}

macro_rules! variables {
    ($($ident:ident = $name:literal, $default:literal, $secret:ident, $about:literal;)+) => {
        $(#[doc = $about] pub const $ident: &str = $name;)+
        /// Every variable, in the order of the documentation.
        pub const VARIABLES: &[Variable] = &[$(Variable {
            name: $name, about: $about, default: $default, secret: variables!(@ $secret),
        },)+];
    };
    (@ secret) => { true };
    (@ plain) => { false };
}

variables! {
    DATA_DIR = "WEBCODEX_DATA_DIR", "the system's folder for application data", plain,
        "Moves every folder of WebCodex, for tests and for portable use.";
    ADDR = "WEBCODEX_ADDR", "127.0.0.1 and a remembered port", plain,
        "Loopback address and port of the Server, as `127.0.0.1:8790`; port 0 takes a free one.";
    TOKEN = "WEBCODEX_TOKEN", "a generated credential in an owner-only file", secret,
        "Credential that opens the Server, for headless use.";
    PUBLIC_URL = "WEBCODEX_PUBLIC_URL", "none", plain,
        "Public https address under which a proxy makes the Server reachable; its host name is then accepted.";
    HOST_PROFILE = "WEBCODEX_MCP_HOST_PROFILE", "direct", plain,
        "Waiting profile of requests that name none: `direct` or `host_code_mode`.";
    BUDGET_SECS = "WEBCODEX_MCP_BUDGET_SECS", "55", plain,
        "Seconds a host waits for an answer; requests can only shorten it.";
    TEXT_JSON = "WEBCODEX_MCP_TEXT_JSON_COMPAT", "false", plain,
        "`true` repeats results as JSON text, for hosts that hide structured content from the model.";
    TRUST_HOST_FILES = "WEBCODEX_MCP_TRUST_LOOPBACK_API_TOKEN_FILE_IMPORT", "false; true for the desktop app's own Server", plain,
        "`true` believes the file addresses that ChatGPT's host puts into calls, on a loopback Server and from a client's or the tunnel's credential only. No tool takes such files yet; `get_runtime_status` shows what holds.";
    ALLOWED_ROOTS = "WEBCODEX_ALLOWED_ROOTS", "any folder of yours", plain,
        "Folders that projects must lie in, separated like PATH.";
    TUNNEL_ID = "CONTROL_PLANE_TUNNEL_ID", "none", plain,
        "Tunnel ID of the OpenAI Secure MCP Tunnel, for `share --tunnel openai` and `server tunnel`.";
    TUNNEL_KEY = "CONTROL_PLANE_API_KEY", "none", secret,
        "Runtime API key (Tunnels: Read and Use) that goes with the Tunnel ID.";
    TUNNEL_ORGANIZATION = "CONTROL_PLANE_ORGANIZATION_ID", "none", plain,
        "Organization that owns the tunnel, where OpenAI asks for it.";
    TUNNEL_BASE_URL = "CONTROL_PLANE_BASE_URL", "https://api.openai.com", plain,
        "Another control plane; plain http only on this computer.";
    TUNNEL_FILL_HEADERS = "WEBCODEX_TUNNEL_FILL_HEADERS", "true", plain,
        "`false` refuses modern MCP requests of the tunnel that lack their `Mcp-*` headers, as at every other door.";
    UPDATE_URL = "WEBCODEX_UPDATE_URL", "the address the app was built with", plain,
        "Where the desktop app looks for a newer version; what it finds must be signed with the key the app was built with.";
    UPDATE_KEY = "WEBCODEX_UPDATE_KEY", "the key the app was built with", plain,
        "Another key for newer versions. Only builds for debugging hear of it.";
    WINDOW_RELEASE_SECS = "WEBCODEX_WINDOW_RELEASE_SECS", "60", plain,
        "Seconds after which the memory of a closed window is given back.";
    LOG = "WEBCODEX_LOG", "warn", plain,
        "What is logged, as `info` or `webcodex_link=debug`.";
}

/// The values of our variables.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<&'static str, String>);

impl Environment {
    /// The values of this process. Empty ones count as not set.
    pub fn of_process() -> Self {
        let set = |variable: &Variable| {
            let value = std::env::var(variable.name).ok().filter(|value| !value.is_empty())?;
            Some((variable.name, value))
        };
        Self(VARIABLES.iter().filter_map(set).collect())
    }

    /// Whether this process was started from a shell rather than by a desktop or a service.
    pub fn has_shell_mark() -> bool {
        cfg!(windows) || ["SHLVL", "TERM"].iter().any(|name| std::env::var_os(name).is_some())
    }

    /// These values instead, for tests and for programs that start WebCodex in-process.
    pub fn from_pairs(pairs: &[(&'static str, &str)]) -> Self {
        Self(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The variables that are set; values of secret ones are replaced.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, &str)> {
        VARIABLES.iter().filter_map(|variable| {
            let value = self.get(variable.name)?;
            Some((variable.name, if variable.secret { "(set, not shown)" } else { value }))
        })
    }
}

//! `settings.toml`: what the user wrote. Unknown keys are refused so that a typing error does not pass silently.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use webcodex_contracts::policy::HostProfile;

use crate::SettingsError;

/// The settings file; everything in it is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsFile {
    /// Loopback address and port of the Server.
    pub addr: Option<String>,
    /// Public https address.
    pub public_url: Option<String>,
    /// Folders that projects must lie in.
    pub allowed_roots: Vec<PathBuf>,
    /// How hosts wait.
    pub mcp: McpSection,
}

/// `[mcp]` of the settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpSection {
    /// Default waiting profile.
    pub host_profile: Option<HostProfile>,
    /// Seconds a host waits.
    pub budget_secs: Option<u64>,
    /// Whether results are repeated as JSON text.
    pub text_json_compat: Option<bool>,
}

impl SettingsFile {
    /// Reads the file; one that does not exist is empty.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(SettingsError::Unreadable { path: path.to_path_buf(), source }),
        };
        toml_edit::de::from_str(&text)
            .map_err(|error| SettingsError::Invalid { path: path.to_path_buf(), reason: error.to_string() })
    }
}

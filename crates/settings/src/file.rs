//! `settings.toml`: what the user wrote. Unknown keys are refused so that a typing error does not pass silently.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use webcodex_contracts::policy::HostProfile;

use crate::SettingsError;
use crate::desktop::DesktopSection;

/// The settings file; everything in it is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsFile {
    /// Loopback address and port of the Server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addr: Option<String>,
    /// Public https address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,
    /// Folders that projects must lie in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_roots: Vec<PathBuf>,
    /// How hosts wait.
    pub mcp: McpSection,
    /// What a person chose in the window.
    pub desktop: DesktopSection,
}

/// `[mcp]` of the settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpSection {
    /// Default waiting profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_profile: Option<HostProfile>,
    /// Seconds a host waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_secs: Option<u64>,
    /// Whether results are repeated as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_json_compat: Option<bool>,
    /// Whether file addresses that a host puts into calls are believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust_loopback_api_token_file_import: Option<bool>,
}

impl SettingsFile {
    /// Reads the file; one that does not exist is empty.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(SettingsError::Unreadable { path: path.to_path_buf(), source }),
        };
        Self::parse(path, &text)
    }

    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, SettingsError> {
        toml_edit::de::from_str(text)
            .map_err(|error| SettingsError::Invalid { path: path.to_path_buf(), reason: error.to_string() })
    }
}

//! The settings in force: environment before file before default.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use webcodex_contracts::policy::{DEFAULT_BUDGET_SECS, HostProfile};

use crate::environment::{self as env, Environment};
use crate::file::SettingsFile;
use crate::{Folders, Secret};

/// Complete and valid settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where everything is kept.
    pub folders: Folders,
    /// Loopback address; port 0 where none is fixed.
    pub addr: SocketAddr,
    /// Public https address.
    pub public_url: Option<String>,
    /// A credential given by the environment.
    pub token: Option<Secret>,
    /// Default waiting profile.
    pub host_profile: HostProfile,
    /// Seconds a host waits.
    pub budget_secs: u64,
    /// Whether results are repeated as JSON text.
    pub text_json_compat: bool,
    /// Whether file addresses that a host puts into calls are believed, where somebody has said so.
    pub trust_host_files: Option<bool>,
    /// Folders that projects must lie in; empty: any.
    pub allowed_roots: Vec<PathBuf>,
    /// The OpenAI Secure MCP Tunnel.
    pub tunnel: TunnelSettings,
    /// What is logged.
    pub log: String,
}

/// What the environment says about the OpenAI Secure MCP Tunnel.
#[derive(Debug, Clone)]
pub struct TunnelSettings {
    /// The Tunnel ID, as it was given.
    pub id: Option<String>,
    /// The runtime API key.
    pub key: Option<Secret>,
    /// The organization that owns the tunnel.
    pub organization: Option<String>,
    /// Another control plane than OpenAI's.
    pub base_url: Option<String>,
    /// Whether absent `Mcp-*` headers of modern requests are filled in from their body.
    pub fill_headers: bool,
}

impl TunnelSettings {
    /// What `environment` says.
    ///
    /// # Errors
    /// A value does not fit.
    pub fn of(environment: &Environment) -> Result<Self, SettingsError> {
        let text = |name| environment.get(name).map(str::to_owned);
        Ok(Self {
            id: text(env::TUNNEL_ID),
            key: text(env::TUNNEL_KEY).map(Secret::new),
            organization: text(env::TUNNEL_ORGANIZATION),
            base_url: text(env::TUNNEL_BASE_URL),
            fill_headers: switch(environment, env::TUNNEL_FILL_HEADERS)?.unwrap_or(true),
        })
    }
}

impl Default for TunnelSettings {
    fn default() -> Self {
        Self { id: None, key: None, organization: None, base_url: None, fill_headers: true }
    }
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The system names no folder for application data.
    #[error("the system names no folder for application data; set WEBCODEX_DATA_DIR to a folder of yours")]
    NoDataFolder,
    /// The file cannot be read.
    #[error("the settings file `{}` cannot be read: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("the settings file `{}` cannot be written: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is damaged or holds something unknown.
    #[error("the settings file `{}` is not valid: {reason}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A value does not fit.
    #[error("{name} is `{value}`, which is not {wanted}")]
    Value {
        /// The variable or key.
        name: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        wanted: &'static str,
    },
}

impl Settings {
    /// Reads the environment and the settings file.
    pub fn load(environment: &Environment) -> Result<Self, SettingsError> {
        let folders = Folders::find(environment).ok_or(SettingsError::NoDataFolder)?;
        let file = SettingsFile::read(&folders.settings_file())?;
        Self::resolve(folders, environment, file)
    }

    /// The same settings with everything kept in another folder.
    #[must_use]
    pub fn in_data(mut self, data: &std::path::Path) -> Self {
        self.folders = self.folders.in_data(data);
        self
    }

    pub(crate) fn resolve(
        folders: Folders,
        environment: &Environment,
        file: SettingsFile,
    ) -> Result<Self, SettingsError> {
        let text = |name, from_file: Option<String>| environment.get(name).map(str::to_owned).or(from_file);
        let addr = match text(env::ADDR, file.addr) {
            Some(value) => parse_addr(value)?,
            None => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        };
        let host_profile = match environment.get(env::HOST_PROFILE) {
            Some("direct") => HostProfile::Direct,
            Some("host_code_mode") => HostProfile::HostCodeMode,
            Some(other) => return Err(value(env::HOST_PROFILE, other, "`direct` or `host_code_mode`")),
            None => file.mcp.host_profile.unwrap_or_default(),
        };
        let budget_secs = match environment.get(env::BUDGET_SECS) {
            Some(text) => text.parse().ok().filter(|secs| *secs > 0),
            None => Some(file.mcp.budget_secs.unwrap_or(DEFAULT_BUDGET_SECS)).filter(|secs| *secs > 0),
        };
        let given = || environment.get(env::BUDGET_SECS).unwrap_or("0").to_owned();
        let budget_secs = budget_secs
            .ok_or_else(|| value(env::BUDGET_SECS, &given(), "a whole number of seconds above 0"))?;
        let text_json_compat =
            switch(environment, env::TEXT_JSON)?.or(file.mcp.text_json_compat).unwrap_or(false);
        let trust_host_files =
            switch(environment, env::TRUST_HOST_FILES)?.or(file.mcp.trust_loopback_api_token_file_import);
        let allowed_roots = match environment.get(env::ALLOWED_ROOTS) {
            Some(roots) => std::env::split_paths(roots).filter(|root| root.is_absolute()).collect(),
            None => file.allowed_roots,
        };
        Ok(Self {
            folders,
            addr,
            public_url: text(env::PUBLIC_URL, file.public_url),
            token: environment.get(env::TOKEN).map(|token| Secret::new(token.to_owned())),
            host_profile,
            budget_secs,
            text_json_compat,
            trust_host_files,
            allowed_roots,
            tunnel: TunnelSettings::of(environment)?,
            log: environment.get(env::LOG).unwrap_or("warn").to_owned(),
        })
    }
}

/// A variable that is `true` or `false`; `None` where it is not set.
fn switch(environment: &Environment, name: &'static str) -> Result<Option<bool>, SettingsError> {
    match environment.get(name) {
        Some("true" | "1") => Ok(Some(true)),
        Some("false" | "0") => Ok(Some(false)),
        Some(other) => Err(value(name, other, "`true` or `false`")),
        None => Ok(None),
    }
}

fn value(name: &'static str, value: &str, wanted: &'static str) -> SettingsError {
    SettingsError::Value { name, value: value.to_owned(), wanted }
}

fn parse_addr(text: String) -> Result<SocketAddr, SettingsError> {
    let spelled = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = spelled.as_deref().unwrap_or(&text).parse::<SocketAddr>();
    let loopback = |addr: &SocketAddr| match addr.ip() {
        IpAddr::V4(ip) => ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_loopback(),
    };
    parsed
        .ok()
        .filter(loopback)
        .ok_or_else(|| value(env::ADDR, &text, "a loopback address with a port, as `127.0.0.1:8790`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(pairs: &[(&'static str, &str)], file: &str) -> Result<Settings, SettingsError> {
        let folders = Folders { data: "/data".into(), home: None };
        let file = toml_edit::de::from_str(file).expect("the test's file is valid");
        Settings::resolve(folders, &Environment::from_pairs(pairs), file)
    }

    #[test]
    fn environment_comes_before_file_before_default() {
        let file = "addr = \"127.0.0.1:9\"\n[mcp]\nbudget_secs = 30\nhost_profile = \"host_code_mode\"\n";
        let settings = resolve(&[], file).unwrap();
        assert_eq!((settings.addr.port(), settings.budget_secs), (9, 30));
        assert_eq!(settings.host_profile, HostProfile::HostCodeMode);
        let pairs = [("WEBCODEX_ADDR", "localhost:7"), ("WEBCODEX_MCP_BUDGET_SECS", "20")];
        let settings = resolve(&pairs, file).unwrap();
        assert_eq!((settings.addr.port(), settings.budget_secs), (7, 20));
        assert_eq!(resolve(&[], "").unwrap().budget_secs, 55);
    }

    #[test]
    fn wrong_values_are_refused_with_the_right_ones() {
        for pair in [
            ("WEBCODEX_ADDR", "0.0.0.0:1"),
            ("WEBCODEX_ADDR", "example.org:1"),
            ("WEBCODEX_MCP_BUDGET_SECS", "0"),
            ("WEBCODEX_MCP_HOST_PROFILE", "fast"),
            ("WEBCODEX_MCP_TEXT_JSON_COMPAT", "maybe"),
        ] {
            let error = resolve(&[pair], "").unwrap_err().to_string();
            assert!(error.contains(pair.0) && error.contains(pair.1), "{error}");
        }
    }

    #[test]
    fn whether_files_of_a_host_are_believed_is_open_until_somebody_says_so() {
        let name = "WEBCODEX_MCP_TRUST_LOOPBACK_API_TOKEN_FILE_IMPORT";
        let file = "[mcp]\ntrust_loopback_api_token_file_import = true\n";
        let said = |pairs: &[(&'static str, &str)], file| resolve(pairs, file).unwrap().trust_host_files;
        assert_eq!(said(&[], ""), None);
        assert_eq!(said(&[], file), Some(true));
        assert_eq!(said(&[(name, "false")], file), Some(false));
        assert_eq!(said(&[(name, "true")], ""), Some(true));
        assert!(resolve(&[(name, "perhaps")], "").unwrap_err().to_string().contains(name));
    }

    #[test]
    fn a_typing_error_in_the_file_is_not_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, "adr = \"127.0.0.1:9\"\n").unwrap();
        let error = SettingsFile::read(&path).unwrap_err().to_string();
        assert!(error.contains("adr"), "{error}");
    }

    #[test]
    fn a_token_is_not_shown() {
        let environment = Environment::from_pairs(&[("WEBCODEX_TOKEN", "hush")]);
        assert!(environment.shown().all(|(_, value)| value != "hush"));
    }
}

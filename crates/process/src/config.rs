//! What a Runner decides about its commands.

use std::ffi::OsString;
use std::path::PathBuf;

/// Settings of [`crate::Jobs`].
#[derive(Debug, Clone)]
pub struct JobsConfig {
    /// The Runner's data folder; records and logs are in `jobs` in it.
    pub data_dir: PathBuf,
    /// The Runner's tag in job ids, see `ClientId::routing_tag`.
    pub routing_tag: String,
    /// Where the search path of commands comes from.
    pub path_source: PathSource,
    /// The variables that commands get, before ours are taken out.
    pub environment: Vec<(OsString, OsString)>,
}

impl JobsConfig {
    /// The usual settings: commands get the environment and the search path of this process.
    pub fn new(data_dir: impl Into<PathBuf>, routing_tag: impl Into<String>) -> Self {
        Self {
            data_dir: data_dir.into(),
            routing_tag: routing_tag.into(),
            path_source: PathSource::Environment,
            environment: std::env::vars_os().collect(),
        }
    }
}

/// Where the search path of commands is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSource {
    /// This process was started from a terminal or a service with a complete environment.
    Environment,
    /// This process was started by a desktop: ask the user's login shell, once, when the first command comes. On
    /// Windows the same as `Environment`.
    LoginShell,
}

/// Where a search path came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchPathSource {
    /// The environment of the Runner.
    Environment,
    /// The user's login shell, followed by the Runner's own.
    LoginShell {
        /// The shell.
        shell: String,
    },
    /// The environment of the Runner, because the login shell did not tell.
    LoginShellFailed {
        /// Why not.
        reason: String,
    },
}

impl std::fmt::Display for SearchPathSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Environment => f.write_str("the environment of the Runner"),
            Self::LoginShell { shell } => write!(f, "the login shell {shell}"),
            Self::LoginShellFailed { reason } => write!(f, "the environment of the Runner ({reason})"),
        }
    }
}

//! What the desktop app and the programs it starts tell each other over pipes: one JSON document a line.
//!
//! The end of a program's standard input means that its owner is gone, and the program ends.

use std::fmt;
use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use crate::control::ServerSettings;

/// The first line for `webcodex server --supervised`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServerStart {
    /// Opens the control routes.
    pub control: String,
    /// Opens the tools; nothing where it cannot be read yet.
    pub client: Option<String>,
    /// Opens the link for the Runner.
    pub runner: String,
    /// The port of last time.
    pub port: Option<u16>,
    /// The settings to begin with.
    pub settings: ServerSettings,
    /// Another control plane than OpenAI's.
    #[serde(default)]
    pub control_plane: Option<String>,
}

/// The first line for `webcodex runner --supervised`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunnerStart {
    /// Where the Server is.
    pub server: SocketAddr,
    /// Opens its link.
    pub credential: String,
}

/// A later line for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartOrder {
    /// The Server is there now.
    Server {
        /// Where.
        address: SocketAddr,
    },
}

/// A line that a program says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PartSays {
    /// It has started.
    Ready {
        /// Where it listens, if it does.
        address: Option<SocketAddr>,
        /// Its process.
        pid: u32,
        /// Where a damaged database was put aside.
        set_aside: Option<String>,
    },
    /// It lives.
    Alive,
    /// It ends because of this.
    Failed {
        /// What failed, and why.
        detail: String,
    },
}

impl fmt::Debug for ServerStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerStart").field("port", &self.port).finish_non_exhaustive()
    }
}

impl fmt::Debug for RunnerStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnerStart").field("server", &self.server).finish_non_exhaustive()
    }
}

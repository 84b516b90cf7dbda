//! Where WebCodex keeps what it needs.

use std::path::{Path, PathBuf};

use crate::environment::{self, Environment};

/// The folders and files of one installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Everything lies in here.
    pub data: PathBuf,
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

impl Folders {
    /// The folders for this environment; `None` where the system names no folder for application data.
    pub fn find(environment: &Environment) -> Option<Self> {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_path_buf());
        let data = match environment.get(environment::DATA_DIR) {
            Some(data) => std::path::absolute(data).ok()?,
            None => {
                directories::ProjectDirs::from("dev", "webcodex", "WebCodex")?.data_local_dir().to_path_buf()
            }
        };
        Some(Self { data, home })
    }

    /// The same, with everything in `data`.
    pub fn in_data(&self, data: &Path) -> Self {
        Self { data: data.to_path_buf(), home: self.home.clone() }
    }

    /// The settings that the user wrote.
    pub fn settings_file(&self) -> PathBuf {
        self.data.join("settings.toml")
    }

    /// The Server's database.
    pub fn database(&self) -> PathBuf {
        self.data.join("server.db")
    }

    /// Where a running Server says how to reach it.
    pub fn server_file(&self) -> PathBuf {
        self.data.join("server.json")
    }

    /// The port that the Server had last.
    pub fn port_file(&self) -> PathBuf {
        self.data.join("port")
    }

    /// Held locked by a running Server.
    pub fn server_lock(&self) -> PathBuf {
        self.data.join("server.lock")
    }

    /// Where a Runner keeps its projects, jobs, journals and baselines.
    pub fn runner(&self) -> PathBuf {
        self.data.join("runner")
    }

    /// Held locked by a running Runner.
    pub fn runner_lock(&self) -> PathBuf {
        self.data.join("runner.lock")
    }

    /// The Runner's id.
    pub fn client_id_file(&self) -> PathBuf {
        self.runner().join("client_id")
    }

    /// The credential named `name`, in an owner-only file.
    pub fn credential_file(&self, name: &str) -> PathBuf {
        self.data.join("credentials").join(name)
    }

    /// Held locked by a running desktop app.
    pub fn desktop_lock(&self) -> PathBuf {
        self.data.join("desktop.lock")
    }

    /// Where a running desktop app says how things stand.
    pub fn desktop_file(&self) -> PathBuf {
        self.data.join("desktop.json")
    }

    /// The background programs of the desktop app, so that its next start finds what a crash left behind.
    pub fn desktop_parts_file(&self) -> PathBuf {
        self.data.join("desktop-parts.json")
    }

    /// The connections to OpenAI that the desktop app keeps, without their secrets.
    pub fn connections_file(&self) -> PathBuf {
        self.data.join("connections.json")
    }

    /// Logs of a kept installation.
    pub fn logs(&self) -> PathBuf {
        self.data.join("logs")
    }
}

/// Where programs of this user keep their configuration.
pub fn config_folder() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.config_dir().to_path_buf())
}

//! The settings as the window shows and changes them, and how they stand in the settings file.

use serde::{Deserialize, Serialize};
use webcodex_contracts::control::{self, NewProjects, Proxy, RecordLevel, ServerSettings, WaitProfile};
use webcodex_contracts::policy::{DEFAULT_BUDGET_SECS, WaitingPolicy};
use webcodex_settings::desktop::{
    DesktopSection, Language, NewProjectsSection, NotifySection, ProxySection, Theme, Updates,
};
use webcodex_settings::{McpSection, SettingsFile};

/// Where the clients' credential is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretsKind {
    /// The Windows Credential Manager.
    Windows,
    /// The macOS keychain.
    Macos,
    /// A Secret Service, as GNOME Keyring or KWallet.
    SecretService,
    /// An owner-only file, as the person chose.
    OwnerFile,
    /// Nowhere.
    None,
}

impl SecretsKind {
    /// The keychain of this system.
    pub const KEYCHAIN: SecretsKind = if cfg!(windows) {
        SecretsKind::Windows
    } else if cfg!(target_os = "macos") {
        SecretsKind::Macos
    } else {
        SecretsKind::SecretService
    };
}

/// What the person is notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Notify {
    /// A command or a piece of work has ended.
    pub work_done: bool,
    /// Work does not go on.
    pub work_stuck: bool,
    /// An edit or a command waits for the person.
    pub approval_wanted: bool,
    /// A client cannot reach the projects any more.
    pub connection_lost: bool,
}

/// The settings in force, with what is observed of their surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The language of the window.
    pub language: Language,
    /// The colours of the window.
    pub theme: Theme,
    /// Whether the app starts when the person logs in.
    pub start_at_login: bool,
    /// What the person is notified of.
    pub notify: Notify,
    /// Where models may register projects by themselves; empty: nowhere.
    pub allowed_roots: Vec<String>,
    /// What folders begin with.
    pub new_projects: NewProjects,
    /// How long a question waits for the person; follows from the waiting policy.
    pub approval_seconds: u64,
    /// Where the clients' credential is kept.
    pub secrets: SecretsKind,
    /// How the app reaches other computers.
    pub proxy: Proxy,
    /// The https address under which a proxy of the person's offers the Server; empty for none.
    pub public_address: String,
    /// How long a host waits.
    pub wait_seconds: u64,
    /// How a host waits.
    pub wait_profile: WaitProfile,
    /// What of each call is kept.
    pub record: RecordLevel,
    /// Size of the logs.
    pub log_bytes: u64,
    /// The size at which old logs go.
    pub log_limit_bytes: u64,
    /// When an update is installed.
    pub updates: Updates,
}

/// The settings that get a new value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SettingsChange {
    /// See [`Settings::language`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// See [`Settings::theme`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// See [`Settings::start_at_login`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_at_login: Option<bool>,
    /// See [`Settings::notify`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notify: Option<Notify>,
    /// See [`Settings::allowed_roots`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_roots: Option<Vec<String>>,
    /// See [`Settings::new_projects`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_projects: Option<NewProjects>,
    /// See [`Settings::proxy`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Proxy>,
    /// See [`Settings::public_address`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_address: Option<String>,
    /// See [`Settings::wait_seconds`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_seconds: Option<u64>,
    /// See [`Settings::wait_profile`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_profile: Option<WaitProfile>,
    /// See [`Settings::record`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordLevel>,
    /// See [`Settings::updates`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<Updates>,
}

/// What folders begin with where nothing else was chosen: models may edit, and ask first.
const NEW_PROJECTS: NewProjects =
    NewProjects { permission: webcodex_contracts::Permission::Edit, ask_first: true };

impl Settings {
    /// What the file says, with defaults for the rest.
    pub fn of_file(file: &SettingsFile, secrets: SecretsKind) -> Self {
        let desktop = &file.desktop;
        let notify = desktop.notify.unwrap_or_default();
        let new_projects = desktop.new_projects.unwrap_or_default();
        let proxy = desktop.proxy.clone().unwrap_or_default();
        let wait_seconds = file.mcp.budget_secs.unwrap_or(DEFAULT_BUDGET_SECS);
        let profile = file.mcp.host_profile.unwrap_or_default();
        Self {
            language: desktop.language.unwrap_or_default(),
            theme: desktop.theme.unwrap_or_default(),
            start_at_login: desktop.start_at_login.unwrap_or(false),
            notify: Notify {
                work_done: notify.work_done.unwrap_or(true),
                work_stuck: notify.work_stuck.unwrap_or(true),
                approval_wanted: notify.approval_wanted.unwrap_or(true),
                connection_lost: notify.connection_lost.unwrap_or(false),
            },
            allowed_roots: texts(desktop.model_roots.as_deref().unwrap_or_default()),
            new_projects: NewProjects {
                permission: new_projects.permission.unwrap_or(NEW_PROJECTS.permission),
                ask_first: new_projects.ask_first.unwrap_or(NEW_PROJECTS.ask_first),
            },
            approval_seconds: WaitingPolicy::new(profile, wait_seconds).max_wait_secs,
            secrets,
            proxy: Proxy { mode: proxy.mode.unwrap_or_default(), url: proxy.url.unwrap_or_default() },
            public_address: file.public_url.clone().unwrap_or_default(),
            wait_seconds,
            wait_profile: profile.into(),
            record: desktop.record.unwrap_or_default(),
            log_bytes: 0,
            log_limit_bytes: crate::logs::LIMIT_BYTES,
            updates: desktop.updates.unwrap_or_default(),
        }
    }

    /// Those that Server and Runner take over.
    pub fn of_server(&self) -> ServerSettings {
        ServerSettings {
            wait_seconds: self.wait_seconds,
            wait_profile: self.wait_profile,
            public_address: self.public_address.clone(),
            record: self.record,
            allowed_roots: Some(self.allowed_roots.clone()),
            approval_seconds: self.approval_seconds,
            new_projects: self.new_projects,
            proxy: self.proxy.clone(),
        }
    }
}

fn texts(paths: &[std::path::PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

impl SettingsChange {
    /// The change as the settings file takes it.
    pub(crate) fn of_file(&self) -> SettingsFile {
        let notify = |notify: &Notify| NotifySection {
            work_done: Some(notify.work_done),
            work_stuck: Some(notify.work_stuck),
            approval_wanted: Some(notify.approval_wanted),
            connection_lost: Some(notify.connection_lost),
        };
        let begin = |new: &NewProjects| NewProjectsSection {
            permission: Some(new.permission),
            ask_first: Some(new.ask_first),
        };
        let proxy = |proxy: &Proxy| ProxySection { mode: Some(proxy.mode), url: Some(proxy.url.clone()) };
        SettingsFile {
            public_url: self.public_address.as_deref().map(|address| address.trim().to_owned()),
            mcp: McpSection {
                host_profile: self.wait_profile.map(Into::into),
                budget_secs: self.wait_seconds,
                ..McpSection::default()
            },
            desktop: DesktopSection {
                language: self.language,
                theme: self.theme,
                start_at_login: self.start_at_login,
                updates: self.updates,
                record: self.record,
                model_roots: self.allowed_roots.as_ref().map(|roots| roots.iter().map(Into::into).collect()),
                new_projects: self.new_projects.as_ref().map(begin),
                notify: self.notify.as_ref().map(notify),
                proxy: self.proxy.as_ref().map(proxy),
                ..DesktopSection::default()
            },
            ..SettingsFile::default()
        }
    }

    /// What of it Server and Runner have to hear; `settings` are those after the change.
    pub(crate) fn of_server(&self, settings: &Settings) -> Option<control::SettingsChange> {
        let waits = self.wait_seconds.is_some() || self.wait_profile.is_some();
        let change = control::SettingsChange {
            wait_seconds: self.wait_seconds,
            wait_profile: self.wait_profile,
            public_address: self.public_address.as_ref().map(|_| settings.public_address.clone()),
            record: self.record,
            allowed_roots: self.allowed_roots.as_ref().map(|_| Some(settings.allowed_roots.clone())),
            approval_seconds: waits.then_some(settings.approval_seconds),
            new_projects: self.new_projects,
            proxy: self.proxy.clone(),
        };
        (change != control::SettingsChange::default()).then_some(change)
    }
}

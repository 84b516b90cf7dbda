//! `[desktop]` of the settings file: what a person chose in the window.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use webcodex_contracts::Permission;
use webcodex_contracts::control::{ProxyMode, RecordLevel};

/// The language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Language {
    /// As the system.
    #[default]
    #[serde(rename = "system")]
    System,
    /// English.
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

/// The colours of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// When an update is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Updates {
    /// When the person says so.
    #[default]
    Ask,
    /// When nothing is at work.
    Idle,
}

/// Where the desktop app keeps the clients' credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretsIn {
    /// In the keychain of the operating system.
    #[default]
    Keychain,
    /// In a file that its owner alone may read.
    OwnerFile,
}

/// `[desktop]`; everything in it is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DesktopSection {
    /// The language of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The colours of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// Whether the app starts when the person logs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_at_login: Option<bool>,
    /// When an update is installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<Updates>,
    /// What of each call is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordLevel>,
    /// Where the clients' credential is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secrets: Option<SecretsIn>,
    /// Whether the person has been through the first steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_run_done: Option<bool>,
    /// Whether the person has stopped serving until further notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<bool>,
    /// Whether the person does not want the connection that the environment names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import_dismissed: Option<bool>,
    /// Where models may register projects by themselves; nowhere by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_roots: Option<Vec<PathBuf>>,
    /// What folders begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_projects: Option<NewProjectsSection>,
    /// What the person is notified of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notify: Option<NotifySection>,
    /// How the app reaches other computers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<ProxySection>,
}

/// `[desktop.new_projects]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NewProjectsSection {
    /// What models may do in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<Permission>,
    /// Whether edits and commands wait for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask_first: Option<bool>,
}

/// `[desktop.notify]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NotifySection {
    /// A command or a piece of work has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_done: Option<bool>,
    /// Work does not go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_stuck: Option<bool>,
    /// An edit or a command waits for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_wanted: Option<bool>,
    /// A client cannot reach the projects any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection_lost: Option<bool>,
}

/// `[desktop.proxy]`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProxySection {
    /// How the app reaches other computers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ProxyMode>,
    /// The proxy of mode `custom`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

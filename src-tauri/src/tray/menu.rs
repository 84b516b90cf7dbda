//! The tray's menu as plain data: a function of the status and the language.

use tauri::menu::{CheckMenuItem, Menu, MenuItem, MenuItemKind, PredefinedMenuItem, Submenu};
use tauri::{AppHandle, Wry};
use webcodex_supervisor::Status;
use webcodex_supervisor::status::{Reason, Update};

use crate::words::Words;

/// What a click asks for. Its text is the menu item's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Click {
    /// Show the window as it is.
    Open,
    /// Show the page that the first line is about.
    Truth,
    /// Open a project's folder.
    Project(String),
    /// Show the projects, to add one.
    AddFolder,
    /// Show a connection.
    Connections,
    Pause,
    Resume,
    StartAtLogin,
    CheckForUpdates,
    InstallUpdate,
    CopyDiagnosis,
    Quit,
}

impl Click {
    fn id(&self) -> String {
        match self {
            Self::Open => "open".into(),
            Self::Truth => "truth".into(),
            Self::Project(id) => format!("project:{id}"),
            Self::AddFolder => "add_folder".into(),
            Self::Connections => "connections".into(),
            Self::Pause => "pause".into(),
            Self::Resume => "resume".into(),
            Self::StartAtLogin => "start_at_login".into(),
            Self::CheckForUpdates => "check_for_updates".into(),
            Self::InstallUpdate => "install_update".into(),
            Self::CopyDiagnosis => "copy_diagnosis".into(),
            Self::Quit => "quit".into(),
        }
    }

    /// What the item with this id asks for.
    pub(super) fn of(id: &str) -> Option<Self> {
        // A connection has several items, told apart by what follows.
        let (kind, rest) = id.split_once(':').unwrap_or((id, ""));
        Some(match kind {
            "open" => Self::Open,
            "truth" => Self::Truth,
            "project" => Self::Project(rest.to_owned()),
            "add_folder" => Self::AddFolder,
            "connections" => Self::Connections,
            "pause" => Self::Pause,
            "resume" => Self::Resume,
            "start_at_login" => Self::StartAtLogin,
            "check_for_updates" => Self::CheckForUpdates,
            "install_update" => Self::InstallUpdate,
            "copy_diagnosis" => Self::CopyDiagnosis,
            "quit" => Self::Quit,
            _ => return None,
        })
    }
}

/// One line of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Item { id: String, text: String },
    Check { id: String, text: String, checked: bool },
    Sub { text: String, entries: Vec<Entry> },
    Line,
}

fn item(click: &Click, text: impl Into<String>) -> Entry {
    Entry::Item { id: click.id(), text: text.into() }
}

/// The whole menu.
pub(super) fn entries(status: &Status, words: &Words) -> Vec<Entry> {
    let mut entries = vec![
        item(&Click::Truth, sentence(status, words)),
        Entry::Line,
        item(&Click::Open, words.open),
        projects(status, words),
        Entry::Line,
    ];
    entries.extend(connections(status, words));
    entries.extend([
        Entry::Line,
        match status.reason {
            Reason::Paused => item(&Click::Resume, words.resume),
            _ => item(&Click::Pause, words.pause),
        },
        Entry::Check {
            id: Click::StartAtLogin.id(),
            text: words.start_at_login.into(),
            checked: status.settings.start_at_login,
        },
        match &status.update {
            Update::Available { version, .. } => item(&Click::InstallUpdate, (words.install_update)(version)),
            _ => item(&Click::CheckForUpdates, words.check_for_updates),
        },
        item(&Click::CopyDiagnosis, words.copy_diagnosis),
        Entry::Line,
        item(&Click::Quit, words.quit),
    ]);
    entries
}

/// The sentence of the truth, as a line of its own.
fn sentence(status: &Status, words: &Words) -> String {
    let sentence = super::sentence(status, words);
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn projects(status: &Status, words: &Words) -> Entry {
    let mut entries: Vec<Entry> = status
        .projects
        .iter()
        .map(|project| item(&Click::Project(project.id.to_string()), project.name.clone()))
        .collect();
    if !entries.is_empty() {
        entries.push(Entry::Line);
    }
    entries.push(item(&Click::AddFolder, words.add_folder));
    Entry::Sub { text: format!("{} ({})", words.projects, status.projects.len()), entries }
}

fn connections(status: &Status, words: &Words) -> Vec<Entry> {
    let mut entries: Vec<Entry> = status
        .clients
        .iter()
        .map(|client| {
            let name = match client.name.as_str() {
                "" => (words.client_kind)(client.kind),
                name => name,
            };
            let text = format!("{name} – {}", (words.client_state)(client.state));
            Entry::Item { id: format!("{}:{}", Click::Connections.id(), client.id), text }
        })
        .collect();
    entries.extend(status.connections.iter().map(|connection| {
        let text = format!("{} – {}", connection.name, (words.tunnel_state)(&connection.state));
        Entry::Item { id: format!("{}:{}", Click::Connections.id(), connection.id), text }
    }));
    entries.push(item(&Click::Connections, words.new_connection));
    entries
}

/// Makes the real menu.
pub(super) fn build(app: &AppHandle, entries: &[Entry]) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::new(app)?;
    for entry in entries {
        menu.append(&made(app, entry)?)?;
    }
    Ok(menu)
}

fn made(app: &AppHandle, entry: &Entry) -> tauri::Result<MenuItemKind<Wry>> {
    const NO_KEY: Option<&str> = None;
    Ok(match entry {
        Entry::Item { id, text } => {
            MenuItemKind::MenuItem(MenuItem::with_id(app, id, literal(text), true, NO_KEY)?)
        }
        Entry::Check { id, text, checked } => {
            MenuItemKind::Check(CheckMenuItem::with_id(app, id, literal(text), true, *checked, NO_KEY)?)
        }
        Entry::Sub { text, entries } => {
            let menu = Submenu::new(app, literal(text), true)?;
            for entry in entries {
                menu.append(&made(app, entry)?)?;
            }
            MenuItemKind::Submenu(menu)
        }
        Entry::Line => MenuItemKind::Predefined(PredefinedMenuItem::separator(app)?),
    })
}

/// Names may have `&`, which would become an access key.
fn literal(text: &str) -> String {
    text.replace('&', "&&")
}

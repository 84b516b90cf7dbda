//! What the parts of the shell share, and what a click in the tray does.

use std::path::PathBuf;
use std::time::Duration;

use tauri::{AppHandle, Manager, Theme};
use tokio::sync::broadcast;
use webcodex_contracts::ProjectId;
use webcodex_contracts::control::Failure;
use webcodex_settings::desktop::Theme as ThemeSetting;
use webcodex_settings::{Environment, Folders};
use webcodex_supervisor::status::{Action, SettingsChange, Update};
use webcodex_supervisor::{ShellFacts, Supervisor};

use crate::commands::clipboard::{self, CopyItem};
use crate::places::{PlaceName, Places};
use crate::sandbox::Sandbox;
use crate::tray::Click;
use crate::update::Updater;
use crate::watches::Watches;
use crate::window::{self, DragMessage, Keeper};
use crate::{opening, update};

/// How long Server and Runner have to end in order.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// The one state of the shell, which Tauri hands to commands and events.
pub(crate) struct Shell {
    pub(crate) supervisor: Supervisor,
    pub(crate) folders: Folders,
    pub(crate) window: Keeper,
    pub(crate) watches: Watches,
    pub(crate) places: Places,
    pub(crate) drags: broadcast::Sender<DragMessage>,
    pub(crate) updater: Updater,
    pub(crate) sandbox: Sandbox,
}

impl Shell {
    /// Around a supervisor that has been started.
    pub(crate) fn new(supervisor: Supervisor, folders: Folders, environment: &Environment) -> Self {
        let window = Keeper::new(folders.data.join("window.json"), window::release_after(environment));
        let (drags, _) = broadcast::channel(16);
        let updater = Updater::new(environment);
        Self {
            supervisor,
            folders,
            window,
            watches: Watches::default(),
            places: Places::default(),
            drags,
            updater,
            sandbox: Sandbox::default(),
        }
    }

    /// Ends Server and Runner. Where they take too long they end with the app: their way to it breaks off.
    pub(crate) async fn end(&self) {
        if tokio::time::timeout(END_PATIENCE, self.supervisor.shut_down()).await.is_err() {
            tracing::warn!("Server and Runner were not seen to end in time");
        }
    }

    /// The folder of a registered project.
    pub(crate) fn project_folder(&self, project: &ProjectId) -> Result<PathBuf, Failure> {
        let status = self.supervisor.status();
        let found = status.projects.iter().find(|one| one.id == *project);
        found.map(|project| PathBuf::from(&project.path)).ok_or_else(|| Failure {
            code: "project_not_found".into(),
            message: "This project is not on the list any more.".into(),
            hint: None,
        })
    }

    /// The Tunnel ID of a connection.
    pub(crate) fn tunnel_id(&self, connection: &str) -> Result<String, Failure> {
        let status = self.supervisor.status();
        let found = status.connections.iter().find(|one| one.id == connection);
        found.map(|connection| connection.tunnel.clone()).ok_or_else(|| Failure {
            code: "not_found".into(),
            message: "This connection is not on the list any more.".into(),
            hint: None,
        })
    }

    /// Says what is known of newer versions.
    pub(crate) fn report_update(&self, update: Update) {
        self.supervisor.set_shell(ShellFacts { update: Some(update), ..Default::default() });
    }

    /// Whether the window is dark, by the person's choice; nothing where the system decides.
    pub(crate) fn theme(&self) -> Option<Theme> {
        match self.supervisor.status().settings.theme {
            ThemeSetting::System => None,
            ThemeSetting::Light => Some(Theme::Light),
            ThemeSetting::Dark => Some(Theme::Dark),
        }
    }

    /// Does what a click in the tray's menu asks for.
    pub(crate) fn clicked(&self, app: &AppHandle, click: Click) {
        match click {
            Click::Open => self.window.show(app),
            Click::Truth => self.go(app, place_of(self.supervisor.status().action)),
            Click::AddFolder => self.go(app, PlaceName::Projects),
            Click::Connections => self.go(app, PlaceName::Connections),
            Click::Project(id) => self.open_project(app, &id),
            Click::Quit => quit(app),
            Click::Pause
            | Click::Resume
            | Click::StartAtLogin
            | Click::CheckForUpdates
            | Click::InstallUpdate
            | Click::CopyDiagnosis => {
                let app = app.clone();
                tauri::async_runtime::spawn(async move {
                    if let Err(failure) = app.state::<Self>().obey(&app, click).await {
                        tracing::warn!("asked by the tray: {} ({})", failure.message, failure.code);
                    }
                });
            }
        }
    }

    /// Shows a page of the window.
    pub(crate) fn go(&self, app: &AppHandle, place: PlaceName) {
        self.places.go(place);
        self.window.show(app);
    }

    fn open_project(&self, app: &AppHandle, id: &str) {
        let opened = ProjectId::parse(id)
            .ok()
            .and_then(|id| self.project_folder(&id).ok())
            .is_some_and(|folder| opening::folder(app, &folder).is_ok());
        if !opened {
            // The page says of each project whether it can be reached.
            self.go(app, PlaceName::Projects);
        }
    }

    /// The clicks that take a moment.
    async fn obey(&self, app: &AppHandle, click: Click) -> Result<(), Failure> {
        match click {
            Click::Pause => self.supervisor.pause().await,
            Click::Resume => self.supervisor.resume().await,
            Click::StartAtLogin => {
                let start_at_login = Some(!self.supervisor.status().settings.start_at_login);
                self.supervisor.change_settings(SettingsChange { start_at_login, ..Default::default() }).await
            }
            Click::CheckForUpdates => {
                self.go(app, PlaceName::Settings);
                update::check(app).await
            }
            Click::InstallUpdate => {
                self.go(app, PlaceName::Settings);
                update::install(app).await
            }
            Click::CopyDiagnosis => clipboard::put(app, self, CopyItem::Report).await,
            _ => Ok(()),
        }
    }
}

/// The page on which the one helpful thing can be done.
fn place_of(action: Option<Action>) -> PlaceName {
    match action {
        Some(Action::AddFolder) => PlaceName::Projects,
        Some(Action::ConnectClient | Action::OpenConnections) => PlaceName::Connections,
        Some(Action::OpenApprovals) => PlaceName::Approvals,
        Some(Action::OpenActivity) => PlaceName::Activity,
        Some(Action::Resume | Action::Restart | Action::ShowLogs | Action::KeepSecretsInFile) | None => {
            PlaceName::Home
        }
    }
}

/// Ends everything that was started, then the app.
pub(crate) fn quit(app: &AppHandle) {
    if let Some(window) = window::of(app) {
        app.state::<Shell>().window.remember(&window);
        // Gone at once; what follows may take a moment.
        let _ = window.hide();
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        app.state::<Shell>().end().await;
        app.exit(0);
    });
}

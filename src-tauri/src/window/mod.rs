//! The one window: made when it is first wanted, hidden when closed, released when it stays hidden.

mod drags;
#[cfg_attr(target_os = "linux", path = "has_tray_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "has_tray_always.rs")]
mod has_tray;
mod place;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tauri::{
    AppHandle, Manager, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
};

pub(crate) use drags::DragMessage;
pub(crate) use has_tray::has_tray;
use webcodex_settings::{Environment, environment};

use place::{Area, FIRST, Remembered, SMALLEST};

use crate::memory;
use crate::shell::Shell;

/// The label that `capabilities/window.json` speaks of.
pub(crate) const LABEL: &str = "main";
/// How long the last move has to be past before the place is written.
const SETTLED: Duration = Duration::from_millis(700);

/// The window, while there is one.
pub(crate) fn of(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LABEL)
}

/// How long a closed window keeps its memory.
pub(crate) fn release_after(environment: &Environment) -> Duration {
    let given = environment.get(environment::WINDOW_RELEASE_SECS).and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(given.unwrap_or(60))
}

/// What is known of the window while it is closed, too.
pub(crate) struct Keeper {
    file: PathBuf,
    release_after: Duration,
    /// Counts every showing and hiding, so that an old plan to release the window comes to nothing.
    turns: AtomicU64,
    writing: AtomicBool,
}

impl Keeper {
    /// For a window whose place is kept in `file` and that is released after so long.
    pub(crate) fn new(file: PathBuf, release_after: Duration) -> Self {
        Self { file, release_after, turns: AtomicU64::new(0), writing: AtomicBool::new(false) }
    }

    /// Brings the window to the front, wherever it is. May be called on any thread.
    pub(crate) fn show(&self, app: &AppHandle) {
        self.bring(app, reveal);
    }

    /// Makes the window reachable in the bar of windows without getting in the way.
    pub(crate) fn show_minimized(&self, app: &AppHandle) {
        self.bring(app, |window| window.minimize().and_then(|()| window.show()));
    }

    fn bring(&self, app: &AppHandle, how: fn(&WebviewWindow) -> tauri::Result<()>) {
        self.turns.fetch_add(1, Ordering::Relaxed);
        if let Some(window) = of(app) {
            return warn_of(how(&window));
        }
        let (app, remembered) = (app.clone(), Remembered::read(&self.file));
        // Not on the window's own thread: on Windows making a web view there waits for itself.
        tauri::async_runtime::spawn(async move {
            let made = make(&app, remembered).or_else(|error| match of(&app) {
                // Somebody else was quicker.
                Some(window) => Ok(window),
                None => Err(error),
            });
            match made {
                Ok(window) => warn_of(how(&window)),
                Err(error) => tracing::error!("the window cannot be made: {error}"),
            }
        });
    }

    /// A person closed the window: it goes to the tray, or where there is none, to the bar of windows.
    pub(crate) fn closed(&self, window: &WebviewWindow) {
        self.remember(window);
        let turn = self.turns.fetch_add(1, Ordering::Relaxed) + 1;
        let away = if has_tray() { window.hide() } else { window.minimize() };
        warn_of(away);
        let (app, after) = (window.app_handle().clone(), self.release_after);
        tauri::async_runtime::spawn(async move {
            tokio::time::sleep(after).await;
            app.state::<Shell>().window.release(&app, turn);
        });
    }

    /// Frees all the page took, unless it was shown again since.
    fn release(&self, app: &AppHandle, turn: u64) {
        if self.turns.load(Ordering::Relaxed) != turn {
            return;
        }
        if let Some(window) = of(app)
            && !window.is_visible().unwrap_or(true)
        {
            warn_of(window.destroy());
            tauri::async_runtime::spawn(memory::give_back(app.clone()));
        }
    }

    /// The window was moved or its size changed; writes the place once it rests.
    pub(crate) fn moved(&self, window: &WebviewWindow) {
        if self.writing.swap(true, Ordering::Relaxed) {
            return;
        }
        let window = window.clone();
        tauri::async_runtime::spawn(async move {
            tokio::time::sleep(SETTLED).await;
            let keeper = &window.state::<Shell>().window;
            keeper.writing.store(false, Ordering::Relaxed);
            keeper.remember(&window);
        });
    }

    /// Writes the place if the window has one now.
    pub(crate) fn remember(&self, window: &WebviewWindow) {
        let earlier = Remembered::read(&self.file);
        let Some(place) = place_of(window, earlier) else { return };
        if earlier != Some(place)
            && let Err(error) = place.write(&self.file)
        {
            tracing::warn!("the window's place is not kept in {}: {error}", self.file.display());
        }
    }
}

/// Where the window is; nothing while it is hidden or minimised. A maximised window keeps the size it goes back to.
fn place_of(window: &WebviewWindow, earlier: Option<Remembered>) -> Option<Remembered> {
    if !window.is_visible().ok()? || window.is_minimized().ok()? {
        return None;
    }
    let maximized = window.is_maximized().ok()?;
    if let (true, Some(earlier)) = (maximized, earlier) {
        return Some(Remembered { maximized, ..earlier });
    }
    let (at, size) = (window.outer_position().ok()?, window.inner_size().ok()?);
    Some(Remembered { area: Area { x: at.x, y: at.y, width: size.width, height: size.height }, maximized })
}

fn make(app: &AppHandle, remembered: Option<Remembered>) -> tauri::Result<WebviewWindow> {
    let shell = app.clone();
    // Asked for frames, too.
    let may_go = move |url: &Url| {
        let own = url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost");
        own || shell.state::<Shell>().sandbox.shows(url)
    };
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("WebCodex")
        .inner_size(FIRST.0, FIRST.1)
        .min_inner_size(SMALLEST.0, SMALLEST.1)
        .theme(app.state::<Shell>().theme())
        .on_navigation(may_go)
        .center()
        .visible(false)
        .build()?;
    if let Some(place) = remembered {
        put(&window, place)?;
    }
    Ok(window)
}

fn put(window: &WebviewWindow, place: Remembered) -> tauri::Result<()> {
    let screens: Vec<Area> = window.available_monitors()?.iter().map(usable).collect();
    let area = place::repair(place.area, &screens);
    window.set_size(PhysicalSize::new(area.width, area.height))?;
    window.set_position(PhysicalPosition::new(area.x, area.y))?;
    if place.maximized {
        window.maximize()?;
    }
    Ok(())
}

fn usable(screen: &tauri::Monitor) -> Area {
    let area = screen.work_area();
    Area { x: area.position.x, y: area.position.y, width: area.size.width, height: area.size.height }
}

fn reveal(window: &WebviewWindow) -> tauri::Result<()> {
    window.show()?;
    window.unminimize()?;
    window.set_focus()
}

fn warn_of(done: tauri::Result<()>) {
    if let Err(error) = done {
        tracing::warn!("the window does not do as it is told: {error}");
    }
}

//! The life of the app: from its start to the end of all it started.

use std::path::PathBuf;
use std::process::ExitCode;

use tauri::{App, AppHandle, Manager, RunEvent, Window, WindowEvent};
use tauri_plugin_autostart::MacosLauncher;
use webcodex_settings::{Environment, Folders, TunnelSettings};
use webcodex_supervisor::status::System;
use webcodex_supervisor::{Supervisor, SupervisorConfig};

use crate::shell::{self, Shell};
use crate::tray::Tray;
use crate::window::{self, DragMessage};
use crate::{commands, follow, logging, login, memory, update};

/// Shows the tray and, unless `hidden`, the window; returns when the person has quit.
pub(crate) fn run(hidden: bool) -> ExitCode {
    if !webcodex_settings::session::has_screen() {
        eprintln!("There is no screen to show a window on. `webcodex run` serves without one.");
        return ExitCode::from(3);
    }
    let builder = tauri::Builder::default()
        // First, so that a second start ends before it has done anything.
        .plugin(tauri_plugin_single_instance::init(|app, _arguments, _folder| started_again(app)))
        .plugin(tauri_plugin_autostart::init(MacosLauncher::LaunchAgent, Some(vec![login::HIDDEN])))
        .plugin(tauri_plugin_clipboard_manager::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_updater::Builder::new().build());
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(tauri_plugin_notification::init());
    let built = builder
        .invoke_handler(commands::all())
        .on_window_event(on_window_event)
        .on_page_load(|webview, page| {
            if page.event() == tauri::webview::PageLoadEvent::Started {
                webview.state::<Shell>().watches.close_all();
            }
        })
        .setup(move |app| set_up(app, hidden))
        .build(tauri::generate_context!());
    match built {
        Ok(app) => {
            app.run(on_run_event);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("WebCodex can’t start: {error}");
            ExitCode::FAILURE
        }
    }
}

fn set_up(app: &mut App, hidden: bool) -> Result<(), Box<dyn std::error::Error>> {
    let environment = Environment::of_process();
    let folders = Folders::find(&environment).ok_or("the system names no folder for application data")?;
    logging::start(&folders, &environment);
    let supervisor = Supervisor::start(SupervisorConfig {
        program: program()?,
        folders: folders.clone(),
        version: app.package_info().version.to_string(),
        system: System::HERE,
        tunnel: TunnelSettings::of(&environment)?,
    })?;
    let status = supervisor.status();
    app.manage(Shell::new(supervisor, folders, &environment));
    let app = app.handle();
    let tray = Tray::put(app, &status)
        .inspect_err(|error| tracing::warn!("there is no icon in the tray: {error}"))
        .ok();
    if hidden {
        tauri::async_runtime::spawn(memory::give_back(app.clone()));
    } else {
        app.state::<Shell>().window.show(app);
    }
    tauri::async_runtime::spawn(follow::follow(app.clone(), tray));
    tauri::async_runtime::spawn(follow::look_for_tray(app.clone(), hidden));
    tauri::async_runtime::spawn(update::keep_looking(app.clone()));
    tauri::async_runtime::spawn(end_with_session(app.clone()));
    Ok(())
}

/// The `webcodex` executable, which lies beside this one.
fn program() -> std::io::Result<PathBuf> {
    let here = std::env::current_exe()?;
    Ok(here.with_file_name(format!("webcodex{}", std::env::consts::EXE_SUFFIX)))
}

/// Somebody started the app while it runs: they want to see it.
fn started_again(app: &AppHandle) {
    if let Some(shell) = app.try_state::<Shell>() {
        shell.window.show(app);
    }
}

fn on_window_event(window: &Window, event: &WindowEvent) {
    let Some(page) = window::of(window.app_handle()) else { return };
    let shell = window.state::<Shell>();
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            shell.window.closed(&page);
        }
        WindowEvent::Moved(_) | WindowEvent::Resized(_) => shell.window.moved(&page),
        WindowEvent::Destroyed => shell.watches.close_all(),
        WindowEvent::DragDrop(drag) => {
            if let Some(message) = DragMessage::of(drag) {
                // Nobody listens before the page is there.
                let _ = shell.drags.send(message);
            }
        }
        _ => {}
    }
}

fn on_run_event(app: &AppHandle, event: RunEvent) {
    match event {
        // The last window was released; the tray stays.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => tauri::async_runtime::block_on(app.state::<Shell>().end()),
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => app.state::<Shell>().window.show(app),
        _ => {}
    }
}

/// Quits in order when the session ends or somebody asks the process to.
#[cfg(unix)]
async fn end_with_session(app: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut interrupt), Ok(mut hangup)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()), signal(SignalKind::hangup()))
    else {
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
    shell::quit(&app);
}

/// Windows tells the window's thread, which leads to [`RunEvent::Exit`].
#[cfg(windows)]
async fn end_with_session(_app: AppHandle) {}

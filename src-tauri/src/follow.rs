//! Follows the status: the tray, notifications and the start at login are made to agree with it.

use std::time::Duration;

use tauri::{AppHandle, Manager};
use tokio::time::{Instant, timeout_at};
use webcodex_supervisor::{Message, ShellFacts, Status};

use crate::notices::{self, Teller};
use crate::shell::Shell;
use crate::tray::Tray;
use crate::{login, update, window, words};

/// What changes by the passing of time alone, as work that says nothing, is looked at this often.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Until the shell ends.
pub(crate) async fn follow(app: AppHandle, tray: Option<Tray>) {
    let mut messages = app.state::<Shell>().supervisor.subscribe();
    let mut follower = Follower { app: app.clone(), tray, teller: Teller::default(), login: None };
    let mut due = Instant::now();
    loop {
        match timeout_at(due, messages.next()).await {
            Ok(None) => return,
            // Calls alone change nothing here.
            Ok(Some(Message::Calls { .. })) => continue,
            Ok(Some(_)) | Err(_) => {}
        }
        due = Instant::now() + LOOK_AGAIN;
        let status = app.state::<Shell>().supervisor.status();
        follower.see(&status);
    }
}

struct Follower {
    app: AppHandle,
    tray: Option<Tray>,
    teller: Teller,
    login: Option<bool>,
}

impl Follower {
    fn see(&mut self, status: &Status) {
        if let Some(tray) = &self.tray
            && let Err(error) = tray.show(&self.app, status)
        {
            tracing::warn!("the tray cannot be changed: {error}");
        }
        let start_at_login = status.settings.start_at_login;
        if self.login.replace(start_at_login) != Some(start_at_login) {
            login::follow(&self.app, start_at_login);
        }
        let news = self.teller.news(status);
        if !news.is_empty() {
            self.tell(news, status);
        }
        if update::wanted_now(status) {
            let app = self.app.clone();
            // What hinders it is said in the status.
            tauri::async_runtime::spawn(async move { update::install(&app).await });
        }
    }

    /// Shows notifications, unless the person looks at the window anyway.
    fn tell(&self, news: Vec<notices::Notice>, status: &Status) {
        if window::of(&self.app).is_some_and(|window| window.is_focused().unwrap_or(false)) {
            return;
        }
        let (app, words) = (self.app.clone(), words::of(status.settings.language));
        tauri::async_runtime::spawn_blocking(move || {
            for notice in &news {
                let (title, text) = (words.notice)(notice);
                notices::show(&app, &title, &text);
            }
        });
    }
}

/// How long a desktop that has just been logged in to may take until its tray is there.
const TRAY_PATIENCE: Duration = Duration::from_secs(10);
const TRAY_STEP: Duration = Duration::from_millis(500);

/// Looks whether there is a tray. An app that was started hidden on a desktop without one shows itself, minimised.
pub(crate) async fn look_for_tray(app: AppHandle, hidden: bool) {
    let shell = app.state::<Shell>();
    let mut waited = Duration::ZERO;
    while !has_tray().await {
        if waited >= TRAY_PATIENCE {
            report(shell.inner(), false);
            if hidden {
                shell.window.show_minimized(&app);
            }
            return;
        }
        tokio::time::sleep(TRAY_STEP).await;
        waited += TRAY_STEP;
    }
    report(shell.inner(), true);
}

fn report(shell: &Shell, has_tray: bool) {
    shell.supervisor.set_shell(ShellFacts { no_tray: Some(!has_tray), ..Default::default() });
}

async fn has_tray() -> bool {
    tauri::async_runtime::spawn_blocking(window::has_tray).await.unwrap_or(false)
}

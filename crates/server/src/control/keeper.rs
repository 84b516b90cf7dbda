//! Keeps what is shown of folders and jobs up to date, as long as somebody looks, and tells Runners what holds.
//!
//! Without a listener it sleeps until a Runner links.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use webcodex_contracts::ProjectId;
use webcodex_link::control::{ControlReply, ControlRequest, RunnerSettings};
use webcodex_link::{News, RunnerHandle};

use crate::app::App;

/// A folder list that another program may have changed is asked for this often while somebody looks.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Pause after a round, so that many changes become one.
const PAUSE: Duration = Duration::from_millis(150);
/// A Runner has this long to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Works until the Server ends.
pub(crate) async fn keep(app: Arc<App>) {
    let mut news = app.runners.news();
    let mut seen = News::default();
    let mut looked = false;
    loop {
        let listened = app.control.is_listened_to();
        let mut look = listened && !looked;
        if !look {
            tokio::select! {
                () = app.control.closing.cancelled() => return,
                changed = news.changed() => if changed.is_err() { return },
                () = app.control.wake.notified() => look = true,
                () = sleep(LOOK_EVERY), if listened => look = true,
            }
        }
        let now = *news.borrow_and_update();
        if now.links != seen.links {
            tell_settings(&app).await;
            app.control.changed();
        }
        looked = app.control.is_listened_to();
        if looked {
            let everything = look || now.links != seen.links;
            if everything || now.projects != seen.projects {
                refresh_projects(&app).await;
            }
            if everything || now.jobs != seen.jobs {
                refresh_jobs(&app).await;
            }
            if everything && !app.runners.all().is_empty() {
                app.control.shelf.set_listed();
                app.control.changed();
            }
        }
        seen = now;
        // A Runner that has just linked is not kept waiting.
        let mut links = news.clone();
        let _ = timeout(PAUSE, links.wait_for(|news| news.links != now.links)).await;
    }
}

/// Asks one Runner; nothing where it does not answer.
pub(super) async fn ask(runner: &RunnerHandle, request: &ControlRequest) -> Option<ControlReply> {
    match timeout(ANSWER_WITHIN, runner.control(request)).await {
        Ok(Ok(reply)) => Some(reply),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a Runner did not answer the desktop app");
            None
        }
        Err(_) => None,
    }
}

/// Tells every Runner what holds from now on.
pub(super) async fn tell_settings(app: &App) {
    let settings = app.settings.read().clone();
    let request = ControlRequest::Settings(RunnerSettings {
        allowed_roots: settings.allowed_roots,
        new_projects: settings.new_projects,
    });
    for runner in app.runners.all() {
        ask(&runner, &request).await;
    }
}

/// Asks for the folders.
pub(super) async fn refresh_projects(app: &App) {
    let worked_in: Vec<ProjectId> = app.control.book.take_worked_in();
    let mut projects = Vec::new();
    for runner in app.runners.all() {
        let request = ControlRequest::Projects { worked_in: worked_in.clone() };
        match ask(&runner, &request).await {
            Some(ControlReply::Projects(own)) => projects.extend(own),
            // What is known stays; the next round asks again.
            _ => return app.control.book.worked_in(worked_in),
        }
    }
    if !app.runners.all().is_empty() {
        app.control.shelf.set_projects(projects);
        app.control.changed();
    }
}

/// Asks for the jobs.
pub(super) async fn refresh_jobs(app: &App) {
    let mut jobs = Vec::new();
    for runner in app.runners.all() {
        if let Some(ControlReply::Jobs(own)) = ask(&runner, &ControlRequest::Jobs).await {
            jobs.extend(own);
        }
    }
    jobs.sort_by_key(|job| std::cmp::Reverse(job.started_at));
    app.control.shelf.set_jobs(jobs);
    app.control.changed();
}

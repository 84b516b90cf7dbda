//! Newer versions of the app: looked for at one address, taken only with our signature, installed only while no work
//! runs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use tauri::{AppHandle, Manager, Url};
use tauri_plugin_updater::UpdaterExt;
use webcodex_contracts::control::{Failure, JobState, Outcome, ProxyMode};
use webcodex_settings::desktop::Updates;
use webcodex_settings::{Environment, environment};
use webcodex_supervisor::Status;
use webcodex_supervisor::status::{StateName, Update};

use crate::shell::Shell;

/// Where a release looks, and the key that it trusts. Without both, this build has no updates.
const ADDRESS: Option<&str> = option_env!("WEBCODEX_UPDATE_URL");
const KEY: Option<&str> = option_env!("WEBCODEX_UPDATE_KEY");

/// The first look after the start, and the pause between looks.
const FIRST_LOOK: Duration = Duration::from_secs(60);
const NEXT_LOOK: Duration = Duration::from_secs(24 * 3600);
/// How long the address has to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where to look, and what was found.
pub(crate) struct Updater {
    source: Option<(Url, String)>,
    found: Mutex<Option<tauri_plugin_updater::Update>>,
}

impl Updater {
    pub(crate) fn new(environment: &Environment) -> Self {
        let address = environment.get(environment::UPDATE_URL).or(ADDRESS);
        // A build for debugging may be told another key, so that updating can be tried; a release trusts its own alone.
        let told = environment.get(environment::UPDATE_KEY).filter(|_| cfg!(debug_assertions));
        let key = told.or(KEY).map(str::to_owned);
        let source = address.and_then(|address| Url::parse(address).ok()).zip(key);
        Self { source, found: Mutex::new(None) }
    }
}

/// Looks for a newer version; the status says what came of it.
pub(crate) async fn check(app: &AppHandle) -> Result<(), Failure> {
    let shell = app.state::<Shell>();
    let Some((address, key)) = shell.updater.source.clone() else { return Err(not_set_up()) };
    shell.report_update(Update::Checking);
    let seen = match look(app, address, key).await {
        Ok(Some(update)) => {
            let bytes = update.raw_json.get("bytes").and_then(serde_json::Value::as_u64);
            let available = Update::Available { version: update.version.clone(), bytes };
            *shell.updater.found.lock() = Some(update);
            available
        }
        Ok(None) => Update::Newest { checked_at: now() },
        Err(error) => {
            tracing::warn!("no newer version can be looked for: {error}");
            Update::Failed { checked_at: now() }
        }
    };
    shell.report_update(seen);
    Ok(())
}

type Found = tauri_plugin_updater::Result<Option<tauri_plugin_updater::Update>>;

async fn look(app: &AppHandle, address: Url, key: String) -> Found {
    let builder = app.updater_builder().endpoints(vec![address])?.pubkey(key).timeout(PATIENCE);
    let proxy = app.state::<Shell>().supervisor.status().settings.proxy.clone();
    let builder = match (proxy.mode, Url::parse(&proxy.url)) {
        (ProxyMode::Direct, _) => builder.no_proxy(),
        (ProxyMode::Custom, Ok(address)) => builder.proxy(address),
        _ => builder,
    };
    builder.build()?.check().await
}

/// Installs what was found and starts it.
pub(crate) async fn install(app: &AppHandle) -> Result<(), Failure> {
    let shell = app.state::<Shell>();
    let found = shell.updater.found.lock().clone();
    let Some(update) = found else {
        return Err(failure("no_update", "No newer version was found.", Some("Check for updates first.")));
    };
    refuse_while_working(&shell.supervisor.status())?;
    let version = update.version.clone();
    shell.report_update(Update::Installing { version });
    let prepared = match update.download(|_, _| {}, || {}).await {
        // Work may have begun meanwhile.
        Ok(bytes) => refuse_while_working(&shell.supervisor.status()).map(|()| bytes),
        Err(error) => {
            Err(failure("update_failed", "The newer version was not taken.", Some(&error.to_string())))
        }
    };
    let bytes = prepared.inspect_err(|_| shell.report_update(Update::Failed { checked_at: now() }))?;
    shell.end().await;
    if let Err(error) = update.install(bytes) {
        tracing::error!("the newer version is not installed: {error}");
    }
    // The new version, or this one again.
    app.restart()
}

/// Looks for newer versions for as long as the app runs.
pub(crate) async fn keep_looking(app: AppHandle) {
    if app.state::<Shell>().updater.source.is_none() {
        return;
    }
    tokio::time::sleep(FIRST_LOOK).await;
    loop {
        // The status says what came of it.
        let _ = check(&app).await;
        tokio::time::sleep(NEXT_LOOK).await;
    }
}

/// Whether to install by ourselves now.
pub(crate) fn wanted_now(status: &Status) -> bool {
    status.settings.updates == Updates::Idle
        && matches!(status.update, Update::Available { .. })
        && refuse_while_working(status).is_ok()
}

/// An update ends Server and Runner, so it waits for work.
fn refuse_while_working(status: &Status) -> Result<(), Failure> {
    let calls = status.calls.iter().any(|call| matches!(call.outcome, Outcome::Running | Outcome::Waiting));
    let jobs = status.jobs.iter().any(|job| matches!(job.state, JobState::Running | JobState::Stopping));
    if calls || jobs || status.state == StateName::Working {
        return Err(failure(
            "work_runs",
            "Work is running.",
            Some("The update can be installed when it is done."),
        ));
    }
    Ok(())
}

fn not_set_up() -> Failure {
    let hint = "Builds from the sources have none; get a newer version the way you got this one.";
    failure("updates_not_set_up", "This build has no address for updates.", Some(hint))
}

fn failure(code: &str, message: &str, hint: Option<&str>) -> Failure {
    Failure { code: code.into(), message: message.into(), hint: hint.map(Into::into) }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{NOW, of, status};

    fn available(updates: Updates) -> Status {
        let mut status =
            Status { update: Update::Available { version: "2.0".to_owned(), bytes: None }, ..status() };
        status.settings.updates = updates;
        status
    }

    #[test]
    fn an_update_installs_itself_only_where_it_may_and_nothing_is_at_work() {
        assert!(wanted_now(&available(Updates::Idle)));
        assert!(!wanted_now(&available(Updates::Ask)));
        assert!(!wanted_now(&Status { update: Update::Unknown, ..available(Updates::Idle) }));
        let works = Status { state: StateName::Working, ..available(Updates::Idle) };
        assert!(!wanted_now(&works));
    }

    #[test]
    fn work_is_a_call_or_a_command_that_has_not_ended() {
        let job = |state: &str| {
            let job = json!({
                "id": "wcj_desk_1", "call": null, "project": "web", "client": "Claude", "command": "make", "folder": "/",
                "startedAt": NOW, "endedAt": null, "limitMs": 0, "outputBytes": 0, "lastLineAt": null, "state": state,
                "exitCode": null,
            });
            Status { jobs: vec![of(job)], ..status() }
        };
        for (state, refused) in
            [("running", true), ("stopping", true), ("finished", false), ("failed", false), ("lost", false)]
        {
            assert_eq!(refuse_while_working(&job(state)).is_err(), refused, "{state}");
        }
        assert_eq!(refuse_while_working(&job("running")).unwrap_err().code, "work_runs");
        assert!(refuse_while_working(&status()).is_ok());
    }
}

//! Serving, settings and updates.

use tauri::{AppHandle, State};
use webcodex_supervisor::status::SettingsChange;

use super::answer::Answer;
use crate::shell::Shell;
use crate::update;

#[tauri::command]
pub(super) async fn pause(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.pause().await.into())
}

#[tauri::command]
pub(super) async fn resume(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.resume().await.into())
}

#[tauri::command]
pub(super) async fn restart(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.restart().await.into())
}

#[tauri::command]
pub(super) async fn finish_first_run(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.finish_first_run().await.into())
}

#[tauri::command]
pub(super) async fn keep_secrets_in_file(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.keep_secrets_in_file().await.into())
}

#[tauri::command]
pub(super) async fn keep_secrets_in_keychain(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.keep_secrets_in_keychain().await.into())
}

#[tauri::command]
pub(super) async fn change_settings(
    shell: State<'_, Shell>,
    change: SettingsChange,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.change_settings(change).await.into())
}

#[tauri::command]
pub(super) async fn check_for_update(app: AppHandle) -> Result<Answer<()>, ()> {
    Ok(update::check(&app).await.into())
}

#[tauri::command]
pub(super) async fn install_update(app: AppHandle) -> Result<Answer<()>, ()> {
    Ok(update::install(&app).await.into())
}

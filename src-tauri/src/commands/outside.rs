//! The report, the logs and pages outside.

use tauri::{AppHandle, State};

use super::answer::Answer;
use crate::links::LinkName;
use crate::opening;
use crate::shell::Shell;

#[tauri::command]
pub(super) async fn report(shell: State<'_, Shell>) -> Result<Answer<String>, ()> {
    Ok(shell.supervisor.report().await.into())
}

#[tauri::command]
pub(super) async fn show_logs(app: AppHandle, shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(opening::folder(&app, &shell.folders.logs()).into())
}

#[tauri::command]
pub(super) async fn open_link(app: AppHandle, link: LinkName) -> Result<Answer<()>, ()> {
    Ok(opening::link(&app, link).into())
}

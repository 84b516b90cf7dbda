//! The report, the logs and pages outside.

use std::path::Path;

use tauri::{AppHandle, State};
use webcodex_contracts::ProjectId;
use webcodex_contracts::control::Failure;

use super::answer::Answer;
use super::projects::OpenIn;
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

/// Opens a file of a project; a path that leads out of it is refused.
#[tauri::command]
pub(super) async fn open_file(
    app: AppHandle,
    shell: State<'_, Shell>,
    project: ProjectId,
    path: String,
    place: OpenIn,
) -> Result<Answer<()>, ()> {
    let file = shell.project_folder(&project).and_then(|folder| opening::inside(&folder, Path::new(&path)));
    Ok(file
        .and_then(|file| match place {
            OpenIn::Files => opening::reveal(&app, &file),
            OpenIn::Editor => opening::in_editor(&file),
        })
        .into())
}

/// Opens an address of the web that the person has just agreed to; nothing but the web is opened.
#[tauri::command]
pub(super) async fn open_address(app: AppHandle, url: String) -> Result<Answer<()>, ()> {
    let address = tauri::Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "https" | "http"));
    let refused = || Failure {
        code: "address_refused".into(),
        message: "Only addresses of the web are opened.".into(),
        hint: None,
    };
    Ok(address.ok_or_else(refused).and_then(|address| opening::address(&app, address.as_str())).into())
}

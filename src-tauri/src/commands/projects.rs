//! Folders and projects.

use std::path::PathBuf;

use serde::Deserialize;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;
use webcodex_contracts::control::FolderResult;
use webcodex_contracts::{Permission, ProjectId};

use super::answer::Answer;
use crate::shell::Shell;
use crate::{opening, window, words};

/// Where to open a project.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OpenIn {
    Files,
    Editor,
}

/// Lets the person pick folders; none when they close the dialog.
#[tauri::command]
pub(super) async fn pick_folders(
    app: AppHandle,
    shell: State<'_, Shell>,
    start_in: Option<PathBuf>,
) -> Result<Answer<Vec<String>>, ()> {
    let title = words::of(shell.supervisor.status().settings.language).pick_folders;
    let mut dialog = app.dialog().file().set_title(title);
    if let Some(window) = window::of(&app) {
        dialog = dialog.set_parent(&window);
    }
    if let Some(folder) = start_in.filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    let (tell, picked) = tokio::sync::oneshot::channel();
    dialog.pick_folders(move |folders| {
        // A page that is gone waits for no answer.
        let _ = tell.send(folders.unwrap_or_default());
    });
    let picked = picked.await.unwrap_or_default();
    let paths = picked.into_iter().filter_map(|path| path.into_path().ok());
    Ok(Answer::from(Ok(paths.map(|path| path.to_string_lossy().into_owned()).collect())))
}

#[tauri::command]
pub(super) async fn add_folder(shell: State<'_, Shell>, path: String) -> Result<Answer<FolderResult>, ()> {
    Ok(shell.supervisor.add_folder(path).await.into())
}

#[tauri::command]
pub(super) async fn set_permission(
    shell: State<'_, Shell>,
    project: ProjectId,
    permission: Permission,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.set_permission(project, permission).await.into())
}

#[tauri::command]
pub(super) async fn set_ask_first(
    shell: State<'_, Shell>,
    project: ProjectId,
    ask_first: bool,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.set_ask_first(project, ask_first).await.into())
}

#[tauri::command]
pub(super) async fn remove_project(shell: State<'_, Shell>, project: ProjectId) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.remove_project(project).await.into())
}

#[tauri::command]
pub(super) async fn open_project(
    app: AppHandle,
    shell: State<'_, Shell>,
    project: ProjectId,
    place: OpenIn,
) -> Result<Answer<()>, ()> {
    let folder = shell.project_folder(&project);
    Ok(folder
        .and_then(|folder| match place {
            OpenIn::Files => opening::folder(&app, &folder),
            OpenIn::Editor => opening::in_editor(&folder),
        })
        .into())
}

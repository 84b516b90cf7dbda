//! Connections to OpenAI.

use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;
use webcodex_contracts::control::ConnectionDraft;

use super::answer::Answer;
use crate::shell::Shell;
use crate::{window, words};

#[tauri::command]
pub(super) async fn add_connection(
    shell: State<'_, Shell>,
    draft: ConnectionDraft,
) -> Result<Answer<String>, ()> {
    Ok(shell.supervisor.add_connection(draft).await.into())
}

#[tauri::command]
pub(super) async fn edit_connection(
    shell: State<'_, Shell>,
    connection: String,
    revision: u64,
    draft: ConnectionDraft,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.edit_connection(connection, revision, draft).await.into())
}

#[tauri::command]
pub(super) async fn delete_connection(
    shell: State<'_, Shell>,
    connection: String,
    revision: u64,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.delete_connection(connection, revision).await.into())
}

#[tauri::command]
pub(super) async fn switch_connection(
    shell: State<'_, Shell>,
    connection: String,
    on: bool,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.switch_connection(connection, on).await.into())
}

#[tauri::command]
pub(super) async fn restart_connection(
    shell: State<'_, Shell>,
    connection: String,
) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.restart_connection(connection).await.into())
}

#[tauri::command]
pub(super) async fn import_connection(shell: State<'_, Shell>) -> Result<Answer<String>, ()> {
    Ok(shell.supervisor.import_connection().await.into())
}

#[tauri::command]
pub(super) async fn dismiss_import(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.dismiss_import().await.into())
}

/// Lets the person pick a certificate file; nothing when they close the dialog.
#[tauri::command]
pub(super) async fn pick_ca_file(
    app: AppHandle,
    shell: State<'_, Shell>,
) -> Result<Answer<Option<String>>, ()> {
    let title = words::of(shell.supervisor.status().settings.language).pick_certificate;
    let mut dialog = app.dialog().file().set_title(title);
    if let Some(window) = window::of(&app) {
        dialog = dialog.set_parent(&window);
    }
    let (tell, picked) = tokio::sync::oneshot::channel();
    dialog.pick_file(move |file| {
        // A page that is gone waits for no answer.
        let _ = tell.send(file);
    });
    let picked = picked.await.ok().flatten().and_then(|file| file.into_path().ok());
    Ok(Answer::from(Ok(picked.map(|path| path.to_string_lossy().into_owned()))))
}

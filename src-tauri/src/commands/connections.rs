//! Clients, their set-up and the credential.

use tauri::State;
use webcodex_contracts::control::ClientKind;
use webcodex_supervisor::{ClientSetup, WrittenSetup};

use super::answer::Answer;
use crate::shell::Shell;

/// The one secret that reaches the page, and only when a person asks for it.
#[tauri::command]
pub(super) async fn reveal_credential(shell: State<'_, Shell>) -> Result<Answer<String>, ()> {
    Ok(shell.supervisor.reveal_credential().await.into())
}

#[tauri::command]
pub(super) async fn replace_credential(shell: State<'_, Shell>) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.replace_credential().await.into())
}

#[tauri::command]
pub(super) async fn client_setup(
    shell: State<'_, Shell>,
    kind: ClientKind,
) -> Result<Answer<ClientSetup>, ()> {
    Ok(shell.supervisor.client_setup(kind).await.into())
}

#[tauri::command]
pub(super) async fn write_client_setup(
    shell: State<'_, Shell>,
    kind: ClientKind,
) -> Result<Answer<WrittenSetup>, ()> {
    Ok(shell.supervisor.write_client_setup(kind).await.into())
}

#[tauri::command]
pub(super) async fn check_client(shell: State<'_, Shell>, client: String) -> Result<Answer<()>, ()> {
    Ok(shell.supervisor.check_client(client).await.into())
}

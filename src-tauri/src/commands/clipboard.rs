//! The clipboard. The shell fills it, so a secret need not pass through the page.

use serde::Deserialize;
use tauri::{AppHandle, State};
use tauri_plugin_clipboard_manager::ClipboardExt;
use webcodex_contracts::control::{ClientKind, Failure};

use super::answer::Answer;
use crate::shell::Shell;

/// What to put there; see `CopyItem` in `ui/desktop/bridge/bridge.ts`.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum CopyItem {
    Text { text: String },
    Credential,
    Setup { kind: ClientKind },
    Report,
    TunnelId { connection: String },
}

#[tauri::command]
pub(super) async fn copy(app: AppHandle, shell: State<'_, Shell>, item: CopyItem) -> Result<Answer<()>, ()> {
    Ok(put(&app, &shell, item).await.into())
}

/// Puts something on the clipboard.
pub(crate) async fn put(app: &AppHandle, shell: &Shell, item: CopyItem) -> Result<(), Failure> {
    let clipboard = app.clipboard();
    let done = match item {
        CopyItem::Text { text } => clipboard.write_text(text),
        // Kept out of the history that clipboards have, where the system knows how.
        CopyItem::Credential => clipboard.write_secret(shell.supervisor.reveal_credential().await?),
        CopyItem::Setup { kind } => clipboard.write_secret(shell.supervisor.client_setup_text(kind).await?),
        CopyItem::TunnelId { connection } => clipboard.write_text(shell.tunnel_id(&connection)?),
        CopyItem::Report => clipboard.write_text(shell.supervisor.report().await?),
    };
    done.map_err(|error| Failure {
        code: "clipboard_unavailable".into(),
        message: "The clipboard did not take it.".into(),
        hint: Some(error.to_string()),
    })
}

//! Pages of MCP Apps and the tools that the window calls for them.

use serde::Serialize;
use serde_json::{Map, Value};
use tauri::State;
use webcodex_contracts::control::{AppCall, AppPage, Failure};

use super::answer::Answer;
use crate::shell::Shell;

/// A page and where it is to be framed; see `AppPage` in `ui/desktop/bridge/types.ts`.
#[derive(Serialize)]
pub(super) struct FramedPage {
    #[serde(flatten)]
    page: AppPage,
    sandbox: String,
}

#[tauri::command]
pub(super) async fn read_app(shell: State<'_, Shell>, uri: String) -> Result<Answer<FramedPage>, ()> {
    Ok(framed(&shell, uri).await.into())
}

async fn framed(shell: &Shell, uri: String) -> Result<FramedPage, Failure> {
    let page = shell.supervisor.read_app(uri).await?;
    let sandbox = shell.sandbox.address().await.map_err(|error| Failure {
        code: "not_opened".into(),
        message: "The page can’t be shown.".into(),
        hint: Some(error.to_string()),
    })?;
    Ok(FramedPage { page, sandbox: sandbox.to_owned() })
}

#[tauri::command]
pub(super) async fn call_app_tool(
    shell: State<'_, Shell>,
    tool: String,
    arguments: Map<String, Value>,
) -> Result<Answer<Value>, ()> {
    Ok(shell.supervisor.call_app_tool(AppCall { tool, arguments }).await.into())
}

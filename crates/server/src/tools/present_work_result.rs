//! Shows the Work Result, and remembers for the panel what this window was shown.

use webcodex_contracts::tools::present_work_result::{View, WorkResultOutput};
use webcodex_contracts::{CanonicalResult, ProjectId, ToolFailure};
use webcodex_store::Presentation;

use super::list_projects::visible;
use super::work;
use crate::dispatch::{Call, store_failed, unknown_project};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let given = call.arguments.get("project").and_then(serde_json::Value::as_str).unwrap_or_default();
    let project = ProjectId::parse(given).map_err(|_| unknown_project(given))?;
    // What does not exist cannot be shown, and must not take the place of what was shown before.
    if !visible(call).await?.projects.iter().any(|known| known.project == project) {
        return Err(unknown_project(given).into());
    }
    let session = work::session(call).await?;
    let session_id = session.as_ref().map(|session| session.id.clone());
    // A host that does not name its window gets the card; only the panel needs to know the window again.
    if let Some(window) = call.incoming.window {
        let shown = Presentation { project: project.clone(), session: session_id.clone() };
        let kept = call.app.store.present(&call.incoming.caller.id, window, shown).await;
        kept.map_err(|error| store_failed(&error))?;
    }
    let title = session.map(|session| session.title.clone()).filter(|title| !title.is_empty());
    Ok(CanonicalResult::success(WorkResultOutput { project, session_id, title, view: View::Card }))
}

//! Opens the panel: what the same caller's same window was shown last, and nothing else.

use webcodex_contracts::tools::present_work_result::{View, WorkResultOutput};
use webcodex_contracts::{CanonicalResult, ErrorCode, ToolError, ToolFailure};

use crate::dispatch::{Call, store_failed};

pub(crate) async fn run(call: &Call<'_>) -> Result<CanonicalResult, Box<ToolFailure>> {
    let Some(window) = call.incoming.window else {
        return Err(
            nothing("this host does not say which window it is, so nothing can be opened beside it").into()
        );
    };
    let caller = &call.incoming.caller;
    let store = &call.app.store;
    let shown = store.presentation(&caller.id, window).await.map_err(|error| store_failed(&error))?;
    // What the caller may see is asked anew every time.
    let shown = shown.filter(|shown| caller.grant.allows(&shown.project));
    let Some(shown) = shown else {
        return Err(nothing("no work has been shown in this conversation yet").into());
    };
    let title = match &shown.session {
        None => None,
        Some(id) => {
            let session = store.session(&caller.id, id).await.map_err(|error| store_failed(&error))?;
            let Some(session) = session else {
                return Err(nothing("the session that was shown here is not there any more").into());
            };
            Some(session.title.clone()).filter(|title| !title.is_empty())
        }
    };
    let (project, session_id) = (shown.project, shown.session);
    Ok(CanonicalResult::success(WorkResultOutput { project, session_id, title, view: View::Panel }))
}

fn nothing(why: &str) -> ToolError {
    ToolError::new(ErrorCode::NotPresented, why)
        .hint("Call present_work_result with `project` and `session_id` first.")
        .changed(false)
}

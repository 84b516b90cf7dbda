//! Requests to the client inside a call of the older revisions. The endpoint keeps no sessions, so the answer arrives
//! as a POST of its own and is handed to the call that waits for it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::ErrorData;
use rmcp::model::ServerRequest;
use rmcp::service::PeerRequestOptions;
use serde_json::Value;
use tokio::sync::oneshot;

use super::{Context, typed};

/// The client has this long to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// The calls that wait for an answer of their client, in the order in which they asked.
#[derive(Clone, Default)]
pub(crate) struct ClientAnswers(Arc<Mutex<VecDeque<oneshot::Sender<Value>>>>);

impl ClientAnswers {
    /// Hands an answer to the call that has waited longest; `false` if none waits.
    pub(crate) fn take(&self, body: &[u8]) -> bool {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else { return false };
        let waiting = self.0.lock().pop_front();
        waiting.is_some_and(|waiting| waiting.send(answer).is_ok())
    }

    /// Sends `request` on the call's own stream and waits for the client's result.
    pub(super) async fn ask(&self, context: &Context, request: Value) -> Result<Value, ErrorData> {
        let (answer, answered) = oneshot::channel();
        self.0.lock().push_back(answer);
        let request: ServerRequest = typed(request)?;
        let failed = |error: &dyn std::fmt::Display| {
            ErrorData::internal_error(format!("asking failed: {error}"), None)
        };
        let _sent = context
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await
            .map_err(|error| failed(&error))?;
        let answer = tokio::time::timeout(ANSWER_WITHIN, answered).await.map_err(|error| failed(&error))?;
        let answer = answer.map_err(|error| failed(&error))?;
        Ok(answer.get("result").cloned().unwrap_or_default())
    }
}

//! The one bridge between the async calls and the plain, synchronous crates below.

use webcodex_contracts::call::CallContext;
use webcodex_contracts::{ErrorCode, ToolError, ToolResult};

use crate::Runner;

impl Runner {
    /// Runs `work` on a thread for blocking work and waits for it until the call's deadline.
    ///
    /// At the deadline the caller gets `deadline_exceeded`; the thread goes on to its own end, so that a file system
    /// that does not answer delays this call only.
    pub(crate) async fn blocking<T, W>(&self, call: &CallContext, work: W) -> ToolResult<T>
    where
        T: Send + 'static,
        W: FnOnce() -> ToolResult<T> + Send + 'static,
    {
        let deadline = call.policy.deadline();
        match tokio::time::timeout(deadline, tokio::task::spawn_blocking(work)).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => Err(internal(&panic.to_string()).into()),
            Err(_) => Err(ToolError::new(
                ErrorCode::DeadlineExceeded,
                format!(
                    "the call was not done within {} s; a file system may not be answering",
                    deadline.as_secs()
                ),
            )
            .hint("Look at the present state before repeating anything, and ask for less at once.")
            .into()),
        }
    }
}

/// A fault of ours.
pub(crate) fn internal(what: &str) -> ToolError {
    ToolError::new(ErrorCode::Internal, format!("the Runner failed: {what}")).hint(
        "This is a fault in WebCodex; please report it. Look at the present state before repeating anything.",
    )
}

//! A failure as people are told it.

use serde::{Deserialize, Serialize};

use crate::ToolError;

/// What went wrong, what would help, and a code for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// For programs; one of the error codes.
    pub code: String,
    /// What went wrong.
    pub message: String,
    /// What would help.
    pub hint: Option<String>,
}

impl From<&ToolError> for Failure {
    fn from(error: &ToolError) -> Self {
        Self {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
            hint: error.hint.clone(),
        }
    }
}

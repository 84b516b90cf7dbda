//! What a credential may be allowed to do (`contract.md` 5).

use serde::{Deserialize, Serialize};

/// A permission that a credential holds and a tool needs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum Scope {
    /// See Server, Runners and tool descriptions.
    #[serde(rename = "runtime:read")]
    RuntimeRead,
    /// Read and search project files and changes.
    #[serde(rename = "project:read")]
    ProjectRead,
    /// Change project files.
    #[serde(rename = "project:write")]
    ProjectWrite,
    /// Run commands and see jobs.
    #[serde(rename = "job:run")]
    JobRun,
}

impl Scope {
    /// Every scope, in the order in which they are shown.
    pub const ALL: [Scope; 4] = [Scope::RuntimeRead, Scope::ProjectRead, Scope::ProjectWrite, Scope::JobRun];

    /// The scope as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::RuntimeRead => "runtime:read",
            Scope::ProjectRead => "project:read",
            Scope::ProjectWrite => "project:write",
            Scope::JobRun => "job:run",
        }
    }

    /// The scope written as `text`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

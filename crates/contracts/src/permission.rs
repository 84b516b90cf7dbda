//! What a person lets callers do in one project.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What callers may do in a project, each including the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// Read, search and review.
    Read,
    /// Also change files.
    Edit,
    /// Also run commands.
    #[default]
    EditRun,
}

impl Permission {
    /// Every permission, the least first.
    pub const ALL: [Permission; 3] = [Permission::Read, Permission::Edit, Permission::EditRun];

    /// The permission as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Permission::Read => "read",
            Permission::Edit => "edit",
            Permission::EditRun => "edit_run",
        }
    }

    /// The permission written as `text`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.as_str() == text)
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

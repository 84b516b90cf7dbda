//! What the person at the computer has set for a project.

use webcodex_contracts::Permission;

/// The terms under which callers work in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// What callers may do.
    pub permission: Permission,
    /// Whether every edit and every command waits until the person has allowed it.
    pub ask_first: bool,
    /// When asking was last switched on, in milliseconds since 1970. What was allowed for a session before counts no
    /// more; 0 where it is not known.
    pub asks_since: u64,
}

impl Terms {
    /// The terms that allow only what both allow.
    #[must_use]
    pub fn strictest(self, other: Self) -> Self {
        Self {
            permission: self.permission.min(other.permission),
            ask_first: self.ask_first || other.ask_first,
            asks_since: self.asks_since.max(other.asks_since),
        }
    }
}

/// A change of a project's terms; what is `None` stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TermsChange {
    /// What callers may do from now on.
    pub permission: Option<Permission>,
    /// Whether to ask first from now on.
    pub ask_first: Option<bool>,
}

/// The person has not allowed this in the project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the person has set `{project}` to {}, so {}", set(*.allowed), cannot(*.needed))]
pub struct NotAllowed {
    /// The project's name.
    pub project: String,
    /// What is allowed.
    pub allowed: Permission,
    /// What would be needed.
    pub needed: Permission,
}

fn set(allowed: Permission) -> &'static str {
    match allowed {
        Permission::Read => "\"read only\"",
        Permission::Edit => "\"edit\" without running commands",
        Permission::EditRun => "\"edit and run\"",
    }
}

fn cannot(needed: Permission) -> &'static str {
    match needed {
        Permission::Read => "it cannot be read",
        Permission::Edit => "nothing in it can be changed",
        Permission::EditRun => "no command can be run in it",
    }
}

//! From the errors of the crates below to what callers see. One file per crate; each match is complete.

pub(crate) mod files;
pub(crate) mod git;
pub(crate) mod process;
pub(crate) mod projects;
pub(crate) mod search;
pub(crate) mod snapshots;

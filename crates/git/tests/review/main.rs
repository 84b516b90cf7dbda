//! The promises about reviewing changes, each on a real repository made by the git program.
#![allow(missing_docs, clippy::unwrap_used)]

mod against_git;
mod diffs;
mod folders;
mod history;
mod listing;
mod merging;
mod scratch;
mod snapshots;
mod undoing;
mod unfinished;
mod worktrees;

//! The promises about reviewing changes, each on a real repository made by the git program.
#![allow(missing_docs)]

mod listing;
mod scratch;

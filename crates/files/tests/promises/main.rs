//! What users were promised about reading and editing files, each promise with the test that holds it to.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod editing;
mod encodings;
mod files;
mod foreign;
mod guards;
mod kill;
mod reading;
mod support;

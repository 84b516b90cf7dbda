//! What users were promised about reading and editing files, each promise with the test that holds it to.

mod editing;
mod foreign;
mod kill;
mod reading;
mod support;

//! The supervisor with the real `webcodex` executable and real processes.

#![allow(clippy::unwrap_used)]

mod connections;
mod host;
#[cfg(unix)]
mod kill;
mod start;
mod support;
mod trouble;

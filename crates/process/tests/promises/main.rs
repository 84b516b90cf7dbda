//! What users are promised of commands and jobs, each with real processes.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by them")]

#[cfg(target_os = "linux")]
mod ending;
mod jobs;
mod output;
mod place;
#[cfg(target_os = "linux")]
mod restart;
mod starting;
